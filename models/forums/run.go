package forums

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A Lease is a harvester's claim on a forum.
type Lease struct {
	ID    int64
	Until time.Time
}

// A Run is one walk through a forum.
type Run struct {
	ID          int64
	ForumID     int64
	Why         string // scheduled, kick, burst or again.
	StartedAt   time.Time
	EndedAt     *time.Time
	Requests    int
	NotModified int
	New         int
	Duplicates  int
	Missing     int
	Outcome     string
	Message     string
}

// Claim leases the forum that was kicked first, or has been due for longest,
// and begins a run; false where there is none. slug is one alone, or "" for any.
func Claim(ctx context.Context, db *gorm.DB, slug string, lease Lease, now time.Time) (f Forum, run Run, ok bool, err error) {
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		res := tx.Raw(`
			UPDATE forums SET leased_until = @until, lease_id = @lease,
				burst_at = CASE WHEN burst AND kicked_at IS NOT NULL THEN CAST(@now AS timestamptz) ELSE burst_at END WHERE id = (
				SELECT id FROM forums WHERE (kicked_at IS NOT NULL OR next_run_at <= @now AND state = 'open')
					AND (leased_until IS NULL OR leased_until <= @now) AND (@slug = '' OR slug = @slug)
				ORDER BY kicked_at NULLS LAST, next_run_at LIMIT 1 FOR UPDATE SKIP LOCKED)
			RETURNING *`, pg.Named("until", lease.Until, "lease", lease.ID, "now", now, "slug", slug)).Scan(&f)
		if res.Error != nil || res.RowsAffected == 0 {
			return res.Error
		}
		why := "scheduled"
		switch {
		case f.Again:
			why = "again"
		case f.KickedAt != nil && f.Burst:
			why = "burst"
		case f.KickedAt != nil:
			why = "kick"
		}
		ok = true
		return tx.Raw(`INSERT INTO forum_runs (forum_id, why, started_at) VALUES (@forum, @why, @now) RETURNING *`,
			pg.Named("forum", f.ID, "why", why, "now", now)).Scan(&run).Error
	})
	if err != nil {
		return f, run, false, fmt.Errorf("claim a forum: %w", err)
	}
	return f, run, ok, nil
}

// Keep renews a lease and writes down how far the run is. ErrLeaseLost means
// that somebody else harvests the forum now, ErrForumState that it is to stop.
func Keep(ctx context.Context, db *gorm.DB, f *Forum, lease *Lease, run *Run, until time.Time) error {
	var state string
	res := db.WithContext(ctx).Raw(`
		WITH kept AS (UPDATE forums SET leased_until = @until WHERE id = @id AND lease_id = @lease RETURNING state),
		told AS (UPDATE forum_runs SET requests = @requests, not_modified = @same, new = @new, duplicates = @duplicates WHERE id = @run)
		SELECT state FROM kept`,
		pg.Named("until", until, "id", f.ID, "lease", lease.ID, "requests", run.Requests, "same", run.NotModified, "new", run.New,
			"duplicates", run.Duplicates, "run", run.ID)).Scan(&state)
	switch {
	case res.Error != nil:
		return fmt.Errorf("keep %s: %w", f.Slug, res.Error)
	case state == "":
		return pg.ErrLeaseLost
	case state != f.State:
		return ErrForumState
	}
	lease.Until = until
	return nil
}

// EndRun ends a run and says when the forum is due again: after a failure sooner
// than usual, but later and later, and not before the host wants to be asked. A
// kick that came during the run stays.
func EndRun(ctx context.Context, db *gorm.DB, f *Forum, lease Lease, run *Run, robots, etag, lastModified string, retryAt,
	now time.Time) error {
	attempts, next := 0, now.Add(forumEvery)
	ok := run.Outcome == pg.OutcomeOK
	if !ok {
		attempts = f.Attempts + 1
		if next = now.Add(min(time.Minute<<min(f.Attempts, 10), 24*time.Hour)); next.Before(retryAt) {
			next = retryAt
		}
	}
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		res := tx.Exec(`
			UPDATE forums SET leased_until = NULL, lease_id = NULL, attempts = @attempts, outcome = @outcome, message = @message,
				robots = @robots, next_run_at = CASE WHEN state = 'open' AND kind <> 'mbox' THEN CAST(@next AS timestamptz) END,
				kicked_at = CASE WHEN kicked_at > @started THEN kicked_at END,
					burst = CASE WHEN kicked_at > @started THEN burst ELSE false END,
				again = again AND NOT @ok, looked_at = CASE WHEN @ok THEN CAST(@now AS timestamptz) ELSE looked_at END,
				etag = CASE WHEN @ok THEN @etag ELSE etag END, last_modified = CASE WHEN @ok THEN @modified ELSE last_modified END,
				requests = requests + @requests, not_modified = not_modified + @same
			WHERE id = @id AND lease_id = @lease`,
			pg.Named("attempts", attempts, "outcome", run.Outcome, "message", pg.CleanText(run.Message), "robots", robots, "next", next,
				"started", run.StartedAt, "ok", ok, "now", now,
				"etag", pg.CleanText(etag), "modified", pg.CleanText(lastModified), "requests", run.Requests, "same", run.NotModified, "id",
				f.ID, "lease", lease.ID))
		if res.Error == nil && res.RowsAffected == 0 {
			return pg.ErrLeaseLost
		}
		if res.Error != nil {
			return res.Error
		}
		return tx.Exec(`
			UPDATE forum_runs SET ended_at = @now, requests = @requests, not_modified = @same, new = @new, duplicates = @duplicates,
				missing = @missing, outcome = @outcome, message = @message WHERE id = @run`,
			pg.Named("now", now, "requests", run.Requests, "same", run.NotModified, "new", run.New, "duplicates", run.Duplicates, "missing",
				run.Missing, "outcome", run.Outcome, "message", pg.CleanText(run.Message), "run", run.ID)).Error
	})
	if err != nil {
		return fmt.Errorf("end the run at %s: %w", f.Slug, err)
	}
	return nil
}

// SaveCursor notes where a walk through a list goes on if it is cut short; "" is
// that it was not.
func SaveCursor(ctx context.Context, db *gorm.DB, forum int64, lease Lease, cursor string) error {
	res := db.WithContext(ctx).Exec(`UPDATE forums SET cursor = @cursor WHERE id = @id AND lease_id = @lease`,
		pg.Named("cursor", cursor, "id", forum, "lease", lease.ID))
	if res.Error == nil && res.RowsAffected == 0 {
		return pg.ErrLeaseLost
	}
	return res.Error
}

// ErrForumState means that a forum was paused or finished while it was harvested.
var ErrForumState = fmt.Errorf("the forum was closed meanwhile")
