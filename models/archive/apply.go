package archive

import "gorm.io/gorm"

// tally is what a statement says of its work.
type tally struct {
	Confirmed, Inserted, Ended, Longest int
	Dead                                *string
}

// apply stores a part that is newer than all that its groups have seen. Values
// that several fresh facts may not share were looked for when it was parsed.
func (w *writer) apply(q *part) error {
	rest, err := w.again(q, q.shard.statements().renew)
	if err != nil {
		return err
	}
	if len(q.scopes) > 0 { // Before another key takes what a removed one had: removed says more than displaced.
		st := q.shard.statements()
		if err := w.end(st.remove, arguments(st, q.scopes, st.scope, "r", w.id, "at", w.At, "reason", q.reason)); err != nil {
			return err
		}
	}
	if len(rest.facts) == 0 {
		return nil
	}
	return w.open(q.shard, rest)
}

// open ends what fresh facts displace, and opens their rows.
func (w *writer) open(s *Shard, rest rest) error {
	st := s.statements()
	for i, sql := range st.displace {
		if len(rest.moved) == 0 {
			break
		}
		if err := w.end(sql, arguments(st, rest.moved, st.uniques[i], "at", w.At)); err != nil {
			return err
		}
	}
	res := w.tx.Exec(st.insert, rest.args)
	if res.Error != nil {
		return res.Error
	}
	return w.count(tally{Inserted: int(res.RowsAffected)})
}

// end runs a statement that ends rows.
func (w *writer) end(sql string, args map[string]any) error {
	var t tally
	if err := one(w.tx, sql, args, &t.Ended, &t.Dead); err != nil {
		return err
	}
	return w.count(t)
}

// rest are the facts of a part whose rows do not go on.
type rest struct {
	facts []Fact
	// moved are those whose unique values are not just those of the row that
	// ended: only they can displace another key's row.
	moved []Fact
	args  map[string]any // Of the facts.
}

// again runs a statement that confirms rows which are seen again, and returns
// the facts that are not among them.
func (w *writer) again(q *part, sql string) (rest, error) {
	if len(q.facts) == 0 {
		return rest{}, nil
	}
	st := q.shard.statements()
	all := upTo(0, len(st.fields))
	args := arguments(st, q.facts, all, "r", w.id, "at", w.At, "given", len(q.facts))
	var t tally
	var kept int
	var same, keptOnes *string // Which ones, unless it is all that are left.
	if err := one(w.tx, sql, args, &t.Confirmed, &same, &kept, &keptOnes, &t.Longest, &t.Ended, &t.Dead); err != nil {
		return rest{}, err
	}
	out := rest{args: args}
	var err error
	if t.Confirmed < len(q.facts) {
		if out.facts, err = others(q.facts, same); err != nil {
			return rest{}, err
		}
		if t.Confirmed > 0 {
			out.args = arguments(st, out.facts, all, "r", w.id, "at", w.At)
		}
	}
	if kept < len(out.facts) {
		if out.moved, err = others(q.facts, same, keptOnes); err != nil {
			return rest{}, err
		}
	}
	if t.Longest > chunk {
		if err := w.putAside(q); err != nil {
			return rest{}, err
		}
	}
	return out, w.count(t)
}

// others returns the facts that are in none of the lists of places, from 1.
func others(facts []Fact, lists ...*string) ([]Fact, error) {
	named := make([]bool, len(facts))
	left := len(facts)
	for _, text := range lists {
		places, err := ints(text)
		if err != nil {
			return nil, err
		}
		for _, n := range places {
			named[n-1] = true
		}
		left -= len(places)
	}
	if left == len(facts) {
		return facts, nil
	}
	out := make([]Fact, 0, left)
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

func (w *writer) count(t tally) error {
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
// each look at an unchanged row would write all looks before it once more.
const chunk = 64

// putAside moves all but this response from the rows that name very many.
func (w *writer) putAside(q *part) error {
	st := q.shard.statements()
	var put *string
	err := one(w.tx, st.aside, arguments(st, q.facts, upTo(0, st.keys), "r", w.id, "chunk", chunk), &put)
	if err != nil {
		return err
	}
	return w.count(tally{Dead: put}) // A page must find its response on the row itself.
}
