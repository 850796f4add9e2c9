package archive

import (
	"context"
	"fmt"
	"slices"

	"laurel/models/archive/shards"
	pg "laurel/models/db"
)

// A shardFact is a fact with its shard.
type shardFact struct {
	shard *Shard
	fact  shards.Fact
}

// A withdrawal says how a response is withdrawn.
type withdrawal struct {
	supersededBy *int64 // By another response,
	member       *int64 // or by a member, with a note.
	note         *string
	stays        func(*shardFact) bool // Whether the response that is believed instead says a fact, too.
	instead      bool                  // The facts that stay are logged as a response of their own.
}

// withdraw takes back what a response says, and returns the facts that it showed: they are kept with
// it. The caller has the locks of the response.
//
// The response stays in the log and does not count as evidence any more. What rows it had a part in
// is folded once more with what is around them, as for a late response that brings nothing.
func withdraw(by *writer, x *logged, how withdrawal) ([]shardFact, error) {
	if x.WithdrawnAt != nil { // It was retracted, and is superseded now.
		return nil, by.noteWithdrawn(x, how)
	}
	all, err := Shards(by.ctx(), by.tx)
	if err != nil {
		return nil, err
	}
	w := &writer{parsed: &parsed{Response: Response{At: x.At}}, tx: by.tx, now: by.now, pages: by.pages, dead: map[int64]bool{x.Base: true}}
	t := &taking{writer: w, x: x, how: how}
	if err := w.noteWithdrawn(x, how); err != nil { // What is read from here on is without it.
		return nil, err
	}
	if err := t.read(x.touched(all)); err != nil {
		return nil, err
	}
	if how.instead {
		if err := t.logInstead(); err != nil {
			return nil, err
		}
	}
	if err := t.keep(); err != nil {
		return nil, err
	}
	grown := map[int64]bool{}
	for _, p := range t.taken {
		if err := t.fold(p, grown); err != nil {
			return nil, fmt.Errorf("shard %s: %w", p.shard.Name, err)
		}
	}
	by.pages.lose(w.dead, grown)
	by.res.Ended += w.res.Ended
	by.res.SetAside, by.res.back = append(by.res.SetAside, w.res.SetAside...), append(by.res.back, w.res.back...)
	return t.facts, nil
}

func (w *writer) ctx() context.Context { return w.tx.Statement.Context }

func (w *writer) noteWithdrawn(x *logged, how withdrawal) error {
	return w.tx.Exec(queries.Must("withdraw"),
		pg.Named("id", x.ID, "now", w.now, "superseded", how.supersededBy, "member", how.member, "note", how.note)).Error
}

// touched are those of which the response can have shown something, by its locks.
func (x *logged) touched(all []*Shard) (some []*Shard) {
	for _, s := range all {
		for i := range stripes {
			if _, ok := slices.BinarySearch(x.locks, stripe(s, i)); ok {
				some = append(some, s)
				break
			}
		}
	}
	return some
}

// A taking is a withdrawal in the making.
type taking struct {
	*writer
	x       *logged
	how     withdrawal
	taken   []*takenPart
	facts   []shardFact
	instead *logged // What is shown instead.
}

// A takenPart is what the response has to do with one shard.
type takenPart struct {
	shard *Shard
	rows  []*stored     // Those that it showed, and those that it ended as complete.
	facts []shards.Fact // All that it showed.
}

// read finds what the response showed and ended.
func (t *taking) read(all []*Shard) error {
	scopes, err := t.complete()
	if err != nil {
		return err
	}
	yields, err := t.yields()
	if err != nil {
		return err
	}
	for _, s := range all {
		st := s.statements()
		rows, err := readRows(t.tx, s, st.shownBy(), pg.Named("base", t.x.Base, "at", t.x.At, "complete", len(scopes) > 0))
		if err != nil {
			return err
		}
		p := &takenPart{shard: s}
		for _, r := range rows {
			shown := r.Until.IsZero() || r.Until.After(t.x.At)
			if shown {
				p.facts = append(p.facts, r.Fact)
			}
			if shown || scopes[number(s.Stored(), r.Fact.Scope)] {
				p.rows = append(p.rows, r)
			}
		}
		for _, text := range yields[s.Stored()] {
			f, err := decodeFact(st, []byte(text))
			if err != nil {
				return err
			}
			p.facts = append(p.facts, f)
		}
		for i := range p.facts {
			t.facts = append(t.facts, shardFact{s, p.facts[i]})
		}
		if len(p.rows)+len(p.facts) > 0 {
			t.taken = append(t.taken, p)
		}
	}
	if len(t.facts) != t.x.Facts {
		return fmt.Errorf("response %d gave %d facts, and %d are in rows: run laurel archive check", t.x.ID, t.x.Facts, len(t.facts))
	}
	return nil
}

// yields takes the facts that gave way out of those that are weighed, by shard.
func (t *taking) yields() (map[string][]string, error) {
	var list []struct{ Shard, Fact string }
	err := t.tx.Raw(`DELETE FROM archive_yielded WHERE retrieval_id = @base AND at = @at AND NOT withdrawn RETURNING shard, fact`,
		pg.Named("base", t.x.Base, "at", t.x.At)).Scan(&list).Error
	out := map[string][]string{}
	for _, y := range list {
		out[y.Shard] = append(out[y.Shard], y.Fact)
	}
	return out, err
}

// complete are the numbers of the scopes that the response showed completely.
func (t *taking) complete() (map[int64]bool, error) {
	var list []int64
	err := t.tx.Raw(`SELECT scope FROM archive_endings WHERE retrieval_id = @base`, pg.Named("base", t.x.Base)).Scan(&list).Error
	out := map[int64]bool{}
	for _, n := range list {
		out[n] = true
	}
	return out, err
}

// shownBy is the statement that finds rows by a response that shows them. It reads the tables of the shard
// once: rows are not looked up by their responses otherwise.
func (st *statements) shownBy() string {
	const names = `(CAST(@base AS bigint) = ANY(x._seen)
		OR x._aside IN (SELECT aside FROM archive_seen WHERE CAST(@base AS bigint) = ANY(seen)))`
	return fmt.Sprintf(`
		SELECT coalesce(json_agg(%s), '[]') FROM (%s WHERE x._from <= @at AND %s
			UNION ALL %s WHERE x._from <= @at AND (x._until > @at AND %s OR x._until = @at AND @complete)) t`,
		st.rows, st.opened, names, st.ended, names)
}

// logInstead logs what the response shows without what is taken back.
func (t *taking) logInstead() error {
	t.instead = &logged{}
	left, kept := shards.SumFrom(t.x.Hash), 0
	for i := range t.facts {
		f := &t.facts[i]
		if t.how.stays(f) {
			kept++
			continue
		}
		one, _ := shards.SumOfFact(nil, f.shard.Stored(), f.fact.ID)
		left.Take(one)
	}
	t.instead.Hash = left.Bytes()
	err := one(t.tx, queries.Must("log_instead"), pg.Named("id", t.x.ID, "base", t.x.Base, "at", t.x.At, "now", t.now,
		"hash", t.instead.Hash, "facts", kept), &t.instead.ID)
	if err != nil {
		return err
	}
	return t.noteWithdrawn(t.x, withdrawal{supersededBy: &t.instead.ID})
}

// keep keeps what the response showed with it.
func (t *taking) keep() error {
	for _, p := range t.taken {
		list := make([]asideFact, len(p.facts))
		for i := range p.facts {
			list[i] = asideFact{Observation: shards.Observation{At: t.x.At, Fact: p.facts[i], Retrieval: t.x.ID}, withdrawn: true,
				stillSaid: t.how.stays(&shardFact{p.shard, p.facts[i]})}
		}
		if err := setAside(t.tx, p.shard, list); err != nil {
			return err
		}
	}
	return nil
}

// fold folds the rows of a shard once more without the response.
func (t *taking) fold(p *takenPart, grown map[int64]bool) error {
	m, err := t.mending(&part{shard: p.shard})
	if err != nil {
		return err
	}
	for _, r := range p.rows {
		m.rows[r.place] = r
		m.probe(r.Fact)
	}
	var instead []shards.Observation
	for _, f := range p.facts {
		m.probe(f)
		if t.instead != nil && t.how.stays(&shardFact{p.shard, f}) {
			instead = append(instead, shards.Observation{At: t.x.At, Fact: f, Order: string(t.instead.Hash), Retrieval: t.instead.ID,
				Line: t.instead.ID})
		}
	}
	if err := m.fold(instead); err != nil {
		return err
	}
	for n := range m.scopesOf {
		grown[n] = true
	}
	return nil
}
