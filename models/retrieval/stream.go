package retrieval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// Kinds of what is read of a site for everybody.
const (
	KindStream   = "stream"   // The activity stream.
	KindContests = "contests" // The calendar of contests.
	KindBulk     = "bulk"     // Bulk checks: only their size is stored.
)

// A Stream is how far a site's activity stream, or its calendar of contests, was read. One process
// at a time reads on.
type Stream struct {
	Site     string
	Kind     string
	Enabled  *bool      // An admin's setting; nil: by the number of accounts.
	Since    *time.Time // Coverage begins here; nil: the stream is not read.
	Until    *time.Time // Everything between was read.
	CursorAt *time.Time // Where the next page begins.
	CursorID string
	LateAt   *time.Time // Everything before was read a second time, for rows that were added late.
	Gaps     int        // How often coverage began anew, and the newest stream gap.
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

// store writes columns of the stream and the end of its lease; nil gives it back. ErrLeaseLost means
// that another process reads the stream now.
func (s Stream) store(ctx context.Context, db *gorm.DB, until *time.Time, columns ...string) error {
	row := db.WithContext(ctx).Where("site = ? AND kind = ? AND lease_id = ?", s.Site, s.Kind, s.LeaseID)
	if s.LeasedUntil = until; until == nil {
		s.LeaseID = ""
	}
	return pg.Touched(row.Select(append(columns, "lease_id", "leased_until")).Updates(s), pg.ErrLeaseLost)
}

// ClaimStream leases a site's stream or calendar if a pass is due and the site may be asked; nil if
// there is nothing to do.
func ClaimStream(ctx context.Context, db *gorm.DB, site, kind string, lease pg.Lease, now time.Time) (*Stream, error) {
	err := db.WithContext(ctx).Exec(`
		INSERT INTO site_streams (site, kind) SELECT @site, @kind
		WHERE NOT EXISTS (SELECT FROM site_streams WHERE site = @site AND kind = @kind) ON CONFLICT DO NOTHING`,
		pg.Named("site", site, "kind", kind)).Error
	if err != nil {
		return nil, fmt.Errorf("first row of the stream of %s: %w", site, err)
	}
	var s Stream
	err = db.WithContext(ctx).Raw(`
		UPDATE site_streams s SET lease_id = @lease, leased_until = @until
		WHERE site = @site AND kind = @kind AND due_at <= @now AND (leased_until IS NULL OR leased_until <= @now) AND may_ask(@site, @now)
		RETURNING `+pg.Columns[Stream]("s"),
		pg.Named("site", site, "kind", kind, "now", now, "lease", lease.ID, "until", now.Add(lease.For))).Scan(&s).Error
	if err != nil {
		return nil, fmt.Errorf("claim the stream of %s: %w", site, err)
	}
	if s.Site == "" {
		return nil, nil
	}
	on, err := s.on(ctx, db, now)
	if err != nil || !on {
		return nil, err
	}
	if s.Until != nil && s.Until.Before(now.Add(-confirmFor)) {
		s.CursorAt, s.CursorID, s.LateAt = nil, "", nil
	}
	return &s, nil
}

// on says whether the stream or calendar is to be read. If not, it is given back and begins anew
// later.
func (s *Stream) on(ctx context.Context, db *gorm.DB, now time.Time) (on bool, err error) {
	from := streamFrom
	if s.Kind == KindContests {
		from = 1 // A calendar costs next to nothing.
	}
	if s.Enabled != nil {
		on = *s.Enabled
	} else {
		err = db.WithContext(ctx).Raw(`
			SELECT count(*) = @from FROM (SELECT FROM account_schedule WHERE site = @site AND state = 'active' LIMIT @from) enough`,
			pg.Named("site", s.Site, "from", from)).Row().Scan(&on)
	}
	if err != nil || on {
		return on, err
	}
	off := Stream{Site: s.Site, Kind: s.Kind, LeaseID: s.LeaseID, DueAt: now.Add(gracePeriod)}
	err = off.store(ctx, db, nil, "since", "until", "cursor_at", "cursor_id", "late_at", "due_at")
	if err != nil && !errors.Is(err, pg.ErrLeaseLost) {
		return false, fmt.Errorf("put off the stream of %s: %w", s.Site, err)
	}
	return false, nil
}

// ReleaseStream gives a stream back as it was, because the process stops.
func ReleaseStream(ctx context.Context, db *gorm.DB, s *Stream) error {
	if err := s.store(ctx, db, nil); err != nil && !errors.Is(err, pg.ErrLeaseLost) {
		return fmt.Errorf("release the stream of %s: %w", s.Site, err)
	}
	return nil
}

// A StreamStep is how far a page moves a stream; a nil field stays as it is.
type StreamStep struct {
	CursorAt *time.Time
	CursorID string // With CursorAt.
	Until    *time.Time
	Since    *time.Time // Coverage begins here.
	LateAt   *time.Time
}

// MoveStream moves a stream on after the rows of a page are stored, and renews its lease.
// ErrLeaseLost means that another process reads the stream now.
func MoveStream(ctx context.Context, db *gorm.DB, s *Stream, step StreamStep, lease time.Duration, now time.Time) error {
	if step.Since != nil && s.Since != nil && !step.Since.Equal(*s.Since) {
		s.Gaps++
		s.GapFrom, s.GapUntil = s.Until, step.Since
	}
	if step.CursorAt != nil {
		s.CursorAt, s.CursorID = step.CursorAt, step.CursorID
	}
	s.Since, s.Until, s.LateAt = cmp.Or(step.Since, s.Since), cmp.Or(step.Until, s.Until), cmp.Or(step.LateAt, s.LateAt)
	err := s.store(ctx, db, new(now.Add(lease)), "since", "until", "cursor_at", "cursor_id", "late_at", "gaps", "gap_from", "gap_until")
	if err != nil {
		return fmt.Errorf("move the stream of %s: %w", s.Site, err)
	}
	return nil
}

// A StreamPass is how a pass of a stream ended.
type StreamPass struct {
	Requests int
	NewRows  int
	Outcome  string
	Message  string
	RetryAt  time.Time     // Retry-After, or zero.
	Pause    time.Duration // Until the next pass, if this one went well.
}

// FinishStream stores how a pass ended. If it went well, it is evidence about the accounts that the
// stream covers; FinishStream returns for how many that counts as an empty retrieval.
func FinishStream(ctx context.Context, db *gorm.DB, s *Stream, p StreamPass, r Rule, now time.Time) (counted int, err error) {
	ok, passed := p.Outcome == pg.OutcomeOK, *s
	passed.Outcome, passed.Message = p.Outcome, pg.CleanText(p.Message)
	if ok {
		passed.PassedAt, passed.Failures, passed.DueAt = &now, 0, now.Add(p.Pause)
	} else {
		passed.Failures++
		pause := scaled(retryPauses[min(passed.Failures, len(retryPauses))-1], r.Rate)
		passed.DueAt = *later(&p.RetryAt, new(now.Add(pause)))
	}
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := passed.store(ctx, tx, nil, "passed_at", "failures", "outcome", "message", "due_at"); err != nil {
			return err
		}
		if ok && s.Since != nil && s.Until != nil {
			if counted, err = s.note(ctx, tx, passed.DueAt, r.Rate, now); err != nil {
				return err
			}
		}
		return Answer{Site: s.Site, Outcome: p.Outcome, Message: p.Message,
			Requests: p.Requests, NewRows: p.NewRows}.report(ctx, tx, r.Rate, now)
	})
	if err != nil {
		return 0, fmt.Errorf("finish a pass of the stream of %s: %w", s.Site, err)
	}
	return counted, nil
}

// note stores evidence about covered accounts that are due before the next pass, and about the
// others once an hour, because there may be many. While the stream is behind, or a pass ended early,
// that moves complete until and does not replace fetches.
func (s *Stream) note(ctx context.Context, tx *gorm.DB, next time.Time, rate float64, now time.Time) (int, error) {
	again := &next
	if s.Until.Before(now.Add(-CheckEvery)) || !next.After(now) {
		next, again = now, nil
	}
	var ids []int64
	err := tx.WithContext(ctx).Raw(queries.Must("covered_by_stream"), pg.Named("site", s.Site, "since", s.Since,
		"soon", next.Add(gracePeriod), "behind", s.Until.Add(-time.Hour), "now", now)).Scan(&ids).Error
	if err != nil {
		return 0, fmt.Errorf("accounts that the stream covers: %w", err)
	}
	list := make([]Evidence, len(ids))
	for i, id := range ids {
		list[i] = Evidence{AccountID: id, Source: SourceStream, CompleteUntil: s.Until, AgainAt: again, SeenAt: now}
	}
	return note(ctx, tx, list, rate, now)
}
