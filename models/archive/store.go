package archive

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive/shards"
	pg "laurel/models/db"
)

// Store adds a response: all its shards in one transaction, or nothing. A
// response that contradicts itself is kept in the log and changes no row; the
// result says so, and the caller commits.
//
// A transaction of the caller's may hold one Store or StoreAll: two would take
// their locks in an order that another process may take the other way round.
func Store(ctx context.Context, db *gorm.DB, r Response, now time.Time) (Result, error) {
	res, err := StoreAll(ctx, db, []Response{r}, now)
	if err != nil {
		return Result{}, err
	}
	return res[0], nil
}

// StoreAll adds responses, all of them in one transaction or none. The results
// are in the order given.
func StoreAll(ctx context.Context, db *gorm.DB, rs []Response, now time.Time) ([]Result, error) {
	todo := make([]*parsed, len(rs))
	locks, found := map[int64]bool{}, map[string]*Shard{}
	results := make([]Result, len(rs))
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := holdDeclarations(tx, rs); err != nil {
			return err
		}
		for i := range rs {
			var err error
			if todo[i], err = parse(ctx, tx, rs[i], now, found); err != nil {
				return about(rs, i, err)
			}
			if err := todo[i].toLock(ctx, tx, locks); err != nil {
				return about(rs, i, err)
			}
		}
		if err := putLists(tx, todo); err != nil {
			return err
		}
		all := slices.Sorted(maps.Keys(locks))
		if err := lockAll(tx, all); err != nil {
			return err
		}
		pages := newMarks()
		for _, i := range inOrder(todo) {
			w := &writer{tx: tx, parsed: todo[i], now: shards.Instant(now), pages: pages}
			var err error
			if results[i], err = w.store(); err != nil {
				return about(rs, i, err)
			}
		}
		for i := range results {
			if err := withListsIn(tx, results[i].SetAside, asideData); err != nil {
				return err
			}
		}
		return pages.save(tx)
	})
	if err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	return results, nil
}

// toLock adds what is locked while the response is stored.
func (p *parsed) toLock(ctx context.Context, tx *gorm.DB, locks map[int64]bool) error {
	mine := p.locks
	if p.Supersedes != 0 {
		old, err := superseded(tx, &p.Response)
		if err != nil {
			return err
		}
		if old.locks, err = widened(ctx, tx, old.locks); err != nil {
			return err
		}
		mine = append(slices.Clone(mine), old.locks...)
	}
	for _, k := range mine {
		locks[k] = true
	}
	if p.Clock != nil {
		locks[p.page()] = true
	}
	return nil
}

// lockAll takes locks until the transaction ends. They come sorted, so that two
// transactions never wait for each other.
func lockAll(tx *gorm.DB, sorted []int64) error {
	return tx.Exec(`SELECT pg_advisory_xact_lock(k) FROM unnest(CAST(@locks AS bigint[])) k`, pg.Named("locks", &sorted)).Error
}

// inOrder is the order in which responses are stored: by page, so that two
// transactions make new pages in one order, and each page's by time.
func inOrder(rs []*parsed) []int {
	order := upTo(0, len(rs))
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := rs[i], rs[j]
		return cmp.Or(strings.Compare(a.Source, b.Source), strings.Compare(a.Address, b.Address), strings.Compare(a.Viewer, b.Viewer),
			a.At.Compare(b.At))
	})
	return order
}

// about says which of several responses an error is about.
func about(rs []Response, i int, err error) error {
	if input, ok := errors.AsType[*shards.InputError](err); ok {
		input.Response = i
		return err
	}
	if conflict, ok := errors.AsType[*Conflict](err); ok {
		conflict.Given, conflict.Row = i, conflict.place(&rs[i])
		return err
	}
	return fmt.Errorf("%s %s: %w", rs[i].Source, rs[i].Address, err)
}

func (w *writer) store() (Result, error) {
	switch {
	case w.Outcome != "":
		res, err := w.keep(w.Outcome, w.Message, nil)
		if err != nil || w.Supersedes == 0 {
			return res, err
		}
		return w.supersede(func() error { w.id, w.res = res.Retrieval, res; return nil }, func() (Result, error) { return w.res, nil })
	case w.contradiction != "":
		content, err := w.refused()
		if err != nil {
			return Result{}, err
		}
		return w.keep(OutcomeRefused, w.contradiction, &content)
	}
	if err := w.readPage(); err != nil {
		return Result{}, err
	}
	given := 0
	for _, q := range w.parts {
		given += q.given
	}
	switch {
	case w.Supersedes != 0:
		return w.supersede(func() error { w.Late = true; return w.log(nil) }, func() (Result, error) { return w.write(given) })
	case w.Replayed:
		return w.replay(given)
	case w.Base != 0 && w.Same && !w.Late:
		err := w.log(&w.Base)
		return Result{Retrieval: w.id, Confirmed: given, Unchanged: true}, err
	}
	if err := w.log(nil); err != nil {
		return Result{}, err
	}
	return w.write(given)
}

// A writer stores one response.
type writer struct {
	*parsed
	tx    *gorm.DB
	id    int64 // Of the response in the log.
	now   time.Time
	res   Result
	pages *marks
	dead  map[int64]bool // Responses whose rows are not as they left them.
	holds bool           // All facts of the response hold still.
	standing
}

// write goes through the shards, and checks that every row given is accounted for.
func (w *writer) write(given int) (Result, error) {
	w.dead, w.holds = map[int64]bool{}, true
	w.res.Retrieval = w.id
	if err := w.logEndings(); err != nil {
		return Result{}, err
	}
	for _, q := range w.parts {
		before := w.res
		store := w.apply
		if w.Late {
			store = w.mend
		}
		if err := store(q); err != nil {
			return Result{}, fmt.Errorf("shard %s: %w", q.shard.Name, err)
		}
		n := w.res.Inserted + w.res.Confirmed + w.res.Yielded - before.Inserted - before.Confirmed - before.Yielded
		if n != len(q.facts) {
			return Result{}, fmt.Errorf("shard %s: %d of %d rows are accounted for", q.shard.Name, n, len(q.facts))
		}
	}
	w.res.Confirmed += given - w.facts // Said twice in one response.
	w.pages.add(w)
	return w.res, nil
}

// logEndings notes the scopes that the response shows completely.
func (w *writer) logEndings() error {
	for _, q := range w.parts {
		for i := range q.scopes {
			err := w.tx.Exec(`
				INSERT INTO archive_endings (retrieval_id, shard, scope, at, reason) VALUES (@r, @shard, @scope, @at, @reason)
					ON CONFLICT DO NOTHING`,
				pg.Named("r", w.id, "shard", q.shard.Stored(), "scope", number(q.shard.Stored(), q.scopes[i].Scope), "at", w.At, "reason",
					q.reason)).Error
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// arguments are the values of facts as the statements want them.
func arguments(st *statements, facts []shards.Fact, at []int, kv ...any) map[string]any {
	args := pg.Named(kv...)
	for n, i := range at {
		args["c"+strconv.Itoa(n)] = shards.Column(facts, i, st.Fields[i].Type)
	}
	return args
}

// ints reads a list of numbers that a statement made JSON of.
func ints(text *string) (out []int64, err error) {
	if text != nil {
		err = json.Unmarshal([]byte(*text), &out)
	}
	return out, err
}
