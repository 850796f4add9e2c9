package archive

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/archive"
	"laurel/models/archive/shards"
	pg "laurel/models/db"
	modelhistory "laurel/models/history"
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
	Certainty   string         `json:"certainty,omitempty"` // Of rows at an instant.
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
	given query  // What is asked for besides fields.
	list  string // What is asked for, so that a cursor goes on with nothing else.
	query archive.Query
	limit int
	place rowPlace
	csv   bool
}

// A rowPlace is where a list of rows goes on: behind a row.
type rowPlace struct {
	At   time.Time  `json:"at"` // What was asked about; zero in a history.
	From time.Time  `json:"from"`
	Key  shards.Row `json:"key"` // Nil at the beginning.
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
	at, err := r.given.timeOf("at")
	if err != nil {
		return err
	}
	m := h.shardMementos("/api/v1"+shardBase(s), s, r.query)
	if answered, err := m.gate(c); answered || err != nil {
		return err
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
	if err != nil {
		return err
	}
	if !r.csv { // A file is no state of the address.
		m.set(c, rows[:min(len(rows), r.limit)], r.place.At)
	}
	now := h.Now()
	if r.place.At.After(now) {
		c.Response().Header().Set(lastKnownHeader, now.UTC().Format(time.RFC3339))
	}
	return r.send(c, rows, func(s archive.Snapshot) apiRow {
		row := showRow(s)
		row.Certainty = string(certainty(&s, r.place.At, now))
		return row
	})
}

// lastKnownHeader says, of a reading at an instant that is to come, that it is what is known
// now, and when that is.
const lastKnownHeader = "Last-Known-At"

// certainty is how sure a valid row is at an instant: of one to come the newest values are the
// last known, for they may change until then.
func certainty(r *archive.Snapshot, at, now time.Time) modelhistory.Certainty {
	if at.After(now) {
		return modelhistory.ClassLastKnown
	}
	return modelhistory.CertaintyOf(r, nil, at)
}

// APIHistory lists all rows of the keys meant, oldest first.
func (h *Handlers) APIHistory(c echo.Context) error {
	s, err := h.shard(c)
	if err != nil {
		return err
	}
	r, err := h.reading(c, s, "history", "since", "until", "known_at")
	if err != nil {
		return err
	}
	rows, err := archive.History(c.Request().Context(), h.DB.DB, s, r.query)
	if err != nil {
		return err
	}
	return r.send(c, rows, showRow)
}

// reading reads what both lists are asked. A key field is what its name means,
// also where a part of the query is called the same.
func (h *Handlers) reading(c echo.Context, s *archive.Shard, kind string, others ...string) (*reading, error) {
	others = append(others, "limit", "cursor", "window", "format")
	given, err := queryOf(c, slices.Concat(s.Key, s.Data), others...)
	if err != nil {
		return nil, err
	}
	r := &reading{shard: s, given: given}
	if r.query.Key, r.query.Data, err = given.filter(s, others...); err != nil {
		return nil, err
	}
	if slices.Contains(others, "since") {
		if r.query.Since, r.query.Until, err = given.times(); err != nil {
			return nil, err
		}
	}
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
	r.list = fmt.Sprint(kind, " ", s.Name, " ", rowName(r.query.Key))
	if len(r.query.Data) > 0 || !r.query.Since.IsZero() || !r.query.Until.IsZero() {
		r.list += fmt.Sprint(" ", rowName(r.query.Data), r.query.Since.UnixMicro(), r.query.Until.UnixMicro())
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

// times are the bounds of a history.
func (q query) times() (since, until time.Time, err error) {
	if since, err = q.timeOf("since"); err == nil {
		until, err = q.timeOf("until")
	}
	return since, until, err
}

// rowName is what a key is distinguished by.
func rowName(key map[string]any) string {
	text, _ := json.Marshal(key) // Its values came from JSON, or from an address.
	return string(text)
}

// send sends one part of the list, and says where the next one begins.
func (r *reading) send(c echo.Context, rows []archive.Snapshot, show func(archive.Snapshot) apiRow) error {
	next := ""
	if len(rows) > r.limit {
		rows = rows[:r.limit]
		last := rows[r.limit-1]
		next = web.EncodeCursor(r.list, rowPlace{r.place.At, last.ValidFrom, last.Key})
	}
	if r.csv {
		return sendRowsCSV(c, r.shard, rows, next)
	}
	return web.SendList(c, rows, next, show)
}
