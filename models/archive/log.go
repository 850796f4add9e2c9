package archive

import (
	stdsql "database/sql"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive/shards"
	pg "laurel/models/db"
)

// standing is how a response stands to what is known.
type standing struct {
	Page     int64
	Base     int64 // What the page showed last, while it still holds.
	Same     bool  // This is it.
	Replayed bool
	Known    int64
	Newest   *time.Time // The page's newest retrieval.
	Late     bool       // Something in its groups is as new, or newer.
	scopes   []int64    // That the page showed completely.
}

// readPage finds what is stored of the page, under the locks. Whoever is late goes the longer way,
// which is right for all, so a retrieval that shares only a lock may be late too.
func (w *writer) readPage() error {
	for range 4 {
		found, err := w.readStanding()
		switch {
		case err != nil:
			return err
		case !found:
			if _, err := pageID(w.tx, &w.Response); err != nil {
				return err
			}
			continue
		case w.Own && w.Newest != nil && !w.At.After(*w.Newest):
			w.At = shards.Instant(w.Newest.Add(time.Microsecond))
			continue
		}
		w.pages.overlay(w)
		if !w.Late {
			return nil
		}
		if err := w.findLater(); err != nil || !w.Late || w.Clock == nil { // Mostly it is of other groups.
			return err
		}
		w.At, w.Clock = shards.Instant(w.Clock()), nil
	}
	return fmt.Errorf("page %s %s was neither found nor made", w.Source, w.Address)
}

// readStanding reads the standing, and says whether the page is known. Mostly nothing is
// newer and nothing was stored before in this transaction: then what it says
// holds, and the same statement adds the response to the log.
func (w *writer) readStanding() (bool, error) {
	var scopes string
	err := one(w.tx, queries.Must("read_page"),
		pg.Named("source", w.Source, "address", w.Address, "viewer", w.Viewer, "hash", w.hash, "at", w.At,
			"now", w.now, "outcome", OutcomeOK, "facts", w.facts, "locks", &w.locks, "first", w.pages.none() && w.Supersedes == 0),
		&w.Page, &w.Base, &w.Same, &scopes, &w.Replayed, &w.Known, &w.Newest, &w.Late, &w.id)
	if errors.Is(err, stdsql.ErrNoRows) {
		return false, nil
	}
	if err == nil {
		w.scopes, err = ints(&scopes)
	}
	return err == nil, err
}

// findLater finds out whether what is newer is of the groups of the response.
// Where very much is newer, it is taken for late without looking on.
func (w *writer) findLater() error {
	return one(w.tx, `
		WITH newer AS MATERIALIZED (SELECT same_as, locks FROM archive_retrievals WHERE at >= @at ORDER BY at DESC LIMIT 1000)
		SELECT (SELECT count(*) FROM newer) = 1000 OR EXISTS (
			SELECT FROM newer r LEFT JOIN archive_retrievals b ON b.id = r.same_as
				WHERE coalesce(b.locks, r.locks) && CAST(@locks AS bigint[]))`,
		pg.Named("at", w.At, "locks", &w.locks), &w.Late)
}

// headAdded adds the lines of logged to the sums of their pages, in the statement that adds
// them to the log. sql/read_page.sql has the same step.
const headAdded = `INSERT INTO archive_heads AS h (page_id, sum) SELECT page_id, archive_sum(line) FROM logged
	ON CONFLICT (page_id) DO UPDATE SET sum = h.sum # EXCLUDED.sum`

// log adds the response to the log, where that is not done yet.
func (w *writer) log(sameAs *int64) error {
	if w.id != 0 {
		return nil
	}
	var locks *[]int64
	if sameAs == nil {
		locks = &w.locks
	}
	return one(w.tx, `
		WITH logged AS (
			INSERT INTO archive_retrievals (page_id, at, stored_at, outcome, hash, same_as, facts, locks)
			VALUES (@page, @at, @now, @outcome, @hash, @same, @facts, @locks)
			RETURNING id, page_id, archive_line(archive_retrievals) AS line),
		head AS (`+headAdded+`)
		SELECT id FROM logged`,
		pg.Named("page", w.Page, "at", w.At, "now", w.now, "outcome", OutcomeOK, "hash", w.hash, "same", sameAs, "facts", w.facts, "locks",
			locks), &w.id)
}

// keep adds to the log what changes no row: a retrieval that failed, which bounds
// what is not known, and a response that contradicts itself.
func (w *writer) keep(outcome, message string, content *string) (Result, error) {
	page, err := pageID(w.tx, &w.Response)
	if err != nil {
		return Result{}, err
	}
	var hash *[]byte
	if content != nil {
		hash = &w.hash
	}
	res := Result{Contradiction: w.contradiction}
	err = w.tx.Raw(`
		WITH known AS (SELECT id FROM archive_retrievals WHERE page_id = @page AND at = @at AND outcome = @outcome
			AND content IS NOT DISTINCT FROM CAST(@content AS jsonb)),
		made AS (
			INSERT INTO archive_retrievals (page_id, at, stored_at, outcome, hash, message, content)
			SELECT @page, @at, @now, @outcome, @hash, @message, CAST(@content AS jsonb) WHERE NOT EXISTS (SELECT FROM known)
			RETURNING id, page_id, archive_line(archive_retrievals) AS line),
		logged AS (SELECT id, page_id, line FROM made),
		head AS (`+headAdded+`)
		SELECT id FROM known UNION ALL SELECT id FROM made LIMIT 1`,
		pg.Named("page", page, "at", w.At, "now", w.now, "outcome", outcome, "hash", hash, "message", message, "content", content)).Scan(
		&res.Retrieval).Error
	return res, err
}

// pageID finds the page of a response, or makes it.
func pageID(tx *gorm.DB, r *Response) (id int64, err error) {
	for range 3 { // Another process may make it in between, after our snapshot.
		err = tx.Raw(`
			WITH page AS (SELECT @source AS source, @address AS address, @viewer AS viewer),
			found AS (SELECT id FROM archive_pages JOIN page USING (source, address, viewer)),
			made AS (
				INSERT INTO archive_pages (source, address, viewer)
				SELECT source, address, viewer FROM page WHERE NOT EXISTS (SELECT FROM found)
				ON CONFLICT DO NOTHING RETURNING id)
			SELECT id FROM found UNION ALL SELECT id FROM made`,
			pg.Named("source", r.Source, "address", r.Address, "viewer", r.Viewer)).Scan(&id).Error
		if err != nil || id != 0 {
			return id, err
		}
	}
	return 0, fmt.Errorf("page %s %s was neither found nor made", r.Source, r.Address)
}
