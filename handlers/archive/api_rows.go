package archive

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/archive"
	pg "laurel/models/db"
)

// maxRead is how many rows the archive gives at a time.
const maxRead = 10_000

// An apiRow is a row of a shard.
type apiRow struct {
	Key         map[string]any `json:"key"`
	Data        map[string]any `json:"data"`
	ValidFrom   time.Time      `json:"valid_from"`
	ValidUntil  *time.Time     `json:"valid_until"`
	EndReason   *string        `json:"end_reason"` // Null while open, as ValidUntil is.
	RetrievedAt []time.Time    `json:"retrieved_at"`
	SeenBefore  *time.Time     `json:"seen_before"`
	SeenAfter   *time.Time     `json:"seen_after"`
}

func showRow(s archive.Snapshot) apiRow {
	out := apiRow{Key: s.Key, Data: s.Data, ValidFrom: s.ValidFrom, ValidUntil: s.ValidUntil, RetrievedAt: s.Retrieved,
		SeenBefore: s.SeenBefore, SeenAfter: s.SeenAfter}
	if s.ValidUntil != nil {
		out.EndReason = &s.EndReason
	}
	return out
}

// A reading is a list of rows that somebody asked for.
type reading struct {
	shard *archive.Shard
	list  string // What is asked for, so that a cursor goes on with nothing else.
	query archive.Query
	limit int
	place rowPlace
	csv   bool
}

// A rowPlace is where a list of rows goes on: behind a row.
type rowPlace struct {
	At   time.Time   `json:"at"` // What was asked about; zero in a history.
	From time.Time   `json:"from"`
	Key  archive.Row `json:"key"` // Nil at the beginning.
}

// APIRows lists the rows that are valid at an instant, by key.
func (h *Handlers) APIRows(c echo.Context) error {
	s, err := h.shard(c)
	if err != nil {
		return err
	}
	r, err := h.reading(c, s, "rows", "at", "known_at")
	if err != nil {
		return err
	}
	at, err := web.TimeParam(c, "at")
	if err != nil {
		return err
	}
	if c.QueryParam("at") != "" && (at.Year() < 1970 || at.Year() >= 9000) {
		return &pg.InputError{Field: "at", Message: "times must be between 1970 and 8999"}
	}
	switch {
	case r.place.Key == nil && at.IsZero(): // The first part of a list of now.
		r.place.At = h.Now()
	case r.place.Key == nil:
		r.place.At = at
	case !at.IsZero() && !at.Equal(r.place.At):
		return &pg.InputError{Field: "cursor", Message: "this cursor was made by a list of another instant; begin without one"}
	}
	rows, err := archive.At(c.Request().Context(), h.DB.DB, s, r.query, r.place.At)
	return r.send(c, rows, err)
}

// APIHistory lists all rows of the keys meant, oldest first.
func (h *Handlers) APIHistory(c echo.Context) error {
	s, err := h.shard(c)
	if err != nil {
		return err
	}
	r, err := h.reading(c, s, "history", "known_at")
	if err != nil {
		return err
	}
	rows, err := archive.History(c.Request().Context(), h.DB.DB, s, r.query)
	return r.send(c, rows, err)
}

// reading reads what both lists are asked. A key field is what its name means,
// also where a part of the query is called the same.
func (h *Handlers) reading(c echo.Context, s *archive.Shard, kind string, others ...string) (*reading, error) {
	given, err := queryOf(c, s.Key, append(others, "limit", "cursor", "window", "format")...)
	if err != nil {
		return nil, err
	}
	key, err := given.row(s.Key)
	if err != nil {
		return nil, err
	}
	for _, f := range s.Key {
		delete(given, f.Name)
	}
	r := &reading{shard: s, list: fmt.Sprint(kind, " ", s.Name, " ", rowName(key)), query: archive.Query{Key: key}}
	if r.csv, err = web.WantsFormat(c, given.text("format"), "csv", "text/csv"); err != nil {
		return nil, err
	}
	if r.query.Window, err = given.windowOf(); err != nil {
		return nil, err
	}
	if r.limit, err = web.Limit(c); err != nil {
		return nil, err
	}
	if r.csv && given.text("limit") == "" {
		r.limit = maxRead // A file is wanted whole.
	}
	if r.query.Known, err = h.knownAt(given.text("known_at")); err != nil {
		return nil, err
	}
	if !r.query.Known.IsZero() {
		r.list += fmt.Sprint(" known ", r.query.Known.UnixMicro())
	}
	err = web.DecodeCursor(given.text("cursor"), r.list, &r.place)
	r.query.After, r.query.From, r.query.Limit = r.place.Key, r.place.From, r.limit+1 // One more row shows whether the list goes on.
	return r, err
}

// rowName is what a key is distinguished by.
func rowName(key map[string]any) string {
	text, _ := json.Marshal(key) // Its values came from JSON, or from an address.
	return string(text)
}

// send sends one part of the list, and says where the next one begins.
func (r *reading) send(c echo.Context, rows []archive.Snapshot, err error) error {
	if err != nil {
		return err
	}
	next := ""
	if len(rows) > r.limit {
		rows = rows[:r.limit]
		last := rows[r.limit-1]
		next = web.EncodeCursor(r.list, rowPlace{r.place.At, last.ValidFrom, last.Key})
	}
	if r.csv {
		return sendRowsCSV(c, r.shard, rows, next)
	}
	return web.SendList(c, rows, next, showRow)
}
