package archive

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"laurel/models/archive"
	"laurel/models/archive/shards"
	pg "laurel/models/db"
	modelhistory "laurel/models/history"
)

type apiStored struct {
	apiPushed
	Unchanged bool  `json:"unchanged"`
	Replayed  bool  `json:"replayed"`
	Retrieval int64 `json:"retrieval"`
}

// APIStoreResponse adds what one check of one address showed, in one transaction.
func (h *Handlers) APIStoreResponse(c echo.Context) error {
	ctx := c.Request().Context()
	body, err := document(c)
	if err != nil {
		return err
	}
	all, err := archive.Shards(ctx, h.DB.DB)
	if err != nil {
		return err
	}
	r, sizes, err := responseOf(body, all)
	if err != nil {
		return err
	}
	res, err := modelhistory.StoreResponse(ctx, h.DB.DB, r, sizes, h.Now())
	if err != nil {
		return inResponse(err)
	}
	if res.Contradiction != "" {
		shard, _, row, _ := rowsOf(res.Contradiction)
		return &pg.InputError{Field: in(in("shards", shard), row),
			Message: res.Contradiction + "; the response was refused and is in the log of retrievals"}
	}
	out := apiStoredAnswer{apiNoted: noted(),
		apiStored: apiStored{Unchanged: res.Unchanged, Replayed: res.Replayed, Retrieval: res.Retrieval}}
	out.add(res)
	out.note(res)
	return c.JSON(http.StatusOK, out)
}

// responseOf reads one response, and the sizes of rankings of which it shows the
// first part.
func responseOf(body any, all []*archive.Shard) (archive.Response, map[string]int, error) {
	r := archive.Response{Shards: map[string][]shards.Row{}, Complete: map[string][]shards.Row{}}
	m, err := object(body, "", "source", "address", "viewer", "retrieved_at", "shards", "complete", "sizes", "gone", "outcome", "message",
		"supersedes")
	if err != nil {
		return r, nil, err
	}
	words, err := texts(m, "", "source", "address", "viewer", "outcome", "message")
	if err != nil {
		return r, nil, err
	}
	r.Source, r.Address, r.Viewer, r.Outcome, r.Message = words[0], words[1], words[2], words[3], words[4]
	if r.At, err = retrievedAt(m, ""); err != nil {
		return r, nil, err
	}
	gone, ok := m["gone"].(bool)
	if r.Gone = gone; !ok && m["gone"] != nil {
		return r, nil, mustBe("gone", "true or false")
	}
	if err := readShards(&r, m, all); err != nil {
		return r, nil, err
	}
	if r.Supersedes, err = responseID(m["supersedes"], "supersedes"); err != nil {
		return r, nil, err
	}
	sizes, err := sizesOf(m["sizes"])
	if err != nil {
		return r, nil, err
	}
	return r, sizes, checkOutcome(&r)
}

// sizesOf reads how many rows rankings have in all, by name.
func sizesOf(v any) (map[string]int, error) {
	if v == nil {
		return nil, nil
	}
	byName, err := object(v, "sizes")
	if err != nil {
		return nil, err
	}
	sizes := map[string]int{}
	for name, size := range byName {
		text, _ := size.(json.Number)
		if sizes[name], err = strconv.Atoi(string(text)); err != nil || sizes[name] < 0 {
			return nil, mustBe(in("sizes", name), "a whole number from 0 on")
		}
	}
	return sizes, nil
}

// readShards reads what the response says of each shard.
func readShards(r *archive.Response, m map[string]any, all []*archive.Shard) error {
	for _, part := range []string{"shards", "complete"} {
		if m[part] == nil {
			continue
		}
		byName, err := object(m[part], part)
		if err != nil {
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(byName)) {
			field := in(part, name)
			i := slices.IndexFunc(all, func(s *archive.Shard) bool { return s.Name == name })
			if i < 0 {
				return &pg.InputError{Field: field, Message: fmt.Sprintf("no shard is named %q; declare it first", name)}
			}
			if part == "complete" {
				r.Complete[name], err = scopesOf(byName[name], field)
			} else {
				r.Shards[name], err = rowsOfShard(byName[name], field, all[i])
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func rowsOfShard(v any, field string, s *archive.Shard) ([]shards.Row, error) {
	return elements(v, field, func(v any, field string) (shards.Row, error) {
		row, err := object(v, field)
		if err != nil {
			return nil, err
		}
		return row, checkWidth(s, row, field)
	})
}

// scopesOf reads the scopes of which a response shows every row: the values of
// one, a list of such, or true where the shard is one scope.
func scopesOf(v any, field string) ([]shards.Row, error) {
	switch v := v.(type) {
	case bool:
		if v {
			return []shards.Row{{}}, nil
		}
		return nil, nil
	case map[string]any:
		return []shards.Row{v}, nil
	case []any, nil:
		return elements(v, field, func(v any, field string) (shards.Row, error) { return object(v, field) })
	}
	return nil, mustBe(field, "the values of a scope, a list of such, or true")
}

var outcomeRule = regexp.MustCompile(`^[a-z][a-z0-9_ ]{0,39}$`)

const maxMessage = 2000

// checkOutcome sees that a failed check shows nothing, and says a word of its own
// for how it ended.
func checkOutcome(r *archive.Response) error {
	if r.Outcome == "" || r.Outcome == archive.OutcomeOK {
		r.Outcome, r.Message = "", ""
		return nil
	}
	switch {
	case r.Outcome == archive.OutcomeRefused || !outcomeRule.MatchString(r.Outcome):
		return &pg.InputError{Field: "outcome",
			Message: "an outcome is ok or a short lower-case name such as not_found, blocked, rate_limited, server_error,  " +
				"parse_error, unreachable"}
	case len(r.Message) > maxMessage:
		return &pg.InputError{Field: "message", Message: fmt.Sprintf("this is longer than %d bytes", maxMessage)}
	case len(r.Complete) > 0:
		return &pg.InputError{Field: "complete", Message: "a check that failed shows nothing"}
	}
	for _, rows := range r.Shards {
		if len(rows) > 0 {
			return &pg.InputError{Field: "shards", Message: "a check that failed shows nothing"}
		}
	}
	return nil
}

// inResponse names the part of the body that a mistake is about.
func inResponse(err error) error {
	if conflict, ok := errors.AsType[*archive.Conflict](err); ok {
		return &pg.Error{Code: pg.CodeConflict, Field: in(in("shards", conflict.Shard), conflict.Row), Message: conflict.Error()}
	}
	e, ok := errors.AsType[*shards.InputError](err)
	if !ok {
		return err
	}
	if e.Shard != "" && e.Row < 0 && e.Field == "size" {
		return &pg.InputError{Field: in("sizes", e.Ranking), Message: e.Message}
	}
	field := ""
	if e.Shard != "" {
		field = in("complete", e.Shard)
	}
	if e.Row >= 0 {
		field = in(in("shards", e.Shard), e.Row)
	}
	if e.Field != "" {
		field = in(field, e.Field)
	}
	return &pg.InputError{Field: field, Message: e.Error()}
}
