package models

import (
	"context"
	"fmt"
	"maps"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A feed that leaves out some of what people submit proves nothing of anybody. But what it
// leaves out, most people never do; so the longer ago somebody last did, the longer may a look
// wait that a probe asks for: an unlistedTrust-th of that time, unlistedMost at most. Of who never
// did, the first submission counts. That is from when there is a doubt: since then somebody may have been there with
// nothing to show for it, that is no listed row of within unlistedBeside before they were seen (sites say that some
// minutes late). Without a doubt, a look waits unlistedSure times as long, and
// twice unlistedMost at most. Accounts are asked about less often, too: after an unlistedAsk-th of the wait.
const (
	unlistedTrust   = 5
	unlistedMost    = 28 * 24 * time.Hour
	unlistedBeside  = 90 * time.Minute
	unlistedSure    = 4
	unlistedAsk     = 8
	unlistedAskMost = 18 * time.Hour
	// partialFails is how many passes that fail, in a row, end the belief that a feed shows what is
	// submitted: that is after an hour and a half.
	partialFails = 5
	// partialRecent is how long ago those have submitted something at most who are asked about when the
	// feed is not enough.
	partialRecent = 60 * 24 * time.Hour
)

// listedWait is how long a look at account a may wait, of listedArgs.
const listedWait = `least(greatest(CAST(@within AS interval), (CAST(@now AS timestamptz) - coalesce(a.unlisted_at,
	(SELECT min(submitted_at) FROM submissions s WHERE s.member_id = a.member_id AND s.account_id = a.id), a.created_at)) / @trust), CAST(@longest AS interval))`

// doubted is since when there is a doubt about account a that was there: the one that was, until a look has begun
// after it, or since what is known.
const doubted = `CASE WHEN a.doubt_since >= a.complete_until THEN a.doubt_since ELSE greatest(a.complete_until, a.fed_until) END`

// listedAsk is after how long it is asked about again.
const listedAsk = `least(` + listedWait + ` / @ask, CAST(@ask_most AS interval))`

func listedArgs(within time.Duration) map[string]any {
	return pg.Named("within", interval(within), "beside", interval(unlistedBeside), "sure", unlistedSure, "trust", unlistedTrust, "longest", interval(unlistedMost), "ask", unlistedAsk, "ask_most", interval(unlistedAskMost))
}

// partialFeed returns what was read of a probed site's feed, nil where there is none or it was not read of late.
// A feed that is whole stands for looks by itself, and no site has one and probes.
func partialFeed(ctx context.Context, tx *gorm.DB, site string, now time.Time) (*Feed, error) {
	var f Feed
	err := tx.WithContext(ctx).Raw(`SELECT * FROM site_feeds WHERE site = @site AND kind = @kind AND since IS NOT NULL AND until > @fresh AND failures < @fails`,
		pg.Named("fails", partialFails, "site", site, "kind", KindFeed, "fresh", now.Add(-feedFresh))).Scan(&f).Error
	if err != nil {
		return nil, fmt.Errorf("feed of %s: %w", site, err)
	}
	if f.Site == "" {
		return nil, nil
	}
	return &f, nil
}

// listed puts off the looks at those of whom a partial feed has shown all that it lists: without a hole
// since it was known, or with one before which they were on the site for the last time. It
// returns who they are. Rows whose verdicts may change are looked at as ever.
func (p *Probe) listed(ctx context.Context, tx *gorm.DB, f *Feed, r Rule, now time.Time) (ids []int64, err error) {
	if f == nil {
		return nil, nil
	}
	var atMost *string // Where an admin wants no longer waits.
	if r.MaxWait > 0 {
		atMost = new(interval(time.Duration(r.MaxWait) * 24 * time.Hour))
	}
	args := pg.Named("news", &p.News, "seen", &p.Seen, "unknown", &p.Unknown, "now", now, "until", f.Until, "since", f.Since, "hole_since", f.HoleSince, "hole_from", f.HoleFrom, "hole_until", f.HoleUntil, "began", p.Began, "hole", f.inHole(), "at_most", atMost,
		"overlap", interval(p.Overlap), "open", interval(openFor), "every", interval(p.Every), "pending", now.Add(-pendingAtMost))
	maps.Copy(args, listedArgs(p.Within))
	err = tx.WithContext(ctx).Raw(`
		WITH seen AS MATERIALIZED (
			SELECT n.*, CASE WHEN (a.doubt_since >= a.complete_until) IS NOT TRUE
				AND n.at > 'epoch' AND n.at <= a.newest_at + CAST(@beside AS interval) AND a.newest_at IS DISTINCT FROM a.unlisted_at THEN NULL ELSE `+doubted+` END AS doubt
			FROM unnest(CAST(@news AS bigint[]), CAST(@seen AS timestamptz[])) AS n(id, at) JOIN accounts a USING (id))
		UPDATE accounts a SET delay = 0, fed_until = greatest(a.fed_until, CAST(@until AS timestamptz)), doubt_since = n.doubt,
			due_at = greatest(CAST(@now AS timestamptz), least(
				a.complete_until + CAST(@at_most AS interval),
				coalesce(n.doubt + `+listedWait+`, a.complete_until + least(`+listedWait+` * @sure, CAST(@longest AS interval) * 2)),
				CASE WHEN a.open_at + CAST(@overlap AS interval) > a.last_retrieved_at THEN a.open_at + CAST(@overlap AS interval) + CAST(@open AS interval) END)),
			probed_at = CASE WHEN @hole THEN a.probed_at ELSE greatest(a.probed_at, CAST(@now AS timestamptz) - CAST(@every AS interval) + `+listedAsk+`) END
		FROM seen n
		WHERE a.id = n.id AND a.state = 'active' AND a.failures = 0 AND a.not_found = 0 AND a.missing = 0 AND a.requested_at IS NULL AND NOT a.look_wanted AND a.dirty_from IS NULL -- A look that died is made again.
			AND (a.leased_until IS NULL OR a.leased_until <= @now) AND (a.id = ANY(CAST(@unknown AS bigint[]))) IS NOT TRUE
			AND (greatest(a.complete_until, a.fed_until) >= @since
				OR greatest(a.complete_until, a.fed_until) >= @hole_since AND n.at > 'epoch' AND n.at < @hole_from
					AND CAST(@hole_until AS timestamptz) = @since AND CAST(@began AS timestamptz) >= @hole_until) -- What was answered before is not of all of the hole.
			AND NOT EXISTS (SELECT FROM submissions s WHERE s.account_id = a.id AND s.status = 'PENDING' AND s.submitted_at > @pending)
		RETURNING a.id`, args).Scan(&ids).Error
	if err != nil {
		return nil, fmt.Errorf("who is listed: %w", err)
	}
	return ids, nil
}

// inHole says that the feed shows nothing yet but what is behind a hole, and that nobody was asked
// about who may have submitted something in it.
func (f *Feed) inHole() bool {
	return f.Since != nil && f.HoleUntil != nil && f.HoleUntil.Equal(*f.Since) && !f.HoleAsked
}

// stoodStill says that a list shows nothing newer than of a moment, and did at the last pass, as long ago then.
func (f *Feed) stoodStill(late time.Time) bool {
	return f.Until != nil && f.PassedAt != nil && !f.Until.After(late) && f.Until.After(f.PassedAt.Add(-feedFresh))
}

// askSoon lets those who have submitted something lately be asked about together next: a partial feed has
// a hole, is not read any more, or fails. Who was not on the site needs no look. Those who are known too lately
// to be asked about wait together until all of them may be.
func askSoon(ctx context.Context, tx *gorm.DB, site string, now time.Time) error {
	err := tx.WithContext(ctx).Exec(`
		WITH mine AS MATERIALIZED (SELECT id FROM accounts WHERE site = @site AND state = 'active' AND newest_at > @since ORDER BY id FOR NO KEY UPDATE)
		UPDATE accounts a SET probed_at = least(a.probed_at, CASE WHEN a.complete_until > @looked THEN CAST(@later AS timestamptz) ELSE 'epoch' END) FROM mine WHERE a.id = mine.id`,
		pg.Named("site", site, "since", now.Add(-partialRecent), "looked", now.Add(-ProbeEarly), "later", now.Add(ProbeEarly-ProbeEvery))).Error
	if err != nil {
		return fmt.Errorf("ask soon about %s: %w", site, err)
	}
	return nil
}
