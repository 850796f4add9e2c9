package archive

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive/shards"
)

// A Difference is a key whose row at one instant is not that at another.
type Difference struct {
	Key           map[string]any
	Before, After *Snapshot // Nil where no row is valid. Without sightings.
	Fields        []string  // The data fields that differ, where there are both.
}

// Diff returns the keys whose rows at from and at until differ, by key. A row that is valid all
// the time cannot, so it compares those that ended in between with those that began.
func Diff(ctx context.Context, db *gorm.DB, s *Shard, q Query, from, until time.Time) ([]Difference, error) {
	from, until = shards.Instant(from), shards.Instant(until)
	if until.Before(from) {
		return nil, &shards.InputError{Shard: s.Name, Row: -1, Field: "until", Message: "is before from"}
	}
	where, args, err := s.where(ctx, q)
	if err != nil {
		return nil, err
	}
	after, err := s.behind(q, s.open(q), args, false)
	if err != nil {
		return nil, err
	}
	args["from"], args["until"] = from, until
	st := s.statements()
	keys, order := upTo(0, st.Keys), []string{}
	for _, name := range s.keyOrder() {
		order = append(order, fmt.Sprintf("coalesce(a.%[1]s, b.%[1]s)", quote(name)))
	}
	var pairs string
	err = one(db.WithContext(ctx), fmt.Sprintf(`
		WITH a AS (SELECT %[1]s FROM %[2]s x WHERE %[3]s AND %[4]s AND _from <= @from AND _until > @from AND _until <= @until),
		b AS (SELECT %[1]s FROM %[2]s x WHERE %[3]s AND %[4]s AND _from > @from AND _from <= @until AND (_until IS NULL OR _until > @until))
		SELECT coalesce(json_agg(json_build_array(a, b)), '[]') FROM (
			SELECT CASE WHEN a._from IS NOT NULL THEN %[5]s END AS a, CASE WHEN b._from IS NOT NULL THEN %[6]s END AS b
			FROM a FULL JOIN b ON %[7]s
			WHERE a._from IS NULL OR b._from IS NULL OR NOT (%[8]s)
			ORDER BY %[9]s LIMIT @limit) p`,
		st.row, s.Rows(), where, after, st.rowOf("a"), st.rowOf("b"), st.match("a", "b", keys, "="),
		st.match("a", "b", upTo(st.Keys, len(st.Fields)), "IS NOT DISTINCT FROM"), strings.Join(order, ", ")), args, &pairs)
	if err != nil {
		return nil, fmt.Errorf("compare shard %s: %w", s.Name, err)
	}
	var raw [][2]json.RawMessage
	if err := json.Unmarshal([]byte(pairs), &raw); err != nil {
		return nil, err
	}
	out := make([]Difference, len(raw))
	for i, p := range raw {
		if err := out[i].read(s, p); err != nil {
			return nil, fmt.Errorf("compare shard %s: %w", s.Name, err)
		}
	}
	var data []map[string]any
	for i := range out {
		for _, row := range []*Snapshot{out[i].Before, out[i].After} {
			if row != nil {
				data = append(data, row.Data)
			}
		}
	}
	return out, withLists(db.WithContext(ctx), data)
}

// read reads both rows of a key.
func (d *Difference) read(s *Shard, pair [2]json.RawMessage) error {
	var facts [2]shards.Fact
	for i, into := range []**Snapshot{&d.Before, &d.After} {
		if string(pair[i]) == "null" {
			continue
		}
		r, err := decodeRow(s.statements(), pair[i])
		if err != nil {
			return err
		}
		facts[i] = r.Fact
		snapshot := s.Snapshot(r.Span)
		*into, d.Key = &snapshot, snapshot.Key
	}
	if d.Before == nil || d.After == nil {
		return nil
	}
	for i, f := range s.Data {
		at := []int{len(s.Key) + i}
		st := s.statements()
		if !slices.Equal(facts[0].Pick(nil, at), facts[1].Pick(nil, at)) || st.Has(&facts[0], at[0]) != st.Has(&facts[1], at[0]) {
			d.Fields = append(d.Fields, f.Name)
		}
	}
	return nil
}
