package models

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"
)

// A Feed is how far a site's list of everybody's submissions was read. The row is
// its own job: one process at a time reads on.
type Feed struct {
	Site      string
	Since     *time.Time // All that was made from here on was read; nil: the feed is not read.
	Until     *time.Time // As far as here.
	CursorAt  *time.Time // Where the next page begins.
	CursorID  string
	LateAt    *time.Time // All before was read a second time.
	Holes     int        // How often coverage began anew, and the last time that nothing is known of.
	HoleFrom  *time.Time
	HoleUntil *time.Time
	PerDay    float64 // Requests.
	Replaces  float64 // Looks a day that it stands for.
	WeighedAt *time.Time
	PassedAt  *time.Time
	Failures  int
	Outcome   string
	Message   string
	DueAt     time.Time
	LeaseID   string
	Batch     int
}

const (
	// feedWeighs is how often a feed is weighed against the looks that it stands
	// for, and accounts are told how far it is: what costs more the more there are.
	feedWeighs = time.Hour
	// A feed that is further behind than this begins anew where the list is now.
	feedReach = 3 * 24 * time.Hour
	// What is read of everybody stands for looks only while it is as fresh as this.
	feedFresh = 6 * time.Hour

	// A feed begins where it takes fewer requests than the looks that it would
	// stand for, clearly, and ends where it takes more, clearly: else it would
	// begin and end all the time.
	feedBegins, feedEnds = 0.8, 1.25
	// feedFades is what is left, after each hour in which a feed is not read, of what it
	// took beyond what feeds take: half of it after ten days.
	feedFades = 0.997
)

// ClaimFeed leases a site's feed where a pass is due, the site may be asked, and
// the feed takes fewer requests than the looks it stands for. estimate is how many
// it takes a day, until they are counted. Nil: there is nothing to do.
func ClaimFeed(ctx context.Context, db *gorm.DB, site string, estimate float64, lease Lease, now time.Time) (*Feed, error) {
	err := db.WithContext(ctx).Exec(`
		INSERT INTO site_feeds (site) SELECT @site WHERE NOT EXISTS (SELECT FROM site_feeds WHERE site = @site) ON CONFLICT DO NOTHING`, named("site", site)).Error
	if err != nil {
		return nil, fmt.Errorf("first row of the feed of %s: %w", site, err)
	}
	var f Feed
	err = db.WithContext(ctx).Raw(`
		UPDATE site_feeds SET lease_id = @lease, leased_until = @until
		WHERE site = @site AND due_at <= @now AND (leased_until IS NULL OR leased_until <= @now) AND NOT EXISTS (`+heldSites+` INTERSECT SELECT @site)
			AND NOT EXISTS (SELECT FROM turns WHERE key = 'source:' || @site AND next_at > @closed)
		RETURNING *`,
		named("site", site, "now", now, "closed", now.Add(closedFor), "lease", lease.ID, "until", now.Add(lease.For))).Scan(&f).Error
	if err != nil {
		return nil, fmt.Errorf("claim the feed of %s: %w", site, err)
	}
	if f.Site == "" {
		return nil, nil
	}
	worth, err := f.worth(ctx, db, estimate, now)
	if err != nil || !worth {
		return nil, err
	}
	if f.Until != nil && f.Until.Before(now.Add(-feedReach)) {
		f.CursorAt, f.CursorID, f.LateAt = nil, "", nil
	}
	return &f, nil
}

// worth says whether the feed is to be read. One that is not stays where it is, and
// is weighed again after an hour.
func (f *Feed) worth(ctx context.Context, db *gorm.DB, estimate float64, now time.Time) (bool, error) {
	if f.CursorAt != nil && f.WeighedAt != nil && f.WeighedAt.After(now.Add(-feedWeighs)) {
		return true, nil
	}
	// The pauses are what the rule makes of the accounts, whatever rule it is.
	err := db.WithContext(ctx).Raw(`
		SELECT CAST(coalesce(sum(1 / greatest(extract(epoch FROM due_at - last_retrieved_at) / 86400, @least)), 0) AS double precision)
		FROM accounts WHERE site = @site AND state = 'active' AND failures = 0`, named("site", f.Site, "least", rhythmLeast)).Row().Scan(&f.Replaces)
	if err != nil {
		return false, fmt.Errorf("weigh the feed of %s: %w", f.Site, err)
	}
	limit := feedBegins
	if f.CursorAt != nil { // It is read.
		limit = feedEnds
	}
	counted := min(f.PerDay, estimate+(f.PerDay-estimate)*feedFades) // By the time that it is weighed again.
	if f.PerDay == 0 {
		f.PerDay, counted = estimate, 0
	}
	if f.PerDay <= f.Replaces*limit {
		return true, nil
	}
	err = db.WithContext(ctx).Exec(`
		UPDATE site_feeds SET since = NULL, until = NULL, cursor_at = NULL, cursor_id = '', late_at = NULL, replaces = @replaces, weighed_at = @now,
			per_day = @per_day, due_at = @due, lease_id = '', leased_until = NULL
		WHERE site = @site AND lease_id = @lease`,
		named("site", f.Site, "lease", f.LeaseID, "replaces", f.Replaces, "now", now, "per_day", counted, "due", now.Add(feedWeighs))).Error
	if err != nil {
		return false, fmt.Errorf("put off the feed of %s: %w", f.Site, err)
	}
	return false, nil
}

// ReleaseFeed gives a feed back as it was, for a worker that is told to stop.
func ReleaseFeed(ctx context.Context, db *gorm.DB, f *Feed) error {
	err := db.WithContext(ctx).Exec(`UPDATE site_feeds SET lease_id = '', leased_until = NULL WHERE site = @site AND lease_id = @lease`,
		named("site", f.Site, "lease", f.LeaseID)).Error
	if err != nil {
		return fmt.Errorf("release the feed of %s: %w", f.Site, err)
	}
	return nil
}

// A FeedStep is how far a page has brought a feed; a nil field stays as it is.
type FeedStep struct {
	CursorAt *time.Time
	CursorID string // With CursorAt.
	Until    *time.Time
	Since    *time.Time // Coverage begins here.
	LateAt   *time.Time
}

// MoveFeed moves a feed on when what a page told is stored, and renews its lease.
// It is refused with ErrLeaseLost where somebody else reads the feed now.
func MoveFeed(ctx context.Context, db *gorm.DB, f *Feed, s FeedStep, lease time.Duration, now time.Time) error {
	if s.Since != nil && f.Since != nil && !s.Since.Equal(*f.Since) {
		f.Holes++
		f.HoleFrom, f.HoleUntil = f.Until, s.Since
	}
	if s.Since != nil {
		f.Since = s.Since
	}
	if s.CursorAt != nil {
		f.CursorAt, f.CursorID = s.CursorAt, s.CursorID
	}
	if s.Until != nil {
		f.Until = s.Until
	}
	if s.LateAt != nil {
		f.LateAt = s.LateAt
	}
	res := db.WithContext(ctx).Exec(`
		UPDATE site_feeds SET since = @since, until = @until, cursor_at = @cursor_at, cursor_id = @cursor_id, late_at = @late_at,
			holes = @holes, hole_from = @hole_from, hole_until = @hole_until, leased_until = @leased
		WHERE site = @site AND lease_id = @lease`,
		named("site", f.Site, "lease", f.LeaseID, "since", f.Since, "until", f.Until, "cursor_at", f.CursorAt, "cursor_id", f.CursorID, "late_at", f.LateAt,
			"holes", f.Holes, "hole_from", f.HoleFrom, "hole_until", f.HoleUntil, "leased", now.Add(lease)))
	if res.Error == nil && res.RowsAffected == 0 {
		return ErrLeaseLost
	}
	if res.Error != nil {
		return fmt.Errorf("move the feed of %s: %w", f.Site, res.Error)
	}
	return nil
}
