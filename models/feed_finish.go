package models

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
	RetryAt  time.Time // The site's own wish, or zero.
	// Pause is when to read on, where the pass went well.
	Pause   time.Duration
	Partial bool          // It leaves out some of what people submit, so it stands for no look.
	Short   bool          // The last page was of so short a time that the next one has a hole before it, too.
	Overlap time.Duration // Of the site.
}

// perDay returns the requests that a feed takes a day, of what it took until now
// and what a pass took since the one before: those of about a day count.
func (f *Feed) perDay(requests int, now time.Time) float64 {
	if f.PassedAt == nil || !now.After(*f.PassedAt) {
		return f.PerDay
	}
	days := now.Sub(*f.PassedAt).Hours() / 24
	return f.PerDay + (float64(requests)/days-f.PerDay)*min(1, days)
}

// FinishFeed settles a pass. Where it went well, accounts of which everything was
// known since the feed begins are complete until where it is, and it stands for
// looks at them that are due before the next pass; FinishFeed returns for how many.
func FinishFeed(ctx context.Context, db *gorm.DB, f *Feed, p FeedPass, r Rule, now time.Time) (stands int, err error) {
	ok := p.Outcome == pg.OutcomeOK
	due, perDay, failures, passed := now.Add(p.Pause), f.perDay(p.Requests, now), 0, &now
	if !ok {
		failures, passed, perDay = f.Failures+1, f.PassedAt, f.PerDay
		due = now.Add(time.Duration(float64(retryPauses[min(failures, len(retryPauses))-1]) / r.Rate))
		if p.RetryAt.After(due) {
			due = p.RetryAt
		}
	}
	past, late := ok && p.Partial && !p.Short && f.inHole(), now.Add(-feedFresh)
	weighs := ok && (f.WeighedAt == nil || !f.WeighedAt.After(now.Add(-feedWeighs)))
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		res := tx.Exec(`
			UPDATE site_feeds SET per_day = @per_day, replaces = @replaces, weighed_at = CASE WHEN @weighs THEN @now ELSE weighed_at END, passed_at = @passed,
				failures = @failures, outcome = @outcome, message = @message, hole_asked = hole_asked OR @past, due_at = @due, lease_id = '', leased_until = NULL
			WHERE site = @site AND kind = @kind AND lease_id = @lease`,
			pg.Named("site", f.Site, "kind", f.Kind, "lease", f.LeaseID, "per_day", perDay, "replaces", f.Replaces, "weighs", weighs, "now", now, "passed", passed,
				"failures", failures, "outcome", p.Outcome, "message", pg.CleanText(p.Message), "past", past, "due", due))
		if res.Error == nil && res.RowsAffected == 0 {
			return pg.ErrLeaseLost
		}
		if res.Error != nil {
			return res.Error
		}
		if past || p.Partial && (ok && f.stoodStill(late) || failures == partialFails) {
			if err := askSoon(ctx, tx, f.Site, now); err != nil {
				return err
			}
		}
		if ok && !p.Partial && f.Since != nil && f.Until != nil && f.Until.After(late) {
			if stands, err = f.stand(ctx, tx, p.Overlap, due, r, now); err != nil {
				return err
			}
		}
		if weighs && !p.Partial && f.Since != nil && f.Until != nil {
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

// cover tells accounts how far the feed is. Who is being looked at is told by that.
func (f *Feed) cover(ctx context.Context, tx *gorm.DB, now time.Time) error {
	return tx.WithContext(ctx).Exec(`
		WITH mine AS MATERIALIZED (
			SELECT a.id FROM accounts a WHERE `+coveredBy+` AND a.complete_until < @until ORDER BY a.id FOR NO KEY UPDATE SKIP LOCKED)
		UPDATE accounts a SET complete_until = @until FROM mine WHERE a.id = mine.id`,
		pg.Named("site", f.Site, "since", f.Since, "until", f.Until, "now", now)).Error
}

// feedSlack is how late the next pass may be.
const feedSlack = 15 * time.Minute

// stand lets the feed stand for looks. All rows are read again when they are
// settled, so that accounts with news need no look either; but a row that is
// being judged does, a contest whose ratings are not known, and from time to time anybody.
func (f *Feed) stand(ctx context.Context, tx *gorm.DB, overlap time.Duration, next time.Time, r Rule, now time.Time) (int, error) {
	return standFor(ctx, tx, coveredBy+` AND a.due_at <= @soon AND NOT a.look_wanted`,
		pg.Named("site", f.Site, "since", f.Since, "soon", next.Add(feedSlack)), word{until: *f.Until, overlap: overlap}, r, now)
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
