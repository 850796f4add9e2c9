package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// Kinds of what a site tells of everybody.
const (
	KindStream   = "stream"   // A list of what all submit.
	KindContests = "contests" // The calendar of contests.
	KindBulk     = "bulk"     // Bulk checks: only their size is stored.
)

// A Stream is how far a site's list of everybody's submissions was read. The row is
// its own job: one process at a time reads on.
type Stream struct {
	Site     string
	Kind     string
	Enabled  *bool      // An admin's setting; nil: by the number of accounts.
	Since    *time.Time // All that was made from here on was read; nil: the feed is not read.
	Until    *time.Time // As far as here.
	CursorAt *time.Time // Where the next page begins.
	CursorID string
	LateAt   *time.Time // All before was read a second time.
	Gaps     int        // How often coverage began anew, and the last time that nothing is known of.
	GapFrom  *time.Time
	GapUntil *time.Time
	PassedAt *time.Time
	Failures int
	Outcome  string
	Message  string
	DueAt    time.Time
	LeaseID  string
	Batch    int
}

// TableName is its table.
func (Stream) TableName() string { return "site_streams" }

// ClaimStream leases a site's feed, or its calendar, where a pass is due and the site
// may be asked. Nil: there is nothing to do.
func ClaimStream(ctx context.Context, db *gorm.DB, site, kind string, lease pg.Lease, now time.Time) (*Stream, error) {
	err := db.WithContext(ctx).Exec(`
		INSERT INTO site_streams (site, kind) SELECT @site, @kind WHERE NOT EXISTS (SELECT FROM site_streams WHERE site = @site AND kind = @kind) ON CONFLICT DO NOTHING`,
		pg.Named("site", site, "kind", kind)).Error
	if err != nil {
		return nil, fmt.Errorf("first row of the feed of %s: %w", site, err)
	}
	var f Stream
	err = db.WithContext(ctx).Raw(`
		UPDATE site_streams f SET lease_id = @lease, leased_until = @until
		WHERE site = @site AND kind = @kind AND due_at <= @now AND (leased_until IS NULL OR leased_until <= @now) AND may_ask(@site, @now)
		RETURNING `+pg.Columns[Stream]("f"),
		pg.Named("site", site, "kind", kind, "now", now, "lease", lease.ID, "until", now.Add(lease.For))).Scan(&f).Error
	if err != nil {
		return nil, fmt.Errorf("claim the feed of %s: %w", site, err)
	}
	if f.Site == "" {
		return nil, nil
	}
	on, err := f.on(ctx, db, now)
	if err != nil || !on {
		return nil, err
	}
	if f.Until != nil && f.Until.Before(now.Add(-doubt)) {
		f.CursorAt, f.CursorID, f.LateAt = nil, "", nil
	}
	return &f, nil
}

// on says whether the feed, or the calendar, is to be read. One that is not forgets where it was.
func (f *Stream) on(ctx context.Context, db *gorm.DB, now time.Time) (on bool, err error) {
	from := streamFrom
	if f.Kind == KindContests {
		from = 1 // A calendar costs next to nothing, but for nobody it is not read.
	}
	if f.Enabled != nil {
		on = *f.Enabled
	} else {
		err = db.WithContext(ctx).Raw(`SELECT count(*) = @from FROM (SELECT FROM account_schedule WHERE site = @site AND state = 'active' LIMIT @from) enough`,
			pg.Named("site", f.Site, "from", from)).Row().Scan(&on)
	}
	if err != nil || on {
		return on, err
	}
	err = db.WithContext(ctx).Exec(`
		UPDATE site_streams SET since = NULL, until = NULL, cursor_at = NULL, cursor_id = '', late_at = NULL, due_at = @due, lease_id = '', leased_until = NULL
		WHERE site = @site AND kind = @kind AND lease_id = @lease`,
		pg.Named("site", f.Site, "kind", f.Kind, "lease", f.LeaseID, "due", now.Add(grace))).Error
	if err != nil {
		return false, fmt.Errorf("put off the feed of %s: %w", f.Site, err)
	}
	return false, nil
}

// ReleaseStream gives a feed back as it was, for a worker that is told to stop.
func ReleaseStream(ctx context.Context, db *gorm.DB, f *Stream) error {
	err := db.WithContext(ctx).Exec(`UPDATE site_streams SET lease_id = '', leased_until = NULL WHERE site = @site AND kind = @kind AND lease_id = @lease`,
		pg.Named("site", f.Site, "kind", f.Kind, "lease", f.LeaseID)).Error
	if err != nil {
		return fmt.Errorf("release the feed of %s: %w", f.Site, err)
	}
	return nil
}

// A StreamStep is how far a page has brought a feed; a nil field stays as it is.
type StreamStep struct {
	CursorAt *time.Time
	CursorID string // With CursorAt.
	Until    *time.Time
	Since    *time.Time // Coverage begins here.
	LateAt   *time.Time
}

// MoveStream moves a feed on when what a page told is stored, and renews its lease.
// It is refused with ErrLeaseLost where somebody else reads the feed now.
func MoveStream(ctx context.Context, db *gorm.DB, f *Stream, s StreamStep, lease time.Duration, now time.Time) error {
	if s.Since != nil && f.Since != nil && !s.Since.Equal(*f.Since) {
		f.Gaps++
		f.GapFrom, f.GapUntil = f.Until, s.Since
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
		UPDATE site_streams SET since = @since, until = @until, cursor_at = @cursor_at, cursor_id = @cursor_id, late_at = @late_at,
			gaps = @gaps, gap_from = @gap_from, gap_until = @gap_until, leased_until = @leased
		WHERE site = @site AND kind = @kind AND lease_id = @lease`,
		pg.Named("site", f.Site, "kind", f.Kind, "lease", f.LeaseID, "since", f.Since, "until", f.Until, "cursor_at", f.CursorAt, "cursor_id", f.CursorID, "late_at", f.LateAt,
			"gaps", f.Gaps, "gap_from", f.GapFrom, "gap_until", f.GapUntil, "leased", now.Add(lease)))
	if res.Error == nil && res.RowsAffected == 0 {
		return pg.ErrLeaseLost
	}
	if res.Error != nil {
		return fmt.Errorf("move the feed of %s: %w", f.Site, res.Error)
	}
	return nil
}
