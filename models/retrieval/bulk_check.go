package retrieval

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// A Probe is what a site said of many accounts at once.
type Probe struct {
	Site     string
	Began    time.Time
	Overlap  time.Duration // How long behind the newest row the site may still change or add one.
	Quiet    []int64       // Accounts that have nothing new,
	News     []int64       // and those that may have.
	Requests int
	Batch    int // How many accounts a question had at last; 0 where that does not matter.
	Outcome  string
	Message  string
}

// ProbeEvery is how often accounts are asked about: of twenty submissions nineteen are
// seen within half a day. Who has submitted nothing for dormantAfter is asked about
// every dormantEvery.
const (
	ProbeEvery   = 6 * time.Hour
	dormantAfter = 30 * 24 * time.Hour
	dormantEvery = 24 * time.Hour
)

// trusted is how long what a site says of many stands for retrievals: it may leave out what
// one would find, such as what a team-mate submits.
const trusted = 30 * 24 * time.Hour

// BatchOf returns how many accounts a question to a site had at last; 0: nobody asked.
func BatchOf(ctx context.Context, db *gorm.DB, site string) (batch int, err error) {
	if err = db.WithContext(ctx).Raw(`SELECT batch FROM site_feeds WHERE site = @site AND kind = @kind`, pg.Named("site", site, "kind", KindProbe)).Scan(&batch).Error; err != nil {
		return 0, fmt.Errorf("batch of %s: %w", site, err)
	}
	return batch, nil
}

// keepBatch keeps the size of questions to the site.
func (p *Probe) keepBatch(ctx context.Context, tx *gorm.DB) error {
	if p.Batch == 0 {
		return nil
	}
	return tx.WithContext(ctx).Exec(`
		INSERT INTO site_feeds AS f (site, kind, batch) VALUES (@site, @kind, @batch) ON CONFLICT (site, kind) DO UPDATE SET batch = EXCLUDED.batch WHERE f.batch <> EXCLUDED.batch`,
		pg.Named("site", p.Site, "kind", KindProbe, "batch", p.Batch)).Error
}

// FinishProbe takes in what a site said. Accounts that may have something new are
// due, at most once in ProbeEvery, and their delay is reset. Those that have nothing are
// complete until the probe began, but for a gap; where they are due before the next
// probe, the probe stands for that retrieval, as an empty one, and FinishProbe returns for
// how many it did. What somebody looks at meanwhile is left alone.
func FinishProbe(ctx context.Context, db *gorm.DB, p Probe, r Rule, now time.Time) (stands int, err error) {
	all := slices.Concat(p.Quiet, p.News)
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Exec(`SELECT FROM accounts WHERE id = ANY(CAST(@all AS bigint[])) ORDER BY id FOR NO KEY UPDATE`, pg.Named("all", &all)).Error; err != nil {
			return err // In this order, as others lock several.
		}
		err := tx.Exec(`
			WITH news AS (
				UPDATE accounts a SET due_at = least(due_at, greatest(@now, last_attempt_at + CAST(@every AS interval))), delay = 0 WHERE id = ANY(CAST(@news AS bigint[])))
			UPDATE accounts a SET complete_until = CASE WHEN missing = 0 THEN greatest(complete_until, CAST(@began AS timestamptz)) ELSE complete_until END,
				probed_at = greatest(probed_at, CAST(@now AS timestamptz)) + CASE WHEN coalesce(newest_at, created_at) < @dormant THEN CAST(@later AS interval) ELSE '0' END
			WHERE id = ANY(CAST(@quiet AS bigint[])) AND (leased_until IS NULL OR leased_until <= @now)`,
			pg.Named("now", now, "began", p.Began, "news", &p.News, "quiet", &p.Quiet, "every", interval(ProbeEvery), "dormant", now.Add(-dormantAfter), "later", interval(dormantEvery-ProbeEvery))).Error
		if err != nil {
			return err
		}
		if stands, err = p.stand(ctx, tx, now); err != nil {
			return err
		}
		if err := p.keepBatch(ctx, tx); err != nil {
			return err
		}
		if err := judgeMany(ctx, tx, p.Site, p.Outcome, p.Message, p.Requests, r.Rate, now); err != nil {
			return err
		}
		return countBulk(ctx, tx, p.Site, p.Outcome, p.Message, p.Requests, 0, now)
	})
	if err != nil {
		return 0, fmt.Errorf("finish a probe of %s: %w", p.Site, err)
	}
	return stands, nil
}

// stand settles the quiet accounts that would be due before their next probe.
func (p *Probe) stand(ctx context.Context, tx *gorm.DB, now time.Time) (int, error) {
	return standFor(ctx, tx, `a.id = ANY(CAST(@quiet AS bigint[])) AND a.due_at <= greatest(@now, a.probed_at) + CAST(@every AS interval) AND (a.leased_until IS NULL OR a.leased_until <= @now)`,
		pg.Named("quiet", &p.Quiet, "every", interval(ProbeEvery)), p.Began, p.Overlap, now)
}

// standFor settles accounts a as complete looks without news would: everything about
// them is known until a moment. It does so for those that which says are due, of args; not
// for those that the button wants looked at, that have news, whose newest verdict may
// have changed, that have rows that are being judged, or that nobody has really looked at
// for so long that this is not believed any more.
func standFor(ctx context.Context, tx *gorm.DB, which string, args map[string]any, until time.Time, overlap time.Duration, now time.Time) (int, error) {
	maps.Copy(args, pg.Named("now", now, "trusted", now.Add(-trusted), "overlap", interval(overlap), "pending", now.Add(-pendingAtMost)))
	var due []Due
	err := tx.WithContext(ctx).Raw(`
		SELECT a.*, m.time_zone FROM accounts a JOIN members m ON m.id = a.member_id
		WHERE `+which+` AND a.requested_at IS NULL AND a.new_rows = 0 AND a.last_attempt_at > @trusted
			AND (a.open_at IS NULL OR a.open_at + CAST(@overlap AS interval) <= a.last_attempt_at OR a.open_at + CAST(@overlap AS interval) > @now)
			AND NOT EXISTS (SELECT FROM submissions s WHERE s.account_id = a.id AND s.status = 'PENDING' AND s.submitted_at > @pending)
		ORDER BY a.id FOR NO KEY UPDATE OF a`, args).Scan(&due).Error
	if err != nil || len(due) == 0 {
		return 0, err
	}
	var ids, delays []int64
	var dues []time.Time
	for i := range due {
		a := &due[i].Account
		a.StartedAt = &until
		m := members.Member{TimeZone: due[i].TimeZone}
		at := now
		if a.DueAt.After(at) {
			at = a.DueAt // The look of then: that of the same day would be due again.
		}
		settleOK(a, m.Location(), at)
		if a.OpenAt != nil {
			if again := a.OpenAt.Add(overlap); again.After(now) && again.Before(a.DueAt) {
				a.DueAt = again
			}
		}
		ids, delays, dues = append(ids, a.ID), append(delays, int64(a.Delay)), append(dues, a.DueAt)
	}
	err = tx.WithContext(ctx).Exec(`
		UPDATE accounts a SET delay = g.delay, due_at = g.due, last_retrieved_at = @now, last_new = 0,
			complete_until = CASE WHEN a.missing = 0 THEN greatest(a.complete_until, CAST(@until AS timestamptz)) ELSE a.complete_until END
		FROM unnest(CAST(@ids AS bigint[]), CAST(@delays AS bigint[]), CAST(@dues AS timestamptz[])) AS g(id, delay, due) WHERE a.id = g.id`,
		pg.Named("now", now, "until", until, "ids", &ids, "delays", &delays, "dues", &dues)).Error
	return len(due), err
}
