package problems

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A List is one list of a site's catalogue. The row is its own job.
type List struct {
	Site, Name   string
	Items        int    // Of the last reading that counts.
	Etag         string // Of that reading.
	LastModified string
	ReadAt       *time.Time
	ShrunkSince  *time.Time // Since when readings are refused.
	Outcome      string
	Message      string
	Failures     int
	DueAt        time.Time
	LeaseID      string
	LeasedUntil  *time.Time
}

// TableName is its table.
func (List) TableName() string { return "site_lists" }

// The policy of lists.
const (
	daily        = 24 * time.Hour
	nearEvery    = 5 * time.Minute  // Of contests, near a start or an end:
	nearBefore   = time.Hour        // from so long before it
	nearAfter    = 15 * time.Minute // until so long after.
	keepOf       = 0.9              // A reading with fewer items than this share of the last one is refused,
	believeAfter = 14 * 24 * time.Hour
	retryMost    = 6 * time.Hour
)

// Claim leases a list of a site where it is due, the site may be asked, and somebody here is on the
// site. Nil: there is nothing to do.
func Claim(ctx context.Context, db *gorm.DB, site, name string, lease pg.Lease, now time.Time) (*List, error) {
	args := pg.Named("site", site, "name", name, "now", now, "lease", lease.ID, "until", now.Add(lease.For))
	err := db.WithContext(ctx).Exec(`
		INSERT INTO site_lists (site, name, due_at) SELECT @site, @name, CAST(@now AS timestamptz)
		WHERE NOT EXISTS (SELECT FROM site_lists WHERE site = @site AND name = @name) AND EXISTS (SELECT FROM accounts WHERE site = @site)
		ON CONFLICT DO NOTHING`, args).Error
	if err != nil {
		return nil, fmt.Errorf("first row of the list %s of %s: %w", name, site, err)
	}
	var l List
	err = db.WithContext(ctx).Raw(`
		UPDATE site_lists l SET lease_id = @lease, leased_until = @until
		WHERE site = @site AND name = @name AND due_at <= @now AND (leased_until IS NULL OR leased_until <= @now)
			AND may_ask(@site, @now) AND EXISTS (SELECT FROM accounts a WHERE a.site = @site)
		RETURNING `+pg.Columns[List]("l"), args).Scan(&l).Error
	if err != nil {
		return nil, fmt.Errorf("claim the list %s of %s: %w", name, site, err)
	}
	if l.Site == "" {
		return nil, nil
	}
	return &l, nil
}

// Shrank says whether a reading of so many items lacks so much of the last one that it is refused: a
// list that was cut must not look like problems that are gone. One that stays so short for two
// weeks is believed.
func (l *List) Shrank(items int, now time.Time) bool {
	if float64(items) >= keepOf*float64(l.Items) {
		l.ShrunkSince = nil
		return false
	}
	if l.ShrunkSince == nil {
		l.ShrunkSince = &now
	}
	return now.Sub(*l.ShrunkSince) < believeAfter
}

// Release gives a list back as it was, for a worker that is to stop.
func Release(ctx context.Context, db *gorm.DB, l *List) error {
	return l.finish(ctx, db, l.DueAt)
}

// Finish stores how a reading of a list ended, and when the next one is due.
func Finish(ctx context.Context, db *gorm.DB, l *List, ofContests bool, rate float64, now time.Time) error {
	due := now.Add(daily)
	if l.Outcome != pg.OutcomeOK {
		l.Failures++
		due = now.Add(time.Duration(float64(min(nearEvery<<min(l.Failures-1, 8), retryMost)) / rate))
	} else {
		l.Failures = 0
		if ofContests {
			var err error
			if due, err = nextOfContests(ctx, db, l.Site, now); err != nil {
				return err
			}
		}
	}
	return l.finish(ctx, db, due)
}

func (l *List) finish(ctx context.Context, db *gorm.DB, due time.Time) error {
	id := l.LeaseID
	l.DueAt, l.LeaseID, l.LeasedUntil, l.Message = due, "", nil, pg.CleanText(l.Message)
	res := db.WithContext(ctx).Where("site = ? AND name = ? AND lease_id = ?", l.Site, l.Name, id).
		Select("items", "etag", "last_modified", "read_at", "shrunk_since", "outcome", "message", "failures", "due_at", "lease_id",
			"leased_until").Updates(l)
	if res.Error != nil {
		return fmt.Errorf("finish the list %s of %s: %w", l.Name, l.Site, res.Error)
	}
	if res.RowsAffected == 0 {
		return pg.ErrLeaseLost
	}
	return nil
}

// nextOfContests is when contests of a site are read next: every few minutes near a start or an end,
// for both may be put off, and else before the next one, or after a day.
func nextOfContests(ctx context.Context, db *gorm.DB, site string, now time.Time) (time.Time, error) {
	var moments []time.Time
	err := db.WithContext(ctx).Raw(`
		SELECT m.at FROM (
			SELECT starts_at AS at FROM contests WHERE site = @site AND retired_at IS NULL AND starts_at BETWEEN @from AND @until
			UNION SELECT ends_at FROM contests WHERE site = @site AND retired_at IS NULL AND ends_at BETWEEN @from AND @until) m
		ORDER BY m.at LIMIT 100`,
		pg.Named("site", site, "from", now.Add(-nearAfter), "until", now.Add(daily+nearBefore))).Scan(&moments).Error
	if err != nil {
		return now, fmt.Errorf("coming contests of %s: %w", site, err)
	}
	return nextRead(moments, now), nil
}

// nextRead is when a list of contests is read next, by their starts and ends, in order.
func nextRead(moments []time.Time, now time.Time) time.Time {
	next := now.Add(daily)
	for _, at := range moments {
		switch {
		case at.Add(nearAfter).Before(now):
		case !at.Add(-nearBefore).After(now):
			return now.Add(nearEvery)
		case at.Add(-nearBefore).Before(next):
			next = at.Add(-nearBefore)
		}
	}
	return next
}

// Match joins problems that rounds of several divisions share, and returns how many were compared.
func Match(ctx context.Context, db *gorm.DB, site string) (compared int, err error) {
	for ctx.Err() == nil {
		var n struct{ Fresh, Joined int }
		if err := db.WithContext(ctx).Raw(queries.Must("match"), pg.Named("site", site, "most", atOnce)).Scan(&n).Error; err != nil {
			return compared, fmt.Errorf("shared problems of %s: %w", site, err)
		}
		if compared += n.Fresh; n.Fresh < atOnce {
			return compared, nil
		}
	}
	return compared, ctx.Err()
}
