package archive

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive/shards"
	pg "laurel/models/db"
)

// maxBelieved bounds the rows that are folded for one reading of what was believed.
const maxBelieved = 20_000

// believed folds what was believed at q.Known of the keys meant, and returns all rows, oldest first.
// Rows say what is believed now, so it puts together what each response said that was stored by then and
// not yet withdrawn, also of other keys that shared a unique value with those meant.
func (s *Shard) believed(ctx context.Context, db *gorm.DB, q Query) (spans []shards.Span, err error) {
	if _, err := s.having(q.Data, map[string]any{}); err != nil {
		return nil, err
	}
	q.Data = nil // What ended a row may have other data: it is chosen from what is folded.
	read := func(tx *gorm.DB) error {
		b := &believing{Shard: s, st: s.statements(), tx: tx, known: shards.Instant(q.Known),
			meant: map[string]bool{}, rows: map[place]*stored{}}
		if err := b.read(ctx, q); err != nil {
			return err
		}
		endings, err := b.endings()
		if err != nil {
			return err
		}
		all, _ := shards.Refold(b.observations(), endings, nil)
		for _, p := range all {
			if b.meant[p.Fact.Key] {
				spans = append(spans, p)
			}
		}
		return nil
	}
	db = db.WithContext(ctx)
	if inTransaction(db) {
		err = read(db)
	} else {
		err = db.Transaction(read, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	}
	if err != nil {
		return nil, fmt.Errorf("what was known of shard %s: %w", s.Name, err)
	}
	slices.SortFunc(spans, func(x, y shards.Span) int { return cmp.Or(x.From.Compare(y.From), s.compareKeys(&x.Fact, &y.Fact)) })
	return spans, nil
}

// A believing is such a reading.
type believing struct {
	*Shard
	st    *statements
	tx    *gorm.DB
	known time.Time
	meant map[string]bool // Keys.
	rows  map[place]*stored
	aside []asideFact
}

// read reads the rows of the keys meant, all that was set aside, and the rows that share a key or a unique
// value with either. Two rows that say something of one instant do not contradict each other, so all that
// could overrule one of them is set aside now or is among those rows.
func (b *believing) read(ctx context.Context, q Query) error {
	where, args, err := b.where(ctx, q)
	if err != nil {
		return err
	}
	args["limit"] = maxBelieved + 1
	err = b.load(fmt.Sprintf(`SELECT coalesce(json_agg(%s), '[]') FROM (SELECT %s FROM %s x WHERE %s LIMIT @limit) t`,
		b.st.rows, b.st.row, b.Rows(), where), args)
	if err != nil {
		return err
	}
	var facts []shards.Fact
	for _, r := range b.rows {
		b.meant[r.Fact.Key], facts = true, append(facts, r.Fact)
	}
	mine, err := b.asideFacts(b.tx, where, args)
	if err != nil {
		return err
	}
	for i := range mine {
		b.meant[mine[i].Fact.Key] = true
	}
	if b.aside, err = b.asideFacts(b.tx, "true", pg.Named("limit", maxBelieved+1)); err != nil {
		return err
	}
	for i := range b.aside {
		facts = append(facts, b.aside[i].Fact)
	}
	if err := b.loadSharing(facts); err != nil {
		return err
	}
	if len(b.rows)+len(b.aside) > maxBelieved {
		return &shards.InputError{Shard: b.Name, Row: -1, Field: "known_at",
			Message: fmt.Sprintf("more than %d rows would have to be looked at; name more key fields", maxBelieved)}
	}
	list := make([]*stored, 0, len(b.rows))
	for _, r := range b.rows {
		list = append(list, r)
	}
	if err := addAside(b.tx, list); err != nil {
		return err
	}
	return addEvidence(b.tx, list)
}

func (b *believing) load(sql string, args map[string]any) error {
	rows, err := rowsOf(b.tx, b.Shard, sql, args)
	for _, r := range rows {
		if b.rows[r.place] == nil {
			b.rows[r.place] = r
		}
	}
	return err
}

// loadSharing loads the rows that have the key or a unique value of a fact.
func (b *believing) loadSharing(facts []shards.Fact) error {
	for i, at := range append([][]int{upTo(0, b.st.Keys)}, b.st.Uniques...) {
		var some []shards.Fact
		done := map[string]bool{}
		for n := range facts {
			name := facts[n].Key
			if i > 0 {
				name = facts[n].Uniques[i-1]
			}
			if name != "" && !done[name] {
				done[name], some = true, append(some, facts[n])
			}
		}
		if len(some) == 0 {
			continue
		}
		match := b.st.match("x", "g", at, "=")
		args := arguments(b.st, some, at, "limit", maxBelieved+1)
		err := b.load(fmt.Sprintf(`
			WITH given AS MATERIALIZED (%[1]s)
			SELECT coalesce(json_agg(%[2]s), '[]') FROM (
				SELECT %[6]s FROM (%[3]s JOIN given g ON %[5]s UNION ALL %[4]s JOIN given g ON %[5]s) r LIMIT @limit) t`,
			b.st.unnest(at), b.st.rows, b.st.opened, b.st.ended, match, b.st.row), args)
		if err != nil {
			return err
		}
	}
	return nil
}

// observations are what was said by then and not withdrawn.
func (b *believing) observations() (seen []shards.Observation) {
	for _, r := range b.rows {
		for _, s := range r.sightings {
			if !s.stored.After(b.known) {
				seen = append(seen, shards.Observation{At: s.at, Fact: r.Fact, Order: s.order, Retrieval: s.base, Line: s.line})
			}
		}
	}
	for i := range b.aside {
		f := &b.aside[i]
		if !f.stored.After(b.known) && (f.since == nil || f.since.After(b.known)) {
			seen = append(seen, f.Observation)
		}
	}
	return seen
}

// endings are those of the scopes of all that is meant, that were stored by then and not withdrawn.
func (b *believing) endings() (out []shards.Ending, err error) {
	scopes := map[int64]string{}
	note := func(f *shards.Fact) {
		if b.meant[f.Key] {
			scopes[number(b.Stored(), f.Scope)] = f.Scope
		}
	}
	for _, r := range b.rows {
		note(&r.Fact)
	}
	for i := range b.aside {
		note(&b.aside[i].Fact)
	}
	numbers := make([]int64, 0, len(scopes))
	for n := range scopes {
		numbers = append(numbers, n)
	}
	var rows []struct {
		Scope  int64
		At     time.Time
		Reason string
	}
	err = b.tx.Raw(queries.Must("endings_known"), pg.Named("shard", b.Stored(), "scopes", &numbers, "known", b.known)).Scan(&rows).Error
	for _, r := range rows {
		out = append(out, shards.Ending{At: r.At.UTC(), Scope: scopes[r.Scope], Reason: r.Reason})
	}
	return out, err
}

// compareKeys compares facts as lists have them: by the key, with the fields of the scope first.
func (s *Shard) compareKeys(f, g *shards.Fact) int {
	for _, i := range s.Positions(s.keyOrder()) {
		if n := compareValues(f.Values[i], g.Values[i]); n != 0 {
			return n
		}
	}
	return 0
}

// compareValues compares two values of a key field.
func compareValues(x, y any) int {
	switch x := x.(type) {
	case int64:
		y, _ := y.(int64)
		return cmp.Compare(x, y)
	case float64:
		y, _ := y.(float64)
		return cmp.Compare(x, y)
	case bool:
		y, _ := y.(bool)
		if x == y {
			return 0
		}
		if y {
			return -1
		}
		return 1
	case time.Time:
		y, _ := y.(time.Time)
		return x.Compare(y)
	case string:
		y, _ := y.(string)
		return cmp.Compare(x, y)
	}
	return 0
}

// atKnown is At as it was known.
func (s *Shard) atKnown(ctx context.Context, db *gorm.DB, q Query, t time.Time) ([]Snapshot, error) {
	spans, err := s.believed(ctx, db, q)
	spans = slices.DeleteFunc(spans, func(p shards.Span) bool { return p.From.After(t) || !p.Until.IsZero() && !p.Until.After(t) })
	slices.SortFunc(spans, func(x, y shards.Span) int { return s.compareKeys(&x.Fact, &y.Fact) })
	if err != nil {
		return nil, err
	}
	return s.listed(db.WithContext(ctx), spans, q, t, func(p *shards.Span, after *shards.Fact) bool {
		return s.compareKeys(&p.Fact, after) > 0
	})
}

// historyKnown is History as it was known.
func (s *Shard) historyKnown(ctx context.Context, db *gorm.DB, q Query) ([]Snapshot, error) {
	spans, err := s.believed(ctx, db, q)
	if err != nil {
		return nil, err
	}
	from := shards.Instant(q.From)
	return s.listed(db.WithContext(ctx), spans, q, endOfTime, func(p *shards.Span, after *shards.Fact) bool {
		return cmp.Or(p.From.Compare(from), s.compareKeys(&p.Fact, after)) > 0
	})
}

// listed is the part of a list that a query wants.
func (s *Shard) listed(db *gorm.DB, spans []shards.Span, q Query, t time.Time,
	behind func(p *shards.Span, after *shards.Fact) bool) ([]Snapshot, error) {
	if q.After != nil {
		after, _, err := Wanted{Shard: s, Keys: []shards.Row{q.After}}.keys()
		if err != nil {
			return nil, err
		}
		spans = slices.DeleteFunc(spans, func(p shards.Span) bool { return !behind(&p, &after[0]) })
	}
	spans = slices.DeleteFunc(spans, func(p shards.Span) bool { return !s.wants(&q, &p) })
	limit := q.Limit
	if limit <= 0 || limit > maxRows+1 {
		limit = maxRows
	}
	out := make([]Snapshot, min(len(spans), limit))
	for i := range out {
		out[i] = s.snapshot(&spans[i], q.Window, t)
	}
	return out, withListsIn(db, out, snapshotData)
}

// wants says whether a row has the data and the time that a query, which was checked, asks for.
func (s *Shard) wants(q *Query, p *shards.Span) bool {
	for i, f := range s.Data {
		given, asked := q.Data[f.Name]
		if !asked {
			continue
		}
		v, err := shards.Clean(f.Type, given)
		at := len(s.Key) + i
		if err != nil || !s.statements().Has(&p.Fact, at) ||
			!bytes.Equal(shards.AppendValue(nil, v), shards.AppendValue(nil, p.Fact.Values[at])) {
			return false
		}
	}
	return (q.Since.IsZero() || p.Until.IsZero() || p.Until.After(shards.Instant(q.Since))) &&
		(q.Until.IsZero() || p.From.Before(shards.Instant(q.Until)))
}
