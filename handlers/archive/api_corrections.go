package archive

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/archive"
	pg "laurel/models/db"
)

// An apiSetAside is a fact that a response showed and no row says.
type apiSetAside struct {
	Response     int64          `json:"response"`
	Shard        string         `json:"shard"`
	Key          map[string]any `json:"key"`
	Data         map[string]any `json:"data"`
	RetrievedAt  time.Time      `json:"retrieved_at"`
	Why          string         `json:"why"` // overruled, superseded or retracted.
	SupersededBy *int64         `json:"superseded_by"`
	WithdrawnAt  *time.Time     `json:"withdrawn_at"`
	Note         string         `json:"note,omitempty"`
}

func showAside(a archive.SetAside) apiSetAside {
	out := apiSetAside{Response: a.Response, Shard: a.Shard, Key: a.Key, Data: a.Data, RetrievedAt: a.At, Why: a.Why,
		WithdrawnAt: web.UTC(a.Since), Note: a.Note}
	if a.SupersededBy != 0 {
		out.SupersededBy = &a.SupersededBy
	}
	return out
}

func showAsides(list []archive.SetAside) []apiSetAside {
	out := make([]apiSetAside, len(list))
	for i, a := range list {
		out[i] = showAside(a)
	}
	return out
}

// apiNoted is what an answer says besides counts: the responses as they are in the log, and what was set aside.
type apiNoted struct {
	Response  int64         `json:"response,omitempty"` // Where it is one.
	Responses []int64       `json:"responses"`
	SetAside  []apiSetAside `json:"set_aside"`
}

func noted() apiNoted { return apiNoted{Responses: []int64{}, SetAside: []apiSetAside{}} }

func (n *apiNoted) note(r archive.Result) {
	n.Responses = append(n.Responses, r.Retrieval)
	if n.Response = r.Retrieval; len(n.Responses) > 1 {
		n.Response = 0
	}
	n.SetAside = append(n.SetAside, showAsides(r.SetAside)...)
}

type apiPushAnswer struct {
	apiPushed
	apiNoted
}

type apiStoredAnswer struct {
	apiStored
	apiNoted
}

// responseID reads the number of a response; 0 where it is not given.
func responseID(v any, field string) (int64, error) {
	if v == nil {
		return 0, nil
	}
	number, _ := v.(json.Number)
	id, err := strconv.ParseInt(string(number), 10, 64)
	if err != nil || id < 1 {
		return 0, mustBe(field, "the number of a response")
	}
	return id, nil
}

// rowsAndSuperseded takes a push apart: a list of rows, or these and the response that they supersede.
func rowsAndSuperseded(body any) (rows any, supersedes int64, err error) {
	if m, ok := body.(map[string]any); !ok || m["rows"] == nil {
		return body, 0, nil
	}
	m, err := object(body, "", "rows", "supersedes")
	if err != nil {
		return nil, 0, err
	}
	supersedes, err = responseID(m["supersedes"], "supersedes")
	return m["rows"], supersedes, err
}

// correct makes of pushed rows what supersedes a response: they are of one instant, and of the page of
// that response, whoever pushed it.
func (h *Handlers) correct(ctx context.Context, p *pushed, supersedes int64) error {
	if len(p.responses) != 1 {
		return &pg.InputError{Field: "rows", Message: "what supersedes a response has rows of one instant"}
	}
	page, err := archive.PageOf(ctx, h.DB.DB, supersedes)
	if err != nil {
		return err
	}
	r := &p.responses[0]
	if page.Source == r.Source && page.Address == r.Address {
		r.Viewer = page.Viewer
	}
	r.Supersedes = supersedes
	return nil
}

// APIRetract withdraws a response, or what was seen of a key at an instant.
func (h *Handlers) APIRetract(c echo.Context) error {
	ctx := c.Request().Context()
	body, err := document(c)
	if err != nil {
		return err
	}
	r, err := retractionOf(body)
	if err != nil {
		return err
	}
	r.By = h.Viewer(c).ID
	var out struct {
		Responses []int64       `json:"responses"`
		SetAside  []apiSetAside `json:"set_aside"`
	}
	ids, gone, err := archive.Retract(ctx, h.DB.DB, r, h.Now())
	if err != nil {
		return err
	}
	out.Responses, out.SetAside = ids, showAsides(gone)
	return c.JSON(http.StatusOK, out)
}

func retractionOf(body any) (r archive.Retraction, err error) {
	m, err := object(body, "", "response", "shard", "key", "at", "note")
	if err != nil {
		return r, err
	}
	words, err := texts(m, "", "shard", "at", "note")
	if err != nil {
		return r, err
	}
	r.Shard, r.Note = words[0], strings.TrimSpace(words[2])
	if r.Note == "" || len(r.Note) > maxMessage {
		return r, &pg.InputError{Field: "note", Message: fmt.Sprintf("say why it is wrong, in at most %d bytes", maxMessage)}
	}
	if r.Response, err = responseID(m["response"], "response"); err != nil {
		return r, err
	}
	switch {
	case r.Response != 0 && (r.Shard != "" || m["key"] != nil || words[1] != ""):
		return r, &pg.InputError{Field: "response", Message: "name a response, or shard, key and at"}
	case r.Response != 0:
		return r, nil
	case r.Shard == "":
		return r, &pg.InputError{Field: "response", Message: "is missing: name a response, or shard, key and at"}
	}
	if r.At, err = time.Parse(time.RFC3339Nano, words[1]); err != nil {
		return r, mustBe("at", "a time such as 2026-11-21T14:02:00Z")
	}
	r.Key, err = object(m["key"], "key")
	return r, err
}

// knownAt reads when something was believed; zero for now, and for what is to come.
func (h *Handlers) knownAt(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		t, err = time.Parse(time.DateOnly, text)
	}
	if err != nil || t.Before(web.FirstInstant) || t.Year() > 9000 {
		return time.Time{}, mustBe("known_at", "a time such as 2026-11-21T14:02:00Z")
	}
	if t.After(h.Now()) {
		return time.Time{}, nil
	}
	return t.UTC(), nil
}

// APISetAside lists what responses showed of a shard and no row says, the newest instants first.
func (h *Handlers) APISetAside(c echo.Context) error {
	s, err := h.shard(c)
	if err != nil {
		return err
	}
	given, err := queryOf(c, s.Key, "format")
	if err != nil {
		return err
	}
	key, err := given.row(s.Key)
	if err != nil {
		return err
	}
	for _, f := range s.Key {
		delete(given, f.Name)
	}
	csv, err := web.WantsFormat(c, given.text("format"), "csv", "text/csv")
	if err != nil {
		return err
	}
	list, err := archive.SetAsideOf(c.Request().Context(), h.DB.DB, s, archive.Query{Key: key})
	if err != nil {
		return err
	}
	if !csv {
		return web.SendList(c, list, "", showAside)
	}
	out := &web.Sheet{Name: s.Name + "_set_aside", Head: slices.Concat(names(s.Key), names(s.Data), addedColumn(s),
		[]string{"retrieved_at", "why", "response", "superseded_by", "withdrawn_at", "note"})}
	for _, a := range list {
		var cells []any
		for _, f := range s.Key {
			cells = append(cells, a.Key[f.Name])
		}
		for _, f := range s.Data {
			cells = append(cells, a.Data[f.Name])
		}
		if len(s.Since) > 0 {
			cells = append(cells, s.NotAsked(a.Data))
		}
		var by any
		if a.SupersededBy != 0 {
			by = a.SupersededBy
		}
		out.Rows = append(out.Rows, append(cells, a.At, a.Why, a.Response, by, a.Since, a.Note))
	}
	return out.SendCSV(c)
}
