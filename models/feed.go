package models

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// Kinds of what a site tells of everybody.
const (
	KindFeed   = "feed"   // A list of what all submit.
	KindRounds = "rounds" // The lists of rounds that have ended.
	KindProbe  = "probe"  // Questions about many accounts: only their size is kept.
)

// A Feed is how far a site's list of everybody's submissions was read. The row is
// its own job: one process at a time reads on.
type Feed struct {
	Site      string
	Kind      string
	Since     *time.Time // All that was made from here on was read; nil: the feed is not read.
	Until     *time.Time // As far as here.
	CursorAt  *time.Time // Where the next page begins.
	CursorID  string
	LateAt    *time.Time // All before was read a second time.
	Holes     int        // How often coverage began anew, and the last time that nothing is known of.
	HoleFrom  *time.Time
	HoleUntil *time.Time
	HoleSince *time.Time // Where coverage began that ended with that hole.
	HoleAsked bool       // Whoever may have been there in it was asked about.
	PerDay    float64    // Requests.
	Replaces  float64    // Looks a day that it stands for.
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
	// feedShort is for how long a feed is read at most between two holes that count as one.
	feedShort = time.Hour
	// feedFades is what is left, after each hour in which a feed is not read, of what it
	// took beyond what feeds take: half of it after ten days.
	feedFades = 0.997
	// looksOfADay is how many looks a day with submissions takes where probes ask for them: those
	// of several sittings (TestWhatADayCosts).
	looksOfADay = 1.5
)

// A FeedClaim is what must be known of a feed to claim it.
type FeedClaim struct {
	Site, Kind string
	PerDay     float64 // Requests a day that it takes, until they are counted.
	Partial    bool    // It leaves out some of what people submit: see FinishProbe.
}

// ClaimFeed leases a site's feed where a pass is due, the site may be asked, and
// the feed takes fewer requests than the looks it stands for. Nil: there is nothing to do.
func ClaimFeed(ctx context.Context, db *gorm.DB, c FeedClaim, lease pg.Lease, now time.Time) (*Feed, error) {
	err := db.WithContext(ctx).Exec(`
		INSERT INTO site_feeds (site, kind) SELECT @site, @kind WHERE NOT EXISTS (SELECT FROM site_feeds WHERE site = @site AND kind = @kind) ON CONFLICT DO NOTHING`,
		pg.Named("site", c.Site, "kind", c.Kind)).Error
	if err != nil {
		return nil, fmt.Errorf("first row of the feed of %s: %w", c.Site, err)
	}
	var f Feed
	err = db.WithContext(ctx).Raw(`
		UPDATE site_feeds SET lease_id = @lease, leased_until = @until
		WHERE site = @site AND kind = @kind AND due_at <= @now AND (leased_until IS NULL OR leased_until <= @now) AND NOT EXISTS (`+heldSites+` INTERSECT SELECT @site)
			AND NOT EXISTS (SELECT FROM turns WHERE key = 'source:' || @site AND next_at > @closed)
		RETURNING *`,
		pg.Named("site", c.Site, "kind", c.Kind, "now", now, "closed", now.Add(closedFor), "lease", lease.ID, "until", now.Add(lease.For))).Scan(&f).Error
	if err != nil {
		return nil, fmt.Errorf("claim the feed of %s: %w", c.Site, err)
	}
	if f.Site == "" {
		return nil, nil
	}
	worth, err := f.worth(ctx, db, c, now)
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
func (f *Feed) worth(ctx context.Context, db *gorm.DB, c FeedClaim, now time.Time) (bool, error) {
	if f.CursorAt != nil && f.WeighedAt != nil && f.WeighedAt.After(now.Add(-feedWeighs)) {
		return true, nil
	}
	var err error
	if f.Replaces, err = looksADay(ctx, db, c, now); err != nil {
		return false, fmt.Errorf("weigh the feed of %s: %w", f.Site, err)
	}
	limit := feedBegins
	if f.CursorAt != nil { // It is read.
		limit = feedEnds
	}
	counted := min(f.PerDay, c.PerDay+(f.PerDay-c.PerDay)*feedFades) // By the time that it is weighed again.
	if f.PerDay == 0 {
		f.PerDay, counted = c.PerDay, 0
	}
	if f.PerDay <= f.Replaces*limit {
		return true, nil
	}
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		err := tx.Exec(`
			UPDATE site_feeds SET since = NULL, until = NULL, cursor_at = NULL, cursor_id = '', late_at = NULL, replaces = @replaces, weighed_at = @now,
				per_day = @per_day, due_at = @due, lease_id = '', leased_until = NULL
			WHERE site = @site AND kind = @kind AND lease_id = @lease`,
			pg.Named("site", f.Site, "kind", f.Kind, "lease", f.LeaseID, "replaces", f.Replaces, "now", now, "per_day", counted, "due", now.Add(feedWeighs))).Error
		if err == nil && c.Partial && f.CursorAt != nil {
			err = askSoon(ctx, tx, f.Site, now)
		}
		return err
	})
	if err != nil {
		return false, fmt.Errorf("put off the feed of %s: %w", f.Site, err)
	}
	return false, nil
}

// looksADay returns how many looks a day a feed stands for. The pauses are what the rule makes of
// the accounts, whatever rule it is. A partial feed saves looks at those alone of whom a
// probe shows that they were there: so many for each day with submissions.
func looksADay(ctx context.Context, db *gorm.DB, c FeedClaim, now time.Time) (looks float64, err error) {
	each := `1 / greatest(extract(epoch FROM due_at - last_retrieved_at) / 86400, @least)`
	const news = `@looks * activity * exp(-extract(epoch FROM CAST(@now AS timestamptz) - activity_at) / 86400 / @days)`
	switch {
	case c.Partial:
		each = news
	case c.Kind == KindRounds: // A list of what all submit puts looks off; a round's fills its holes.
		each = `greatest(` + each + `, ` + news + `)`
	}
	err = db.WithContext(ctx).Raw(`SELECT CAST(coalesce(sum(`+each+`), 0) AS double precision) FROM accounts WHERE site = @site AND state = 'active' AND failures = 0`,
		pg.Named("site", c.Site, "least", rhythmLeast, "looks", looksOfADay, "now", now, "days", activityDays)).Row().Scan(&looks)
	return looks, err
}

// ReleaseFeed gives a feed back as it was, for a worker that is told to stop.
func ReleaseFeed(ctx context.Context, db *gorm.DB, f *Feed) error {
	err := db.WithContext(ctx).Exec(`UPDATE site_feeds SET lease_id = '', leased_until = NULL WHERE site = @site AND kind = @kind AND lease_id = @lease`,
		pg.Named("site", f.Site, "kind", f.Kind, "lease", f.LeaseID)).Error
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
		if f.HoleUntil == nil || f.HoleFrom == nil || !f.Since.Equal(*f.HoleUntil) || f.Until.Sub(*f.Since) > feedShort { // Else the hole goes on.
			f.Holes++
			f.HoleFrom, f.HoleSince = f.Until, f.Since
		}
		f.HoleUntil, f.HoleAsked = s.Since, false
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
			holes = @holes, hole_from = @hole_from, hole_until = @hole_until, hole_since = @hole_since, hole_asked = @hole_asked, leased_until = @leased
		WHERE site = @site AND kind = @kind AND lease_id = @lease`,
		pg.Named("site", f.Site, "kind", f.Kind, "lease", f.LeaseID, "since", f.Since, "until", f.Until, "cursor_at", f.CursorAt, "cursor_id", f.CursorID, "late_at", f.LateAt,
			"holes", f.Holes, "hole_from", f.HoleFrom, "hole_until", f.HoleUntil, "hole_since", f.HoleSince, "hole_asked", f.HoleAsked, "leased", now.Add(lease)))
	if res.Error == nil && res.RowsAffected == 0 {
		return pg.ErrLeaseLost
	}
	if res.Error != nil {
		return fmt.Errorf("move the feed of %s: %w", f.Site, res.Error)
	}
	return nil
}
