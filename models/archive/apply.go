package archive

import (
	"maps"
	"slices"
)

// tally is what a statement says of its work.
type tally struct {
	Confirmed, Inserted, Ended, Longest int
	Dead                                *string
}

// apply stores a part that is newer than all that its groups have seen.
func (w *writer) apply(q *part) error {
	st := q.shard.statements()
	if len(q.facts) > 0 {
		var t tally
		args := arguments(st, q.facts, upTo(0, len(st.fields)), "r", w.id, "at", w.At)
		if err := w.tx.Raw(st.apply, args).Scan(&t).Error; err != nil {
			return err
		}
		if err := w.count(q.shard, t); err != nil {
			return err
		}
	}
	if len(q.scopes) == 0 {
		return nil
	}
	var t tally
	args := arguments(st, q.scopes, st.scope, "r", w.id, "at", w.At, "reason", q.reason)
	if err := w.tx.Raw(st.remove, args).Scan(&t).Error; err != nil {
		return err
	}
	return w.count(q.shard, t)
}

func (w *writer) count(s *Shard, t tally) error {
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
	if t.Longest > chunk {
		return w.putAside(s)
	}
	return nil
}

// chunk is how many responses a row names itself. Older ones are put aside, or
// each look at an unchanged row would write all looks before it once more.
const chunk = 64

func (w *writer) putAside(s *Shard) error {
	t := s.Table()
	args := named("shard", s.Name, "r", w.id, "chunk", chunk)
	var put []int64
	err := w.tx.Raw(`
		WITH long AS (SELECT _id, _seen FROM `+t+` WHERE _until IS NULL AND cardinality(_seen) > @chunk AND _seen[cardinality(_seen)] = @r),
		put AS (INSERT INTO archive_seen (shard, row_id, seen) SELECT @shard, _id, _seen[1:cardinality(_seen) - 1] FROM long RETURNING seen),
		cut AS (UPDATE `+t+` t SET _seen = ARRAY[CAST(@r AS bigint)], _chunks = _chunks + 1 FROM long WHERE t._id = long._id AND t._until IS NULL RETURNING 1)
		SELECT DISTINCT unnest(seen) FROM put WHERE (SELECT count(*) FROM cut) >= 0`, args).Scan(&put).Error
	for _, id := range put { // A page must find its response on the row itself.
		w.dead[id] = true
	}
	return err
}

// markPages says of each page whether its next look may rely on this one: the
// response's own page from now on, and none of those whose rows ended here or
// whose complete scope has a row more. Pages are locked in one order.
func (w *writer) markPages() error {
	dead := slices.Sorted(maps.Keys(w.dead))
	mine, grown := []int64{}, []int64{}
	for _, q := range w.parts {
		seen := map[string]bool{}
		for i := range q.facts {
			if s := q.facts[i].scope; w.res.Inserted > 0 && !seen[s] {
				seen[s] = true
				grown = append(grown, number(q.shard.Name, s))
			}
		}
		for i := range q.scopes {
			mine = append(mine, number(q.shard.Name, q.scopes[i].scope))
		}
	}
	live := !w.Late || w.open && len(mine) == 0 && (w.Newest == nil || !w.Newest.After(w.At))
	var pages []int64
	err := w.tx.Raw(`
		SELECT id FROM archive_pages
		WHERE id = @page OR base = ANY(CAST(@dead AS bigint[])) OR scopes && CAST(@grown AS bigint[])
		ORDER BY id FOR UPDATE`, named("page", w.page, "dead", &dead, "grown", &grown)).Scan(&pages).Error
	if err != nil {
		return err
	}
	var base *int64
	if live {
		base = &w.id
	}
	return w.tx.Exec(`
		UPDATE archive_pages SET
			base = CASE WHEN id = @page THEN CAST(@base AS bigint) END,
			hash = CASE WHEN id = @page THEN @hash ELSE hash END,
			scopes = CASE WHEN id = @page THEN CAST(@mine AS bigint[]) ELSE scopes END
		WHERE id = ANY(CAST(@pages AS bigint[]))`, named("page", w.page, "base", base, "hash", w.hash, "mine", &mine, "pages", &pages)).Error
}
