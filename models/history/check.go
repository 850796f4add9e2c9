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
	Findings   []archive.Finding `gorm:"serializer:json"`
}

// Check looks through the whole archive, beside whoever writes to it, and
// stores what it found.
func Check(ctx context.Context, db *gorm.DB, now time.Time) (ArchiveCheck, error) {
	shards, err := archive.Shards(ctx, db)
	if err != nil {
		return ArchiveCheck{}, err
	}
	count := `SELECT 0`
	for _, s := range shards {
		count += ` + (SELECT count(*) FROM ` + s.Rows() + ` x)`
	}
	c, began := ArchiveCheck{StartedAt: now, Shards: len(shards)}, time.Time{}
	err = db.WithContext(ctx).Raw(`SELECT clock_timestamp(), (`+count+`), (SELECT count(*) FROM archive_retrievals)`).Row().Scan(&began,
		&c.Rows, &c.Retrievals)
	if err != nil {
		return c, fmt.Errorf("check the archive: %w", err)
	}
	if c.Findings, err = archive.Check(ctx, db); err != nil {
		return c, fmt.Errorf("check the archive: %w", err)
	}
	text, err := json.Marshal(append([]archive.Finding{}, c.Findings...)) // Never null.
	if err != nil {
		return c, err
	}
	err = db.WithContext(ctx).Raw(`
		INSERT INTO archive_checks (started_at, took, shards, rows, retrievals, findings)
		VALUES (@at, extract(epoch FROM clock_timestamp() - CAST(@began AS timestamptz)), @shards, @rows, @retrievals,
			CAST(@findings AS jsonb)) RETURNING id, took`,
		pg.Named("at", now, "began", began, "shards", c.Shards, "rows", c.Rows, "retrievals", c.Retrievals, "findings",
			string(text))).Row().Scan(&c.ID, &c.Took)
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
		c, err := Check(ctx, db, now)
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
