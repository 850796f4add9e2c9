package handlers

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/models"
	"laurel/models/archive"
)

// maxRead is how many rows the archive gives at a time, and so how far a list goes.
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
	out := apiRow{Key: s.Key, Data: s.Data, ValidFrom: s.ValidFrom, ValidUntil: s.ValidUntil, RetrievedAt: s.Retrieved, SeenBefore: s.SeenBefore, SeenAfter: s.SeenAfter}
	if s.ValidUntil != nil {
		out.EndReason = &s.EndReason
	}
	return out
}

// A reading is a list of rows that somebody asked for.
type reading struct {
	shard *archive.Shard
	list  string // What is asked for, so that a cursor goes on with nothing else.
	limit int
	place rowPlace
	csv   bool
	read  func(limit int) ([]archive.Snapshot, error)
}

// A rowPlace is where a list of rows goes on: behind a row, which stands where
// Shown says unless rows came before it since.
type rowPlace struct {
	At    time.Time `json:"at"` // What was asked about; zero in a history.
	Shown int       `json:"shown"`
	From  time.Time `json:"from"`
	Key   string    `json:"key"`
}

// APIShardRows lists the rows that are valid at an instant, by key.
func (h *Handlers) APIShardRows(c echo.Context) error {
	s, err := h.shard(c)
	if err != nil {
		return err
	}
	r, q, err := h.reading(c, s, "rows", "at")
	if err != nil {
		return err
	}
	at, err := timeOf(c, "at")
	if err != nil {
		return err
	}
	switch {
	case r.place.At.IsZero() && at.IsZero(): // The first part of a list of now.
		r.place.At = h.Now()
	case r.place.At.IsZero():
		r.place.At = at
	case !at.IsZero() && !at.Equal(r.place.At):
		return &models.InputError{Field: "cursor", Message: "this cursor was made by a list of another instant; begin without one"}
	}
	r.read = func(limit int) ([]archive.Snapshot, error) {
		q.Limit = limit
		return archive.At(c.Request().Context(), h.DB.DB, s, q, r.place.At)
	}
	return r.send(c)
}

// APIShardHistory lists all rows of the keys meant, oldest first.
func (h *Handlers) APIShardHistory(c echo.Context) error {
	s, err := h.shard(c)
	if err != nil {
		return err
	}
	r, q, err := h.reading(c, s, "history")
	if err != nil {
		return err
	}
	r.read = func(limit int) ([]archive.Snapshot, error) {
		q.Limit = limit
		return archive.History(c.Request().Context(), h.DB.DB, s, q)
	}
	return r.send(c)
}

// reading reads what both lists are asked. A key field is what its name means,
// also where a part of the query is called the same.
func (h *Handlers) reading(c echo.Context, s *archive.Shard, kind string, others ...string) (*reading, archive.Query, error) {
	given, err := queryOf(c, s.Key, append(others, "limit", "cursor", "window", "format")...)
	if err != nil {
		return nil, archive.Query{}, err
	}
	key, err := given.row(s.Key)
	if err != nil {
		return nil, archive.Query{}, err
	}
	for _, f := range s.Key {
		delete(given, f.Name)
	}
	r, q := &reading{shard: s, list: fmt.Sprint(kind, " ", s.Name, " ", rowName(key))}, archive.Query{Key: key}
	if r.csv, err = given.formatOf(c, "csv", "text/csv"); err != nil {
		return nil, q, err
	}
	if q.Window, err = given.windowOf(); err != nil {
		return nil, q, err
	}
	if r.limit, err = limitOf(c); err != nil {
		return nil, q, err
	}
	if r.csv && given.text("limit") == "" {
		r.limit = maxRead // A file is wanted whole.
	}
	return r, q, readCursor(given.text("cursor"), r.list, &r.place)
}

// rowName is what a key is told apart by.
func rowName(key map[string]any) string {
	text, _ := json.Marshal(key) // Its values came from JSON, or from an address.
	return string(text)
}

func (r *reading) send(c echo.Context) error {
	rows, next, err := r.rows()
	if err != nil {
		return err
	}
	if r.csv {
		return sendRowsCSV(c, r.shard, rows, next)
	}
	return sendList(c, rows, next, showRow)
}

// rows reads one part, and says where the next one begins. The archive reads
// from the beginning, so what was shown is read again and left out.
func (r *reading) rows() ([]archive.Snapshot, string, error) {
	if r.place.Shown < 0 || r.place.Shown >= maxRead {
		return nil, "", &models.InputError{Field: "cursor", Message: fmt.Sprintf("a list goes no further than %d rows; ask for fewer of them by key fields", maxRead)}
	}
	rows, err := r.read(min(r.place.Shown+r.limit+1, maxRead))
	if err != nil {
		return nil, "", err
	}
	begin := r.behind(rows)
	if begin != r.place.Shown { // Rows came or went before the place since.
		if rows, err = r.read(maxRead); err != nil {
			return nil, "", err
		}
		if begin = r.behind(rows); begin < 0 {
			begin = min(r.place.Shown, len(rows))
		}
	}
	end := min(begin+r.limit, len(rows))
	shown := rows[begin:end]
	if len(shown) == 0 || end == len(rows) && end < maxRead {
		return shown, "", nil
	}
	last := shown[len(shown)-1]
	return shown, writeCursor(r.list, rowPlace{r.place.At, end, last.ValidFrom, rowName(last.Key)}), nil
}

// behind is how many rows stand up to the place; -1 where its row is gone.
func (r *reading) behind(rows []archive.Snapshot) int {
	if r.place.Shown == 0 {
		return 0
	}
	same := func(i int) bool { // At an instant a key has one row, whenever that begins.
		return rowName(rows[i].Key) == r.place.Key && (!r.place.At.IsZero() || rows[i].ValidFrom.Equal(r.place.From))
	}
	if n := r.place.Shown; n <= len(rows) && same(n-1) {
		return n
	}
	for i := range rows {
		if same(i) {
			return i + 1
		}
	}
	return -1
}
