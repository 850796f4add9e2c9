package forums

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// ErrForumState means that a forum was paused or finished while it was harvested.
var ErrForumState = errors.New("the forum was closed meanwhile")

// A Lease is a harvester's claim on a forum.
type Lease struct {
	ID    int64
	Until time.Time
}

// A Run is one walk through a forum.
type Run struct {
	ID          int64
	ForumID     int64
	Why         string // scheduled, kick, burst, again or upload.
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

// TableName is GORM's.
func (Run) TableName() string { return "forum_runs" }

// A Harvest is a run that goes on, of a forum that is leased for it.
type Harvest struct {
	Forum Forum
	Run   Run
	Lease Lease
}

// Claim leases the forum that was kicked first, or has been due for longest,
// and begins a run; false where there is none. slug is one alone, or "" for any.
func Claim(ctx context.Context, db *gorm.DB, slug string, lease Lease, now time.Time) (h Harvest, ok bool, err error) {
	h.Lease = lease
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		res := tx.Raw(`
			UPDATE forums f SET leased_until = @until, lease_id = @lease,
				burst_at = CASE WHEN burst AND kicked_at IS NOT NULL THEN CAST(@now AS timestamptz) ELSE burst_at END
			WHERE id = (
				SELECT id FROM forums WHERE (kicked_at IS NOT NULL OR next_run_at <= @now AND state = 'open')
					AND (leased_until IS NULL OR leased_until <= @now) AND (@slug = '' OR slug = @slug)
				ORDER BY kicked_at NULLS LAST, next_run_at LIMIT 1 FOR UPDATE SKIP LOCKED)
			RETURNING `+pg.Columns[Forum]("f"),
			pg.Named("until", lease.Until, "lease", lease.ID, "now", now, "slug", slug)).Scan(&h.Forum)
		if ok = res.RowsAffected == 1; res.Error != nil || !ok {
			return res.Error
		}
		h.Run = Run{ForumID: h.Forum.ID, Why: h.Forum.why(), StartedAt: now}
		return gorm.G[Run](tx).Create(ctx, &h.Run)
	})
	if err != nil {
		return h, false, fmt.Errorf("claim a forum: %w", err)
	}
	return h, ok, nil
}

// why is the reason for a run that begins now.
func (f *Forum) why() string {
	switch {
	case f.Again:
		return "again"
	case f.KickedAt != nil && f.Burst:
		return "burst"
	case f.KickedAt != nil:
		return "kick"
	}
	return "scheduled"
}

// Renew renews the lease and stores how far the run is. ErrLeaseLost means that
// somebody else harvests the forum now, ErrForumState that it is to stop.
func (h *Harvest) Renew(ctx context.Context, db *gorm.DB, until time.Time) error {
	var state string
	err := db.WithContext(ctx).Raw(queries.Must("renew"),
		pg.Named("until", until, "id", h.Forum.ID, "lease", h.Lease.ID, "requests", h.Run.Requests, "same", h.Run.NotModified,
			"new", h.Run.New, "duplicates", h.Run.Duplicates, "run", h.Run.ID)).Scan(&state).Error
	switch {
	case err != nil:
		return fmt.Errorf("renew the lease of %s: %w", h.Forum.Slug, err)
	case state == "":
		return pg.ErrLeaseLost
	case state != h.Forum.State:
		return ErrForumState
	}
	h.Lease.Until = until
	return nil
}

// An End is what a run learned beside its messages.
type End struct {
	Robots             string // What robots.txt says, as text.
	Etag, LastModified string // Of the entry point.
	RetryAt            time.Time
}

// End ends the run and sets when the forum is due again: after a failure sooner
// than usual, but later and later, and not before the host wants to be asked. A
// kick that came during the run stays.
func (h *Harvest) End(ctx context.Context, db *gorm.DB, e End, now time.Time) error {
	attempts, next := 0, now.Add(forumEvery)
	ok := h.Run.Outcome == pg.OutcomeOK
	if !ok {
		attempts = h.Forum.Attempts + 1
		if next = now.Add(min(time.Minute<<min(h.Forum.Attempts, 10), 24*time.Hour)); next.Before(e.RetryAt) {
			next = e.RetryAt
		}
	}
	res := db.WithContext(ctx).Exec(queries.Must("end_run"),
		pg.Named("attempts", attempts, "outcome", h.Run.Outcome, "message", pg.CleanText(h.Run.Message), "robots", e.Robots,
			"next", next, "started", h.Run.StartedAt, "ok", ok, "now", now, "etag", pg.CleanText(e.Etag),
			"modified", pg.CleanText(e.LastModified), "requests", h.Run.Requests, "same", h.Run.NotModified, "id", h.Forum.ID,
			"lease", h.Lease.ID, "run", h.Run.ID, "new", h.Run.New, "duplicates", h.Run.Duplicates, "missing", h.Run.Missing))
	if err := pg.Touched(res, pg.ErrLeaseLost); err != nil {
		return fmt.Errorf("end the run at %s: %w", h.Forum.Slug, err)
	}
	return nil
}

// SaveCursor stores where a walk through a list goes on if it is cut short; "" is
// that it was not.
func (h *Harvest) SaveCursor(ctx context.Context, db *gorm.DB, cursor string) error {
	n, err := gorm.G[Forum](db).Where("id = ? AND lease_id = ?", h.Forum.ID, h.Lease.ID).Update(ctx, "cursor", cursor)
	if err == nil && n == 0 {
		return pg.ErrLeaseLost
	}
	return err
}

// Runs returns the newest runs of a forum.
func Runs(ctx context.Context, db *gorm.DB, forum int64, limit int) ([]Run, error) {
	return gorm.G[Run](db).Where("forum_id = ?", forum).Order("id DESC").Limit(limit).Find(ctx)
}

// LastRuns returns the last run of every forum, by the forum's id.
func LastRuns(ctx context.Context, db *gorm.DB) (map[int64]Run, error) {
	runs, err := gorm.G[Run](db).
		Where("id IN (SELECT (SELECT max(r.id) FROM forum_runs r WHERE r.forum_id = f.id) FROM forums f)").Find(ctx)
	if err != nil {
		return nil, fmt.Errorf("last runs: %w", err)
	}
	last := make(map[int64]Run, len(runs))
	for _, r := range runs {
		last[r.ForumID] = r
	}
	return last, nil
}
