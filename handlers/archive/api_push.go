package archive

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/models/archive"
	"laurel/models/archive/shards"
	pg "laurel/models/db"
)

// maxInstants is how many responses are stored in one transaction.
const maxInstants = 2000

type apiPushed struct {
	Inserted  int `json:"inserted"`
	Confirmed int `json:"confirmed"`
	Ended     int `json:"ended"`
	Yielded   int `json:"yielded,omitempty"`
}

func (p *apiPushed) add(r archive.Result) {
	p.Inserted += r.Inserted
	p.Confirmed += r.Confirmed
	p.Ended += r.Ended
	p.Yielded += r.Yielded
}

// pushed is a list of rows with their instants: what was seen at one instant is
// one response.
type pushed struct {
	shard     *archive.Shard
	viewer    string
	at        map[int64]int // Where the response of an instant is.
	responses []archive.Response
	places    [][]int // For each response, where its rows are in the list, or on which lines of a file.
	lines     bool    // The places are lines.
	// The response that the rows say better; 0 is none.
	supersedes int64
}

// APIPush adds observations of one shard: nothing where a row is wrong, and all
// instants but those that contradict themselves.
func (h *Handlers) APIPush(c echo.Context) error {
	ctx := c.Request().Context()
	s, err := h.shard(c)
	if err != nil {
		return err
	}
	p := &pushed{shard: s, viewer: h.Viewer(c).Name, at: map[int64]int{}}
	if strings.HasPrefix(c.Request().Header.Get(echo.HeaderContentType), "text/csv") {
		p.lines = true
		err = archive.ReadCSV(c.Request().Body, s, func(line int, at time.Time, row shards.Row) error { return p.add(at, row, line) })
	} else {
		err = p.readJSON(c)
	}
	if err == nil && p.supersedes != 0 {
		err = h.correct(ctx, p, p.supersedes)
	}
	if err != nil {
		return err
	}
	results, err := archive.StoreAll(ctx, h.DB.DB, p.responses, h.Now())
	if err != nil {
		return p.inList(err)
	}
	if err := p.contradiction(results); err != nil {
		return err
	}
	out := apiPushAnswer{apiNoted: noted()}
	for _, r := range results {
		out.add(r)
		out.note(r)
	}
	return c.JSON(http.StatusOK, out)
}

// readJSON reads the rows of a JSON list.
func (p *pushed) readJSON(c echo.Context) error {
	body, err := document(c)
	if err != nil {
		return err
	}
	if body, p.supersedes, err = rowsAndSuperseded(body); err != nil {
		return err
	}
	if _, ok := body.([]any); !ok {
		return mustBe("", "a list of rows")
	}
	rows, err := elements(body, "", func(v any, field string) (map[string]any, error) { return object(v, field) })
	if err != nil {
		return err
	}
	for place, row := range rows {
		t, err := retrievedAt(row, in("", place))
		if err != nil {
			return err
		}
		delete(row, "retrieved_at")
		if err := p.add(t, row, place); err != nil {
			return err
		}
	}
	return nil
}

// add adds a row to the response of its instant.
func (p *pushed) add(t time.Time, row shards.Row, place int) error {
	s := p.shard
	if err := checkWidth(s, row, in("", place)); err != nil {
		return err
	}
	n, ok := p.at[t.UnixMicro()]
	if !ok {
		n = len(p.responses)
		if n == maxInstants {
			return &pg.InputError{Field: "retrieved_at", Message: fmt.Sprintf(
				"the rows have more than %d different instants, the limit of one request: send them in parts", maxInstants)}
		}
		p.at[t.UnixMicro()] = n
		p.places = append(p.places, nil)
		p.responses = append(p.responses, archive.Response{Source: "api", Address: "/archive/" + s.Name, Viewer: p.viewer, At: t,
			Shards: map[string][]shards.Row{}})
	}
	p.responses[n].Shards[s.Name] = append(p.responses[n].Shards[s.Name], row)
	p.places[n] = append(p.places[n], place)
	return nil
}

// retrievedAt reads when something was seen.
func retrievedAt(m map[string]any, field string) (time.Time, error) {
	field = in(field, "retrieved_at")
	v, err := text(m["retrieved_at"], field)
	if err != nil {
		return time.Time{}, err
	}
	if v == "" {
		return time.Time{}, &pg.InputError{Field: field, Message: "this is missing: when was it seen?"}
	}
	t, err := time.Parse(time.RFC3339Nano, v)
	if err != nil {
		return time.Time{}, mustBe(field, "a time such as 2026-11-21T14:02:00Z")
	}
	return t.UTC().Truncate(time.Microsecond), nil
}

// maxWidth bounds the texts that are looked up together: an entry of an index
// takes no more.
const maxWidth = 2400

// checkWidth sees that an index can take the row.
func checkWidth(s *archive.Shard, row shards.Row, field string) error {
	var key []string
	for _, f := range s.Key {
		key = append(key, f.Name)
	}
	for _, names := range append([][]string{key, s.Scope}, s.Unique...) {
		n := 0
		for _, name := range names {
			text, _ := row[name].(string)
			n += len(text)
		}
		if n > maxWidth {
			return &pg.InputError{Field: in(field, names[0]),
				Message: fmt.Sprintf("the fields %q share an index and have %d bytes together; the limit is %d", names, n, maxWidth)}
		}
	}
	return nil
}

// contradiction reports the first refused response, by the places of
// its two rows in the list, and what became of the others.
func (p *pushed) contradiction(results []archive.Result) error {
	refused := 0
	var first *pg.InputError
	for i, r := range results {
		if r.Contradiction == "" {
			continue
		}
		if refused++; first == nil {
			_, a, b, what := rowsOf(r.Contradiction)
			a, b = p.places[i][a], p.places[i][b]
			first = &pg.InputError{Field: in("", b), Message: fmt.Sprintf("%ss %d and %d say %s", p.word(), a, b, what)}
		}
	}
	if first == nil {
		return nil
	}
	first.Message += fmt.Sprintf("; instants refused: %d (the log of retrievals has them), instants stored: %d; "+
		"correct the rows and send the list again", refused, len(results)-refused)
	return first
}

var contradiction = regexp.MustCompile(`^shard (\S+): rows (\d+) and (\d+) say (.*)$`)

// rowsOf takes the archive's words for a contradiction apart.
func rowsOf(words string) (shard string, a, b int, what string) {
	m := contradiction.FindStringSubmatch(words)
	if m == nil {
		return "", 0, 0, words
	}
	a, _ = strconv.Atoi(m[2])
	b, _ = strconv.Atoi(m[3])
	return m[1], a, b, m[4]
}

// inList names the row of the list that a mistake is about.
func (p *pushed) inList(err error) error {
	if conflict, ok := errors.AsType[*archive.Conflict](err); ok && conflict.Row >= 0 {
		place := p.places[conflict.Given][conflict.Row]
		return &pg.Error{Code: pg.CodeConflict, Field: in("", place), Message: fmt.Sprintf("row %d: %v", place, conflict)}
	}
	e, ok := errors.AsType[*shards.InputError](err)
	if !ok || e.Response >= len(p.places) || e.Row < 0 && e.Field == "supersedes" {
		return err
	}
	place := p.places[e.Response][max(e.Row, 0)]
	return &pg.InputError{Field: in(in("", place), e.Field), Message: fmt.Sprintf("%s %d: %s: %s", p.word(), place, e.Field, e.Message)}
}

// word is what a place is.
func (p *pushed) word() string {
	if p.lines {
		return "line"
	}
	return "row"
}
