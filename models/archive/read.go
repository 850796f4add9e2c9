package archive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive/shards"
	pg "laurel/models/db"
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
	Key  shards.Row // Some or all key fields; none is every row.
	Data shards.Row // Some data fields: only rows that have these values.
	// Of a history only the rows that are valid at some time in [Since, Until); zero is no bound.
	Since, Until time.Time
	// The list goes on behind the row of this key, which has all key fields, and
	// in a history behind the one that began at From; nil is its beginning.
	After  shards.Row
	From   time.Time
	Window time.Duration // Thins the retrieval instants; 0 is all.
	// Known is when it was believed: what was stored, superseded or retracted later is left as it was. Zero is now.
	Known time.Time
	Limit int // 0 is maxRows. One more is possible, and reports whether more rows follow.
}

const maxRows = 10_000

// endOfTime is when all is over.
var endOfTime = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// At returns the rows that are valid at t, by key.
func At(ctx context.Context, db *gorm.DB, s *Shard, q Query, t time.Time) ([]Snapshot, error) {
	t = shards.Instant(t)
	if !q.Known.IsZero() {
		return s.atKnown(ctx, db, q, t)
	}
	where, args, err := s.where(ctx, q)
	if err != nil {
		return nil, err
	}
	open := s.open(q)
	after, err := s.behind(q, open, args, false)
	if err != nil {
		return nil, err
	}
	args["at"] = t
	st := s.statements()
	order := quote(strings.Join(s.keyOrder(), `", "`))
	opened := fmt.Sprintf(`%s WHERE %s AND %s AND _from <= @at ORDER BY %s LIMIT @limit`, st.opened, where, after, order)
	with := fmt.Sprintf("WITH opened AS MATERIALIZED (%s)", opened)
	past := fmt.Sprintf(`SELECT %s FROM (%s) p WHERE _until > @at`, st.row, st.pastAt(where, after))
	if len(open) > 0 {
		with, past = st.walk(opened, order, open, where, after)
	}
	sql := fmt.Sprintf(`%s
		SELECT coalesce(json_agg(%s), '[]') FROM (SELECT %s FROM opened UNION ALL %s ORDER BY %s LIMIT @limit) t`,
		with, st.rows, st.row, past, order)
	return s.snapshots(ctx, db, sql, args, q, t)
}

// pastAt is the past row of one key that began last at @at.
func (st *statements) pastAt(where, and string) string {
	return fmt.Sprintf(`%s WHERE %s AND %s AND _from <= @at ORDER BY _from DESC LIMIT 1`, st.ended, where, and)
}

// walk is pastAt for many keys: a step from key to key through the index, and
// one to the version that counts, however many versions there are. A step
// compares only the fields that are open: with all of them, PostgreSQL would
// begin each step where the given ones begin. The walk ends where it, or the
// open rows, are enough.
func (st *statements) walk(opened, key string, open []string, where, after string) (with, past string) {
	next := func(behind string) string {
		return fmt.Sprintf(`(SELECT %[1]s FROM %[2]s x WHERE %[3]s AND %[4]s ORDER BY %[1]s LIMIT 1) n
			LEFT JOIN LATERAL (SELECT ctid AS _tid FROM (%[5]s) p WHERE _until > @at) v ON true`,
			key, st.past, where, behind, st.pastAt(where, st.match("x", "n", upTo(0, st.Keys), "=")))
	}
	names := quote(strings.Join(open, `", "`))
	here := prefixed("k.", names)
	with = fmt.Sprintf(`
		WITH RECURSIVE opened AS MATERIALIZED (%[1]s),
		k AS (
			SELECT %[7]s, v._tid, CAST(v._tid IS NOT NULL AS int) AS _found FROM %[2]s
			UNION ALL
			SELECT %[7]s, v._tid, k._found + CAST(v._tid IS NOT NULL AS int) FROM k, LATERAL %[3]s
			WHERE k._found < @limit AND ((%[4]s) >= (SELECT %[5]s FROM opened ORDER BY %[6]s LIMIT 1 OFFSET @limit - 1)) IS NOT TRUE)`,
		opened, next(after), next(fmt.Sprintf("(%s) > (%s)", names, here)), here, names, key,
		prefixed("n.", key))
	return with, fmt.Sprintf(`SELECT %s FROM k, LATERAL (%s WHERE x.ctid = k._tid LIMIT 1) p`, prefixed("p.", st.row), st.ended)
}

// History returns all rows of the keys meant, oldest first.
func History(ctx context.Context, db *gorm.DB, s *Shard, q Query) ([]Snapshot, error) {
	if !q.Known.IsZero() {
		return s.historyKnown(ctx, db, q)
	}
	where, args, err := s.where(ctx, q)
	if err != nil {
		return nil, err
	}
	after, err := s.behind(q, s.open(q), args, true)
	if err != nil {
		return nil, err
	}
	if !q.Since.IsZero() {
		where, args["since"] = where+" AND (_until IS NULL OR _until > @since)", shards.Instant(q.Since)
	}
	if !q.Until.IsZero() {
		where, args["until"] = where+" AND _from < @until", shards.Instant(q.Until)
	}
	st := s.statements()
	sql := fmt.Sprintf(`SELECT coalesce(json_agg(%s), '[]') FROM (SELECT %s FROM %s x WHERE %s AND %s ORDER BY _from, %s LIMIT @limit) t`,
		st.rows, st.row, s.Rows(), where, after, quote(strings.Join(s.keyOrder(), `", "`)))
	return s.snapshots(ctx, db, sql, args, q, endOfTime)
}

// where is the condition of a query on table x.
func (s *Shard) where(ctx context.Context, q Query) (string, map[string]any, error) {
	args := pg.Named("limit", q.Limit)
	if q.Limit <= 0 || q.Limit > maxRows+1 {
		args["limit"] = maxRows
	}
	parts := []string{s.visible(ctx, args)}
	for name := range q.Key {
		if !slices.Contains(s.keyOrder(), name) {
			return "", nil, &shards.InputError{Shard: s.Name, Row: -1, Field: name, Message: "is not a key field of this shard"}
		}
	}
	for i, f := range s.Key {
		if _, ok := q.Key[f.Name]; !ok {
			continue
		}
		arg, err := s.keyArg(q.Key, i, "k", args)
		if err != nil {
			return "", nil, err
		}
		parts = append(parts, fmt.Sprintf("x.%s = %s", quote(f.Name), arg))
	}
	having, err := s.having(q.Data, args)
	if err != nil {
		return "", nil, err
	}
	return strings.Join(append(parts, having...), " AND "), args, nil
}

// having are the conditions that rows x have these data. Of a key at most one row is valid at an
// instant, so they choose among valid rows whether they are asked before or after.
func (s *Shard) having(data shards.Row, args map[string]any) ([]string, error) {
	var parts []string
	for name, given := range data {
		i := slices.IndexFunc(s.Data, func(f shards.Field) bool { return f.Name == name })
		if i < 0 || s.Data[i].Document() {
			return nil, &shards.InputError{Shard: s.Name, Row: -1, Field: name,
				Message: "is not a data field of this shard that can be compared"}
		}
		v, err := shards.Clean(s.Data[i].Type, given)
		if err != nil {
			return nil, &shards.InputError{Shard: s.Name, Row: -1, Field: name, Message: err.Error()}
		}
		arg := fmt.Sprint("d", i)
		args[arg] = v
		parts = append(parts, fmt.Sprintf("x.%s IS NOT DISTINCT FROM CAST(@%s AS %s)", quote(name), arg, s.Data[i].SQLType()),
			s.statements().Added("x", len(s.Key)+i))
	}
	return parts, nil
}

// open are the key fields that a query leaves open, in the order of the list.
func (s *Shard) open(q Query) []string {
	return slices.DeleteFunc(s.keyOrder(), func(name string) bool { _, given := q.Key[name]; return given })
}

// behind is the condition that rows of table x are behind the one where a list
// goes on.
func (s *Shard) behind(q Query, open []string, args map[string]any, history bool) (string, error) {
	if q.After == nil {
		return "true", nil
	}
	var left, right []string
	if history {
		args["from"] = shards.Instant(q.From)
		left, right = []string{"x._from"}, []string{"CAST(@from AS timestamptz)"}
	}
	for _, name := range open {
		arg, err := s.keyArg(q.After, slices.IndexFunc(s.Key, func(f shards.Field) bool { return f.Name == name }), "a", args)
		if err != nil {
			return "", err
		}
		left, right = append(left, "x."+quote(name)), append(right, arg)
	}
	if len(left) == 0 {
		return "false", nil // There is one row at most.
	}
	return fmt.Sprintf("(%s) > (%s)", strings.Join(left, ", "), strings.Join(right, ", ")), nil
}

// keyArg makes a parameter of what a row says for a key field.
func (s *Shard) keyArg(row shards.Row, i int, prefix string, args map[string]any) (string, error) {
	f := s.Key[i]
	v, err := shards.Clean(f.Type, row[f.Name])
	if err == nil && v == nil {
		err = errors.New("cannot be null")
	}
	if err != nil {
		return "", &shards.InputError{Shard: s.Name, Row: -1, Field: f.Name, Message: err.Error()}
	}
	name := fmt.Sprint(prefix, i)
	args[name] = v
	return fmt.Sprintf("CAST(@%s AS %s)", name, f.SQLType()), nil
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
	return out, withListsIn(db.WithContext(ctx), out, snapshotData)
}

// snapshot is what readers see of a row from t.
func (s *Shard) snapshot(p *shards.Span, window time.Duration, t time.Time) Snapshot {
	out := Snapshot{ValidFrom: p.From, EndReason: p.Reason,
		Retrieved: shards.Sample(p.Seen, window)}
	if !p.Until.IsZero() {
		out.ValidUntil = &p.Until
	}
	out.Key, out.Data = s.values(&p.Fact)
	for i, at := range p.Seen {
		if at.After(t) {
			out.SeenAfter = &p.Seen[i]
			break
		}
		out.SeenBefore = &p.Seen[i]
	}
	return out
}

// values are the fields of a fact by name.
func (s *Shard) values(p *shards.Fact) (key, data map[string]any) {
	key, data = map[string]any{}, map[string]any{}
	st := s.statements()
	for i, f := range s.Fields() {
		if !st.Has(p, i) {
			continue // Not asked, which is not null.
		}
		v := p.Values[i]
		if text, ok := v.(string); ok && f.Type == shards.JSON {
			v = json.RawMessage(text)
		} else if ok && f.Type == shards.ListType {
			v = shards.ListID(text)
		}
		if i < len(s.Key) {
			key[f.Name] = v
		} else {
			data[f.Name] = v
		}
	}
	return key, data
}

// Snapshot is a folded row as readers see it once all is over.
func (s *Shard) Snapshot(p shards.Span) Snapshot {
	return s.snapshot(&p, 0, endOfTime)
}
