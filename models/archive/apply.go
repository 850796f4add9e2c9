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
	if len(rest) > 0 {
		if err := w.open(q.shard, rest); err != nil {
			return err
		}
	}
	if len(q.scopes) == 0 {
		return nil
	}
	st := q.shard.statements()
	return w.end(st.remove, arguments(st, q.scopes, st.scope, "r", w.id, "at", w.At, "reason", q.reason))
}

// open ends what fresh facts displace, and opens their rows.
func (w *writer) open(s *Shard, facts []Fact) error {
	st := s.statements()
	all := upTo(0, len(st.fields))
	for i, sql := range st.displace {
		if err := w.end(sql, arguments(st, facts, st.uniques[i], "at", w.At)); err != nil {
			return err
		}
	}
	res := w.tx.Exec(st.insert, arguments(st, facts, all, "r", w.id, "at", w.At))
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

// again runs a statement that confirms rows which are seen again, and returns
// the facts that are not among them.
func (w *writer) again(q *part, sql string) ([]Fact, error) {
	if len(q.facts) == 0 {
		return nil, nil
	}
	st := q.shard.statements()
	var t tally
	var text *string // Which ones, unless it is all of them.
	args := arguments(st, q.facts, upTo(0, len(st.fields)), "r", w.id, "at", w.At, "given", len(q.facts))
	if err := one(w.tx, sql, args, &t.Confirmed, &text, &t.Longest, &t.Ended, &t.Dead); err != nil {
		return nil, err
	}
	var rest []Fact
	if t.Confirmed < len(q.facts) {
		places, err := ints(text)
		if err != nil {
			return nil, err
		}
		done := make([]bool, len(q.facts))
		for _, n := range places {
			done[n-1] = true
		}
		for i, f := range q.facts {
			if !done[i] {
				rest = append(rest, f)
			}
		}
	}
	if t.Longest > chunk {
		if err := w.putAside(q); err != nil {
			return nil, err
		}
	}
	return rest, w.count(t)
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
