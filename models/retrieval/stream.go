package retrieval

import (
	"context"
	"errors"
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
	Batch    int

	LeaseID     string
	LeasedUntil *time.Time
}

// TableName is its table.
func (Stream) TableName() string { return "site_streams" }

// store writes columns of the stream, and the end of its lease; nil: it is given back.
// ErrLeaseLost means that somebody else reads the stream now.
func (f Stream) store(ctx context.Context, db *gorm.DB, until *time.Time, columns ...string) error {
	row := db.WithContext(ctx).Where("site = ? AND kind = ? AND lease_id = ?", f.Site, f.Kind, f.LeaseID)
	if f.LeasedUntil = until; until == nil {
		f.LeaseID = ""
	}
	return storeLeased(row.Select(append(columns, "lease_id", "leased_until")).Updates(f))
}

// storeLeased is how a statement ended that writes one row under its lease.
func storeLeased(stored *gorm.DB) error {
	if stored.Error == nil && stored.RowsAffected == 0 {
		return pg.ErrLeaseLost
	}
	return stored.Error
}

// ClaimStream leases a site's stream, or its calendar, where a pass is due and the site
// may be asked. Nil: there is nothing to do.
func ClaimStream(ctx context.Context, db *gorm.DB, site, kind string, lease pg.Lease, now time.Time) (*Stream, error) {
	err := db.WithContext(ctx).Exec(`
		INSERT INTO site_streams (site, kind) SELECT @site, @kind
		WHERE NOT EXISTS (SELECT FROM site_streams WHERE site = @site AND kind = @kind) ON CONFLICT DO NOTHING`,
		pg.Named("site", site, "kind", kind)).Error
	if err != nil {
		return nil, fmt.Errorf("first row of the stream of %s: %w", site, err)
	}
	var f Stream
	err = db.WithContext(ctx).Raw(`
		UPDATE site_streams f SET lease_id = @lease, leased_until = @until
		WHERE site = @site AND kind = @kind AND due_at <= @now AND (leased_until IS NULL OR leased_until <= @now) AND may_ask(@site, @now)
		RETURNING `+pg.Columns[Stream]("f"),
		pg.Named("site", site, "kind", kind, "now", now, "lease", lease.ID, "until", now.Add(lease.For))).Scan(&f).Error
	if err != nil {
		return nil, fmt.Errorf("claim the stream of %s: %w", site, err)
	}
	if f.Site == "" {
		return nil, nil
	}
	on, err := f.on(ctx, db, now)
	if err != nil || !on {
		return nil, err
	}
	if f.Until != nil && f.Until.Before(now.Add(-confirmFor)) {
		f.CursorAt, f.CursorID, f.LateAt = nil, "", nil
	}
	return &f, nil
}

// on says whether the stream, or the calendar, is to be read. One that is not forgets where it was.
func (f *Stream) on(ctx context.Context, db *gorm.DB, now time.Time) (on bool, err error) {
	from := streamFrom
	if f.Kind == KindContests {
		from = 1 // A calendar costs next to nothing, but for nobody it is not read.
	}
	if f.Enabled != nil {
		on = *f.Enabled
	} else {
		err = db.WithContext(ctx).Raw(`
			SELECT count(*) = @from FROM (SELECT FROM account_schedule WHERE site = @site AND state = 'active' LIMIT @from) enough`,
			pg.Named("site", f.Site, "from", from)).Row().Scan(&on)
	}
	if err != nil || on {
		return on, err
	}
	off := Stream{Site: f.Site, Kind: f.Kind, LeaseID: f.LeaseID, DueAt: now.Add(gracePeriod)}
	err = off.store(ctx, db, nil, "since", "until", "cursor_at", "cursor_id", "late_at", "due_at")
	if err != nil && !errors.Is(err, pg.ErrLeaseLost) {
		return false, fmt.Errorf("put off the stream of %s: %w", f.Site, err)
	}
	return false, nil
}

// ReleaseStream gives a stream back as it was, for a worker that is to stop.
func ReleaseStream(ctx context.Context, db *gorm.DB, f *Stream) error {
	if err := f.store(ctx, db, nil); err != nil && !errors.Is(err, pg.ErrLeaseLost) {
		return fmt.Errorf("release the stream of %s: %w", f.Site, err)
	}
	return nil
}

// A StreamStep is how far a page has brought a stream; a nil field stays as it is.
type StreamStep struct {
	CursorAt *time.Time
	CursorID string // With CursorAt.
	Until    *time.Time
	Since    *time.Time // Coverage begins here.
	LateAt   *time.Time
}

// MoveStream moves a stream on when what a page told is stored, and renews its lease.
// It is refused with ErrLeaseLost where somebody else reads the stream now.
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
	err := f.store(ctx, db, new(now.Add(lease)), "since", "until", "cursor_at", "cursor_id", "late_at", "gaps", "gap_from", "gap_until")
	if err != nil {
		return fmt.Errorf("move the stream of %s: %w", f.Site, err)
	}
	return nil
}
