package history

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive"
	pg "laurel/models/db"
)

// An ArchiveCheck is what a check of the archive found. No finding is the proof
// that nothing is lost.
type ArchiveCheck struct {
	ID         int64
	StartedAt  time.Time
	Took       float64 // Seconds.
	Shards     int
	Rows       int64
	Retrievals int64
	Findings   []archive.Finding `gorm:"serializer:json"` // The first of them.
	Total      int
	Newest     int64  // The newest response of the log; 0 of a check before there were parts.
	Part       string // What was checked.
}

// What a check looked at.
const (
	CheckedAll = "everything"
	CheckedNew = "what is new, and a slice" // One of archive.Slices.
)

// Check looks through the whole archive, beside whoever writes to it, and
// stores what it found.
func Check(ctx context.Context, db *gorm.DB, now time.Time) (ArchiveCheck, error) {
	return check(ctx, db, now, CheckedAll, func() (archive.Report, error) { return archive.Check(ctx, db) })
}

// checkSome checks what was stored since the last check, and one slice of all. Where that
// found something, everything is checked until nothing is found.
func checkSome(ctx context.Context, db *gorm.DB, now time.Time) (ArchiveCheck, error) {
	last, err := LastCheck(ctx, db)
	since := last.Newest
	switch {
	case errors.Is(err, pg.ErrNotFound) || err == nil && (last.Total > 0 || since == 0):
		return Check(ctx, db, now)
	case err != nil:
		return ArchiveCheck{}, err
	}
	// Another slice each day, so that everything is checked within a month.
	tonight := archive.Part{Slice: int(now.Unix()/(24*60*60)) % archive.Slices, Of: archive.Slices}
	return check(ctx, db, now, CheckedNew, func() (archive.Report, error) {
		return archive.CheckParts(ctx, db, archive.Part{Since: since}, tonight)
	})
}

func check(ctx context.Context, db *gorm.DB, now time.Time, part string, run func() (archive.Report, error)) (ArchiveCheck, error) {
	shards, err := archive.Shards(ctx, db)
	if err != nil {
		return ArchiveCheck{}, err
	}
	c, began := ArchiveCheck{StartedAt: now, Shards: len(shards), Part: part}, time.Time{}
	if err := db.WithContext(ctx).Raw(`SELECT clock_timestamp()`).Row().Scan(&began); err != nil {
		return c, fmt.Errorf("check the archive: %w", err)
	}
	found, err := run()
	if err != nil {
		return c, fmt.Errorf("check the archive: %w", err)
	}
	c.Rows, c.Retrievals, c.Findings, c.Total, c.Newest = found.Rows, found.Retrievals, found.Findings, found.Total, found.Newest
	text, err := json.Marshal(append([]archive.Finding{}, c.Findings...)) // Never null.
	if err != nil {
		return c, err
	}
	err = db.WithContext(ctx).Raw(queries.Must("store_check"),
		pg.Named("at", now, "began", began, "shards", c.Shards, "rows", c.Rows, "retrievals", c.Retrievals, "findings",
			string(text), "total", c.Total, "newest", c.Newest, "part", part)).Row().Scan(&c.ID, &c.Took)
	if err != nil {
		return c, fmt.Errorf("store the check of the archive: %w", err)
	}
	return c, nil
}

// checkEvery is how often the archive is checked by itself.
const checkEvery = 24 * time.Hour

// Nightly thins the log by the sampling windows of shards, if there are any, and
// checks the archive: once in 24 hours, however many processes ask for it. The
// check is nil where it is not time yet.
func Nightly(ctx context.Context, db *gorm.DB, windows map[string]time.Duration, now time.Time) (*ArchiveCheck, error) {
	var found *ArchiveCheck
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		// The lock is held to the end: who comes meanwhile leaves it to us.
		var claim struct {
			Free bool
			Last *time.Time
		}
		err := tx.Raw(`SELECT pg_try_advisory_xact_lock(hashtextextended('laurel nightly check', 0)) AS free,
			(SELECT max(started_at) FROM archive_checks) AS last`).Scan(&claim).Error
		if err != nil || !claim.Free {
			return err
		}
		since := time.Time{}
		if claim.Last != nil {
			if since = *claim.Last; now.Sub(since) < checkEvery {
				return nil
			}
		}
		_, thin := archive.ThinRetrievals(ctx, db, windows, since)
		// On a connection of its own: the check wants one view of everything.
		c, err := checkSome(ctx, db, now)
		if err == nil {
			found = &c
		}
		return errors.Join(thin, err)
	})
	if err != nil {
		return found, fmt.Errorf("nightly check: %w", err)
	}
	return found, nil
}

// LastCheck returns the newest check, or ErrNotFound.
func LastCheck(ctx context.Context, db *gorm.DB) (ArchiveCheck, error) {
	c, err := gorm.G[ArchiveCheck](db).Order("started_at DESC, id DESC").First(ctx)
	if err != nil {
		return c, fmt.Errorf("last check of the archive: %w", err)
	}
	return c, nil
}

// RefusedFetches counts the responses since since that contradicted themselves.
func RefusedFetches(ctx context.Context, db *gorm.DB, since time.Time) (n int, err error) {
	err = db.WithContext(ctx).Raw(`SELECT count(*) FROM archive_retrievals WHERE at >= @since AND outcome = @refused`,
		pg.Named("since", since, "refused", archive.OutcomeRefused)).Scan(&n).Error
	if err != nil {
		return 0, fmt.Errorf("refused responses: %w", err)
	}
	return n, nil
}
