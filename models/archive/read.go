package archive

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"
)

// A Snapshot is a row of a shard as readers see it.
type Snapshot struct {
	Key        map[string]any `json:"key"`
	Data       map[string]any `json:"data"`
	ValidFrom  time.Time      `json:"valid_from"`
	ValidUntil *time.Time     `json:"valid_until"` // Nil while open.
	EndReason  string         `json:"end_reason,omitempty"`
	Retrieved  []time.Time    `json:"retrieved_at"`
	// The nearest instants at which this row was seen: at or before the instant
	// that is asked about, and after it.
	SeenBefore *time.Time `json:"seen_before"`
	SeenAfter  *time.Time `json:"seen_after"`
}

// A Query says which rows of a shard are meant.
type Query struct {
	Key    Row           // Some or all key fields; none is every row.
	Window time.Duration // Thins the retrieval instants; 0 is all.
	Limit  int           // 0 is maxRows.
}

const maxRows = 10_000

// At returns the rows that are valid at t, by key.
func At(ctx context.Context, db *gorm.DB, s *Shard, q Query, t time.Time) ([]Snapshot, error) {
	t = instant(t)
	where, args, all, err := s.where(q)
	if err != nil {
		return nil, err
	}
	args["at"] = t
	st := s.statements()
	past := st.pastAt(where, "true")
	walk := ""
	if !all {
		open := slices.DeleteFunc(s.keyOrder(), func(name string) bool { _, given := q.Key[name]; return given })
		walk, past = st.walk(s.keyOrder(), open, where)
	}
	order := quote(strings.Join(s.keyOrder(), `", "`))
	sql := fmt.Sprintf(`%s
		SELECT coalesce(json_agg(%s), '[]') FROM (
			SELECT ctid, * FROM %s x WHERE %s AND _until IS NULL AND _from <= @at
			UNION ALL SELECT * FROM (%s) p WHERE _until > @at
			ORDER BY %s LIMIT @limit) t`, walk, st.rows, st.table, where, past, order)
	return s.snapshots(ctx, db, sql, args, q, t)
}

// pastAt is the past row of one key that began last at @at.
func (st *statements) pastAt(where, and string) string {
	return fmt.Sprintf(`SELECT ctid, * FROM %s x WHERE %s AND %s AND _until IS NOT NULL AND _from <= @at ORDER BY _from DESC LIMIT 1`, st.table, where, and)
}

// walk is pastAt for many keys: a step from key to key through the index, and
// one to the version that counts, however many versions there are. A step
// compares only the fields that are open: with all of them, PostgreSQL would
// begin each step where the given ones begin.
func (st *statements) walk(order, open []string, where string) (with, past string) {
	key, next, last := quote(strings.Join(order, `", "`)), quote(strings.Join(open, `", "`)), `k."`+strings.Join(open, `", k."`)+`"`
	with = fmt.Sprintf(`
		WITH RECURSIVE k AS (
			(SELECT %[1]s FROM %[2]s x WHERE %[3]s AND _until IS NOT NULL ORDER BY %[1]s LIMIT 1)
			UNION ALL
			SELECT n.* FROM k, LATERAL (
				SELECT %[1]s FROM %[2]s x WHERE %[3]s AND _until IS NOT NULL AND (%[5]s) > (%[4]s) ORDER BY %[1]s LIMIT 1) n)`,
		key, st.table, where, last, next)
	return with, "SELECT p.* FROM k, LATERAL (" + st.pastAt(where, st.match("x", "k", upTo(0, st.keys), "=")) + ") p"
}

// History returns all rows of the keys meant, oldest first.
func History(ctx context.Context, db *gorm.DB, s *Shard, q Query) ([]Snapshot, error) {
	where, args, _, err := s.where(q)
	if err != nil {
		return nil, err
	}
	st := s.statements()
	sql := fmt.Sprintf(`SELECT coalesce(json_agg(%s), '[]') FROM (SELECT ctid, * FROM %s x WHERE %s ORDER BY _from, %s LIMIT @limit) t`,
		st.rows, st.table, where, quote(strings.Join(s.keyOrder(), `", "`)))
	return s.snapshots(ctx, db, sql, args, q, time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC))
}

// where is the condition of a query on table x, and says whether it names one key.
func (s *Shard) where(q Query) (string, map[string]any, bool, error) {
	args := named("limit", q.Limit)
	if q.Limit <= 0 || q.Limit > maxRows {
		args["limit"] = maxRows
	}
	parts := []string{"true"}
	for name, given := range q.Key {
		i := slices.IndexFunc(s.Key, func(f Field) bool { return f.Name == name })
		if i < 0 {
			return "", nil, false, &InputError{Shard: s.Name, Row: -1, Field: name, Message: "is no key field of this shard"}
		}
		v, err := clean(s.Key[i].Type, given)
		if err == nil && v == nil {
			err = fmt.Errorf("cannot be null")
		}
		if err != nil {
			return "", nil, false, &InputError{Shard: s.Name, Row: -1, Field: name, Message: err.Error()}
		}
		args[fmt.Sprint("k", i)] = v
	}
	for i, f := range s.Key {
		if _, ok := args[fmt.Sprint("k", i)]; ok {
			parts = append(parts, fmt.Sprintf("x.%s = CAST(@k%d AS %s)", quote(f.Name), i, sqlTypes[f.Type]))
		}
	}
	return strings.Join(parts, " AND "), args, len(q.Key) == len(s.Key), nil
}

// snapshots runs a read as one view of the database: rows and their evidence.
func (s *Shard) snapshots(ctx context.Context, db *gorm.DB, sql string, args map[string]any, q Query, t time.Time) ([]Snapshot, error) {
	rows, err := readRows(db.WithContext(ctx), s, sql, args)
	if err != nil {
		return nil, fmt.Errorf("read shard %s: %w", s.Name, err)
	}
	out := make([]Snapshot, len(rows))
	for i, r := range rows {
		out[i] = s.snapshot(&r.Span, q.Window, t)
	}
	return out, nil
}

// snapshot is what readers see of a row from t.
func (s *Shard) snapshot(p *Span, window time.Duration, t time.Time) Snapshot {
	out := Snapshot{Key: map[string]any{}, Data: map[string]any{}, ValidFrom: p.From, EndReason: p.Reason, Retrieved: Sample(p.Seen, window)}
	if !p.Until.IsZero() {
		out.ValidUntil = &p.Until
	}
	for i, f := range s.statements().fields {
		v := p.Fact.values[i]
		if text, ok := v.(string); ok && f.Type == JSON {
			v = json.RawMessage(text)
		}
		if i < len(s.Key) {
			out.Key[f.Name] = v
		} else {
			out.Data[f.Name] = v
		}
	}
	for i, at := range p.Seen {
		if at.After(t) {
			out.SeenAfter = &p.Seen[i]
			break
		}
		out.SeenBefore = &p.Seen[i]
	}
	return out
}

// Snapshot is a folded row as readers see it once all is over.
func (s *Shard) Snapshot(p Span) Snapshot {
	return s.snapshot(&p, 0, time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC))
}
