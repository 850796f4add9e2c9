package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A FeedPass is how a pass through a feed ended.
type FeedPass struct {
	Requests int
	NewRows  int
	Outcome  string
	Message  string
	RetryAt  time.Time     // The site's own wish, or zero.
	Pause    time.Duration // When to read on, where the pass went well.
	Overlap  time.Duration // Of the site.
}

// FinishFeed settles a pass. Where it went well, accounts of which everything was
// known since the feed begins are complete until where it is, and it stands for
// retrievals of them that are due before the next pass, if they have no news;
// FinishFeed returns for how many.
func FinishFeed(ctx context.Context, db *gorm.DB, f *Feed, p FeedPass, r Rule, now time.Time) (stands int, err error) {
	ok := p.Outcome == pg.OutcomeOK
	due, failures, passed := now.Add(p.Pause), 0, &now
	if !ok {
		failures, passed = f.Failures+1, f.PassedAt
		due = now.Add(time.Duration(float64(retryPauses[min(failures, len(retryPauses))-1]) / r.Rate))
		if p.RetryAt.After(due) {
			due = p.RetryAt
		}
	}
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		res := tx.Exec(`
			UPDATE site_feeds SET passed_at = @passed, failures = @failures, outcome = @outcome, message = @message, due_at = @due, lease_id = '', leased_until = NULL
			WHERE site = @site AND kind = @kind AND lease_id = @lease`,
			pg.Named("site", f.Site, "kind", f.Kind, "lease", f.LeaseID, "passed", passed, "failures", failures, "outcome", p.Outcome, "message", pg.CleanText(p.Message), "due", due))
		if res.Error == nil && res.RowsAffected == 0 {
			return pg.ErrLeaseLost
		}
		if res.Error != nil {
			return res.Error
		}
		if ok && f.Since != nil && f.Until != nil {
			if stands, err = f.stand(ctx, tx, p.Overlap, due, now); err != nil {
				return err
			}
			if err := f.cover(ctx, tx, now); err != nil {
				return err
			}
		}
		if err := judgeMany(ctx, tx, f.Site, p.Outcome, p.Message, p.Requests, r.Rate, now); err != nil {
			return err
		}
		return countBulk(ctx, tx, f.Site, p.Outcome, p.Message, p.Requests, p.NewRows, now) // Last: all looks at a site count in one row.
	})
	if err != nil {
		return 0, fmt.Errorf("finish a pass of the feed of %s: %w", f.Site, err)
	}
	return stands, nil
}

// coveredBy says of an account a that nothing is unknown of it before where the feed is.
const coveredBy = `a.site = @site AND a.state = 'active' AND a.failures = 0 AND a.not_found = 0 AND a.missing = 0 AND a.complete_until >= @since
			AND (a.leased_until IS NULL OR a.leased_until <= @now)`

// coverEvery is how far behind the feed accounts may say that they are complete: what
// costs more the more there are is done as often.
const coverEvery = time.Hour

// cover tells accounts how far the feed is. Who is being looked at is told by that.
func (f *Feed) cover(ctx context.Context, tx *gorm.DB, now time.Time) error {
	return tx.WithContext(ctx).Exec(`
		WITH mine AS MATERIALIZED (
			SELECT a.id FROM accounts a WHERE `+coveredBy+` AND a.complete_until < @behind ORDER BY a.id FOR NO KEY UPDATE SKIP LOCKED)
		UPDATE accounts a SET complete_until = @until FROM mine WHERE a.id = mine.id`,
		pg.Named("site", f.Site, "since", f.Since, "until", f.Until, "behind", f.Until.Add(-coverEvery), "now", now)).Error
}

// feedSlack is how late the next pass may be.
const feedSlack = 15 * time.Minute

// stand lets a feed that is fresh stand for retrievals of those that have nothing new.
func (f *Feed) stand(ctx context.Context, tx *gorm.DB, overlap time.Duration, next, now time.Time) (int, error) {
	if !f.Until.After(now.Add(-feedFresh)) {
		return 0, nil
	}
	return standFor(ctx, tx, coveredBy+` AND a.due_at <= @soon`,
		pg.Named("site", f.Site, "since", f.Since, "soon", next.Add(feedSlack)), *f.Until, overlap, now)
}

// countBulk counts requests about many accounts for the site's health.
func countBulk(ctx context.Context, tx *gorm.DB, site, outcome, message string, requests, rows int, now time.Time) error {
	return tx.WithContext(ctx).Exec(`
		INSERT INTO site_hours AS h (site, hour, outcome, retrievals, requests, new_rows, first_at, last_at, message)
		SELECT @site, date_trunc('hour', CAST(@now AS timestamptz)), @outcome, 0, @requests, @rows, @now, @now, @message WHERE @requests > 0
		ON CONFLICT (site, hour, outcome) DO UPDATE SET requests = h.requests + EXCLUDED.requests, new_rows = h.new_rows + EXCLUDED.new_rows,
			last_at = greatest(h.last_at, EXCLUDED.last_at), message = EXCLUDED.message`,
		pg.Named("site", site, "now", now, "outcome", outcome, "requests", requests, "rows", rows, "message", pg.CleanText(message))).Error
}
