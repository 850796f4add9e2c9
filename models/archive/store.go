package archive

import (
	"context"
	stdsql "database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"
)

// Store adds a response: all its shards in one transaction, or nothing. A
// response that contradicts itself is kept in the log and changes no row; the
// result says so, and the caller commits.
//
// A transaction of the caller's may hold one Store: two would take their locks
// in an order that another process may take the other way round.
func Store(ctx context.Context, db *gorm.DB, r Response, now time.Time) (Result, error) {
	p, err := parse(ctx, db, r, now)
	if err != nil {
		return Result{}, err
	}
	var res Result
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		res, err = p.store(tx, now)
		return err
	})
	if err != nil {
		return Result{}, fmt.Errorf("archive %s %s: %w", r.Source, r.Address, err)
	}
	return res, nil
}

// Failed adds a look that brought no facts: it bounds what is not known.
func Failed(ctx context.Context, db *gorm.DB, r Response, outcome, message string, now time.Time) error {
	r.At = instant(r.At)
	if err := checkLook(&r, now); err != nil {
		return err
	}
	return db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		id, err := pageID(tx, &r)
		if err != nil {
			return err
		}
		return tx.Exec(`
			INSERT INTO archive_retrievals (page_id, at, stored_at, outcome, message)
			SELECT @page, @at, @now, @outcome, @message
			WHERE NOT EXISTS (SELECT FROM archive_retrievals WHERE page_id = @page AND at = @at AND outcome = @outcome)`,
			named("page", id, "at", r.At, "now", instant(now), "outcome", outcome, "message", message)).Error
	})
}

func (p *parsed) store(tx *gorm.DB, now time.Time) (Result, error) {
	w := &writer{tx: tx, parsed: p, now: instant(now)}
	if p.contradiction != "" {
		return w.refuse()
	}
	if err := tx.Exec(`SELECT pg_advisory_xact_lock(k) FROM unnest(CAST(@locks AS bigint[])) k`, named("locks", &p.locks)).Error; err != nil {
		return Result{}, err
	}
	if err := w.look(); err != nil {
		return Result{}, err
	}
	given := 0
	for _, q := range p.parts {
		given += q.given
	}
	switch {
	case w.Replayed:
		return Result{Retrieval: w.Known, Confirmed: given, Replayed: true}, nil
	case w.Base != 0 && w.Same && !w.Late:
		err := w.log(OutcomeOK, &w.Base)
		return Result{Retrieval: w.id, Confirmed: given, Unchanged: true}, err
	}
	if err := w.log(OutcomeOK, nil); err != nil {
		return Result{}, err
	}
	return w.write(given)
}

// pageID finds the page of a response, or makes it.
func pageID(tx *gorm.DB, r *Response) (id int64, err error) {
	for range 3 { // Another process may make it in between, after our snapshot.
		err = tx.Raw(`
			WITH page AS (SELECT @source AS source, @address AS address, @viewer AS viewer),
			found AS (SELECT id FROM archive_pages JOIN page USING (source, address, viewer)),
			made AS (
				INSERT INTO archive_pages (source, address, viewer) SELECT * FROM page WHERE NOT EXISTS (SELECT FROM found)
				ON CONFLICT DO NOTHING RETURNING id)
			SELECT id FROM found UNION ALL SELECT id FROM made`,
			named("source", r.Source, "address", r.Address, "viewer", r.Viewer)).Scan(&id).Error
		if err != nil || id != 0 {
			return id, err
		}
	}
	return 0, fmt.Errorf("page %s %s was neither found nor made", r.Source, r.Address)
}

// A writer stores one response.
type writer struct {
	*parsed
	tx    *gorm.DB
	id    int64 // Of the response in the log.
	now   time.Time
	res   Result
	dead  map[int64]bool // Responses whose rows are not as they left them.
	holds bool           // All facts of the response hold still.
	standing
}

// standing is how a response stands to what is known.
type standing struct {
	Page     int64
	Base     int64 // What the page showed last, while it still holds.
	Same     bool  // This is it.
	Replayed bool
	Known    int64
	Newest   *time.Time // The page's newest look.
	Late     bool       // Something in its groups is as new, or newer.
}

// look finds the standing, under the locks. Whoever is late goes the longer way,
// which is right for all, so a look that shares only a lock may be late too.
func (w *writer) look() error {
	sql := `
		SELECT p.id, coalesce(p.base, 0), p.hash = @hash IS TRUE, k.id IS NOT NULL, coalesce(k.id, 0),
			(SELECT max(at) FROM archive_retrievals WHERE page_id = p.id),
			coalesce((SELECT max(at) FROM archive_retrievals) >= @at, false)
		FROM archive_pages p LEFT JOIN LATERAL (
			SELECT id FROM archive_retrievals WHERE page_id = p.id AND at = @at AND hash = @hash LIMIT 1) k ON true
		WHERE p.source = @source AND p.address = @address AND p.viewer = @viewer`
	args := named("source", w.Source, "address", w.Address, "viewer", w.Viewer, "hash", w.hash, "at", w.At)
	for range 2 {
		err := one(w.tx, sql, args, &w.Page, &w.Base, &w.Same, &w.Replayed, &w.Known, &w.Newest, &w.Late)
		if err == nil && w.Late { // Something is newer; mostly it is of other groups.
			return w.lookForLater()
		}
		if !errors.Is(err, stdsql.ErrNoRows) {
			return err
		}
		if _, err := pageID(w.tx, &w.Response); err != nil {
			return err
		}
	}
	return fmt.Errorf("page %s %s was neither found nor made", w.Source, w.Address)
}

// lookForLater finds out whether what is newer is of the groups of the response.
// Where very much is newer, it is taken for late without looking on.
func (w *writer) lookForLater() error {
	return one(w.tx, `
		WITH newer AS MATERIALIZED (SELECT same_as, locks FROM archive_retrievals WHERE at >= @at ORDER BY at DESC LIMIT 1000)
		SELECT (SELECT count(*) FROM newer) = 1000 OR EXISTS (
			SELECT FROM newer r LEFT JOIN archive_retrievals b ON b.id = r.same_as WHERE coalesce(b.locks, r.locks) && CAST(@locks AS bigint[]))`,
		named("at", w.At, "locks", &w.locks), &w.Late)
}

// log adds the response to the log.
func (w *writer) log(outcome string, sameAs *int64) error {
	var locks *[]int64
	if sameAs == nil {
		locks = &w.locks
	}
	return one(w.tx, `
		INSERT INTO archive_retrievals (page_id, at, stored_at, outcome, hash, same_as, facts, locks)
		VALUES (@page, @at, @now, @outcome, @hash, @same, @facts, @locks) RETURNING id`,
		named("page", w.Page, "at", w.At, "now", w.now, "outcome", outcome, "hash", w.hash, "same", sameAs, "facts", w.facts, "locks", locks), &w.id)
}

// refuse keeps a response that contradicts itself.
func (w *writer) refuse() (Result, error) {
	content, err := w.refused()
	if err == nil {
		w.Page, err = pageID(w.tx, &w.Response)
	}
	if err != nil {
		return Result{}, err
	}
	var id int64
	err = w.tx.Raw(`
		WITH known AS (SELECT id FROM archive_retrievals WHERE page_id = @page AND at = @at AND hash = @hash),
		made AS (
			INSERT INTO archive_retrievals (page_id, at, stored_at, outcome, hash, message, content)
			SELECT @page, @at, @now, @outcome, @hash, @message, CAST(@content AS jsonb) WHERE NOT EXISTS (SELECT FROM known) RETURNING id)
		SELECT id FROM known UNION ALL SELECT id FROM made LIMIT 1`,
		named("page", w.Page, "at", w.At, "now", w.now, "outcome", OutcomeRefused, "hash", w.hash, "message", w.contradiction, "content", content)).Scan(&id).Error
	return Result{Retrieval: id, Contradiction: w.contradiction}, err
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
	return w.res, w.markPages()
}

// logEndings notes the scopes that the response shows completely.
func (w *writer) logEndings() error {
	for _, q := range w.parts {
		for i := range q.scopes {
			err := w.tx.Exec(`
				INSERT INTO archive_endings (retrieval_id, shard, scope, at, reason) VALUES (@r, @shard, @scope, @at, @reason) ON CONFLICT DO NOTHING`,
				named("r", w.id, "shard", q.shard.Name, "scope", number(q.shard.Name, q.scopes[i].scope), "at", w.At, "reason", q.reason)).Error
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// arguments are the values of facts as the statements want them.
func arguments(st *statements, facts []Fact, at []int, kv ...any) map[string]any {
	args := named(kv...)
	for n, i := range at {
		args[fmt.Sprint("c", n)] = column(facts, i, st.fields[i].Type)
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
