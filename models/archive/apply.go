package archive

import (
	"gorm.io/gorm"

	"laurel/models/archive/shards"
)

// counts is what a statement says of its work.
type counts struct {
	Confirmed, Inserted, Ended, Longest int
	Dead                                *string
}

// apply stores a part that is newer than all that its groups have seen. Values
// that several fresh facts may not share were searched for when it was parsed.
func (w *writer) apply(q *part) error {
	st := q.shard.statements()
	rest, err := w.see(st, q.facts)
	if err == nil {
		rest, err = w.again(st, st.renew, rest)
	}
	if err == nil && len(rest) > 0 && len(st.Uniques) > 0 {
		err = w.end(st.move, arguments(st, rest, upTo(0, st.Keys), "at", w.At))
	}
	if err == nil && len(q.scopes) > 0 { // Before another key takes what a removed one had: removed says more than displaced.
		err = w.end(st.remove, arguments(st, q.scopes, st.Scope, "r", w.id, "at", w.At, "reason", q.reason))
	}
	if err != nil || len(rest) == 0 {
		return err
	}
	return w.open(st, rest)
}

// manyFacts is from how many facts on it pays to confirm those that are as they were
// by a statement of their own: the cheapest one, if it is not in vain.
const manyFacts, sampled = 64, 8

// see confirms the facts that are as they were, and returns the others. Where none of a
// few is, it leaves all to the statement that writes them again.
func (w *writer) see(st *statements, facts []shards.Fact) ([]shards.Fact, error) {
	if len(facts) < manyFacts {
		return facts, nil
	}
	few := make([]shards.Fact, sampled)
	for i := range few {
		few[i] = facts[i*len(facts)/sampled]
	}
	all := upTo(0, len(st.Fields))
	var any bool
	if err := one(w.tx, st.sample, arguments(st, few, all), &any); err != nil || !any {
		return facts, err
	}
	args := arguments(st, facts, all, "r", w.id, "chunk", chunk)
	res := w.tx.Exec(st.seen, args)
	if res.Error != nil {
		return nil, res.Error
	}
	n := int(res.RowsAffected)
	w.res.Confirmed += n
	switch n {
	case 0:
		return facts, nil
	case len(facts):
		return nil, nil
	}
	var places *string
	if err := one(w.tx, st.seenWhich, args, &places); err != nil {
		return nil, err
	}
	return others(facts, places)
}

// open ends what fresh facts displace, and opens their rows.
func (w *writer) open(st *statements, rest []shards.Fact) error {
	for i, sql := range st.displace {
		if err := w.end(sql, arguments(st, rest, st.Uniques[i], "at", w.At)); err != nil {
			return err
		}
	}
	res := w.tx.Exec(st.insert, arguments(st, rest, upTo(0, len(st.Fields)), "r", w.id, "at", w.At))
	if res.Error != nil {
		return res.Error
	}
	return w.count(counts{Inserted: int(res.RowsAffected)})
}

// end runs a statement that ends rows.
func (w *writer) end(sql string, args map[string]any) error {
	var t counts
	if err := one(w.tx, sql, args, &t.Ended, &t.Dead); err != nil {
		return err
	}
	return w.count(t)
}

// again runs a statement that writes open rows again, and returns the facts that
// are not in them now.
func (w *writer) again(st *statements, sql string, facts []shards.Fact) ([]shards.Fact, error) {
	if len(facts) == 0 {
		return nil, nil
	}
	args := arguments(st, facts, upTo(0, len(st.Fields)), "r", w.id, "at", w.At, "given", len(facts))
	var t counts
	var places *string // From 1, unless it is all.
	err := one(w.tx, sql, args, &t.Confirmed, &t.Inserted, &places, &t.Longest, &t.Ended, &t.Dead)
	if err == nil && t.Longest > chunk {
		err = w.putAside(st, facts)
	}
	if err == nil {
		err = w.count(t)
	}
	if err != nil || t.Confirmed+t.Inserted == len(facts) {
		return nil, err
	}
	return others(facts, places)
}

// others returns the facts that are not in a list of places.
func others(facts []shards.Fact, list *string) ([]shards.Fact, error) {
	places, err := ints(list)
	if err != nil || len(places) == 0 {
		return facts, err
	}
	named := make([]bool, len(facts))
	for _, n := range places {
		named[n-1] = true
	}
	out := make([]shards.Fact, 0, len(facts)-len(places))
	for i := range facts {
		if !named[i] {
			out = append(out, facts[i])
		}
	}
	return out, nil
}

// one runs a statement that gives one row. GORM's Scan would write out the
// statement with all its values, for a log that nobody keeps.
func one(db *gorm.DB, sql string, args map[string]any, into ...any) error {
	row := db.Raw(sql, args).Row()
	if row == nil {
		return db.Error
	}
	return row.Scan(into...)
}

func (w *writer) count(t counts) error {
	w.res.Confirmed += t.Confirmed
	w.res.Inserted += t.Inserted
	w.res.Ended += t.Ended
	dead, err := ints(t.Dead)
	if err != nil {
		return err
	}
	for _, id := range dead {
		w.dead[id] = true
	}
	return nil
}

// chunk is how many responses a row names itself. Older ones are put aside, or
// each retrieval of an unchanged row would write all retrievals before it once more.
const chunk = 64

// putAside moves all but this response from the rows that name very many.
func (w *writer) putAside(st *statements, facts []shards.Fact) error {
	var put *string
	err := one(w.tx, st.aside, arguments(st, facts, upTo(0, st.Keys), "r", w.id, "chunk", chunk), &put)
	if err != nil {
		return err
	}
	return w.count(counts{Dead: put}) // A page must find its response on the row itself.
}
