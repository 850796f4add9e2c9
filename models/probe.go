package models

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
	Every    time.Duration // How often accounts are probed.
	Within   time.Duration // How old the oldest news may be when they are looked at.
	Overlap  time.Duration // How long behind the newest row the site may still change or add one.
	Quiet    []int64       // Accounts that have nothing new,
	News     []int64       // and those that may have.
	Kept     []int64       // Of these, those whose look needs no question any more (ClaimKept).
	Unknown  []int64       // Of these, those whose handle is not known.
	Seen     []time.Time   // When each of News was on the site last, at the latest; zero: nobody knows.
	Requests int
	Batch    int // How many accounts a question had at last; 0 where that does not matter.
	Outcome  string
	Message  string
	Told     ProbeTold
	Whole    bool // The answer showed of each account all that a look would.
}

// What a site says of many at once may leave out what a look would find, so its word
// stands for looks for half of the time since the newest submission, within
// these bounds; where it leaves out nothing, for trustMost.
const (
	trustIdle  = 2
	trustLeast = 30 * 24 * time.Hour
	trustMost  = 180 * 24 * time.Hour

	// That much longer where a list shows most of what is submitted, by team-mates, too, and the
	// account has never shown what it leaves out.
	trustListed = 2
)

// Who has submitted nothing for long is asked about less often: a probeDormant-th of
// the time since the newest submission passes, a day at most. Where a site does not take
// many accounts in a question, a probeIdle-th, probeLatest at most, and the less the more
// accounts share a question.
const (
	probeDormant       = 120
	probeDormantLatest = 24 * time.Hour
	probeIdle          = 8
	probeLatest        = 3 * 24 * time.Hour
	probeShared        = 500 * time.Hour // Over the accounts of a question: five hours for a hundred.
)

// keptFor is how long those who probed have to look at what they have been answered
// already. If they die, others look.
const keptFor = 15 * time.Minute

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
// due before that is older than p.Within, so that what they do until then comes along;
// their delay is reset. Those that have nothing are complete until
// the probe began, but for a gap; where their next look is due before the next probe, the probe
// stands for it, as an empty one, and FinishProbe returns for how many it did. It
// does not where rows may still change, nor for ever after the last look. What
// somebody looks at meanwhile is left alone. Where a feed shows most of what people submit, those
// whom it covers wait for longer: see listed.
func FinishProbe(ctx context.Context, db *gorm.DB, p Probe, r Rule, now time.Time) (stands int, err error) {
	all := slices.Concat(p.Quiet, p.News, p.Told.Rated, p.Told.Shown)
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Exec(`SELECT FROM accounts WHERE id = ANY(CAST(@all AS bigint[])) ORDER BY id FOR NO KEY UPDATE`, pg.Named("all", &all)).Error; err != nil {
			return err // In this order, as others lock several.
		}
		if err := p.Told.keepRatings(ctx, tx, p.Began, p.Overlap+openFor, now); err != nil {
			return err
		}
		feed, err := partialFeed(ctx, tx, p.Site, p.Began)
		if err != nil {
			return err
		}
		listed, err := p.listed(ctx, tx, feed, r, now)
		if err != nil {
			return err
		}
		args := pg.Named("now", now, "began", p.Began, "news", &p.News, "listed", &listed, "fed", feed != nil && !feed.inHole(), "kept", &p.Kept, "unknown", &p.Unknown, "later", now.Add(keptFor), "quiet", &p.Quiet, "dormant", probeDormant, "dormant_latest", interval(probeDormantLatest),
			"batched", p.Batch > 0, "idle", probeIdle, "most", interval(min(probeLatest, probeShared/time.Duration(max(1, p.Batch)))), "every", interval(p.Every))
		maps.Copy(args, listedArgs(p.Within))
		err = tx.Exec(`
			WITH news AS (
				UPDATE accounts a SET doubt_since = `+doubted+`, due_at = least(due_at, CASE WHEN id = ANY(CAST(@kept AS bigint[])) THEN CAST(@later AS timestamptz) WHEN id = ANY(CAST(@unknown AS bigint[])) THEN @now
					ELSE greatest(@now, CASE WHEN missing = 0 THEN greatest(complete_until, fed_until) ELSE last_retrieved_at END + CAST(@within AS interval)) END), delay = 0
				WHERE id = ANY(CAST(@news AS bigint[])) AND (id = ANY(CAST(@listed AS bigint[]))) IS NOT TRUE)
			UPDATE accounts a SET complete_until = CASE WHEN missing = 0 THEN greatest(complete_until, CAST(@began AS timestamptz)) ELSE complete_until END,
				probed_at = greatest(probed_at, CAST(@now AS timestamptz) - CAST(@every AS interval) + greatest(
					least((CAST(@now AS timestamptz) - coalesce(newest_at, created_at)) / @dormant, CAST(@dormant_latest AS interval)),
					CASE WHEN @batched THEN least((CAST(@now AS timestamptz) - newest_at) / @idle, CAST(@most AS interval)) END,
					CASE WHEN @fed THEN `+listedAsk+` END))
			WHERE id = ANY(CAST(@quiet AS bigint[])) AND (leased_until IS NULL OR leased_until <= @now)`, args).Error
		if err != nil {
			return err
		}
		if stands, err = p.stand(ctx, tx, feed != nil && !feed.inHole(), r, now); err != nil {
			return err
		}
		if err := p.keepBatch(ctx, tx); err != nil {
			return err
		}
		if err := judgeMany(ctx, tx, p.Site, p.Outcome, p.Message, p.Requests, r.Rate, now); err != nil {
			return err
		}
		if err := p.Told.keepPage(ctx, tx, p.Site, now); err != nil {
			return err
		}
		return countBulk(ctx, tx, p.Site, p.Outcome, p.Message, p.Requests, 0, now)
	})
	if err != nil {
		return 0, fmt.Errorf("finish a probe of %s: %w", p.Site, err)
	}
	return stands, nil
}

// stand settles the quiet accounts that would be due before their next probe. What
// is still changing, a probe does not see, so a look must when it has changed; what it
// cannot read, a look must.
func (p *Probe) stand(ctx context.Context, tx *gorm.DB, fed bool, r Rule, now time.Time) (int, error) {
	return standFor(ctx, tx, `a.id = ANY(CAST(@quiet AS bigint[])) AND a.due_at <= greatest(@soon, a.probed_at + CAST(@every AS interval)) AND NOT a.look_wanted AND (a.leased_until IS NULL OR a.leased_until <= @now)
			AND (a.open_at IS NULL OR a.open_at + CAST(@overlap AS interval) <= a.last_retrieved_at OR a.open_at + CAST(@overlap AS interval) > @now)
			AND a.new_rows = 0`, // What a round's list brought says nothing of what was beside it: a look reads that.
		pg.Named("quiet", &p.Quiet, "soon", now.Add(p.Every), "every", interval(p.Every), "overlap", interval(p.Overlap)), word{p.Began, p.Overlap, p.Whole, fed, openFor}, r, now)
}

// A word is what a site said of many accounts at once.
type word struct {
	until   time.Time     // Everything is known until then.
	overlap time.Duration // Of the site.
	whole   bool          // It leaves out nothing that a look would find.
	listed  bool          // What most do would have been in a feed.
	// open is how long after overlap a row is looked at whose verdict this says nothing of; 0
	// where the word is of verdicts, too.
	open time.Duration
}

// openFor is for how long what may change waits for a round that is read again: longer than
// most rounds last.
const openFor = 6 * time.Hour

// standFor settles accounts a as complete looks would: everything about them is
// known until the moment of the word. It does so for those that which says are due, of args; not
// for those that the button wants looked at, that have rows that are being judged,
// or that nobody has really looked at for so long that this is not believed any more
// (trustMost, where what was said is whole; trustListed times as long, where a list showed the rest).
func standFor(ctx context.Context, tx *gorm.DB, which string, args map[string]any, said word, r Rule, now time.Time) (int, error) {
	least := trustLeast
	if said.whole {
		least = trustMost
	}
	maps.Copy(args, pg.Named("now", now, "least", interval(least), "most", interval(trustMost), "trust", trustIdle, "listed", said.listed, "longer", trustListed, "pending", now.Add(-pendingAtMost)))
	var due []Due
	err := tx.WithContext(ctx).Raw(`
		SELECT a.*, m.time_zone FROM accounts a JOIN members m ON m.id = a.member_id
		WHERE `+which+` AND a.requested_at IS NULL AND a.last_attempt_at > CAST(@now AS timestamptz) - CASE WHEN @listed AND a.unlisted_at IS NULL THEN @longer ELSE 1 END
				* least(greatest((CAST(@now AS timestamptz) - coalesce(a.newest_at, a.created_at)) / @trust, CAST(@least AS interval)), CAST(@most AS interval))
			AND NOT EXISTS (SELECT FROM submissions s WHERE s.account_id = a.id AND s.status = 'PENDING' AND s.submitted_at > @pending)
		ORDER BY a.id FOR NO KEY UPDATE OF a`, args).Scan(&due).Error
	if err != nil || len(due) == 0 {
		return 0, err
	}
	var ids, delays, news, moved []int64
	var dues []time.Time
	for i := range due {
		a := &due[i].Account
		if a.NewRows > 0 {
			moved = append(moved, a.ID)
		}
		a.StartedAt = &said.until
		m := members.Member{TimeZone: due[i].TimeZone}
		at := now
		if a.DueAt.After(at) {
			at = a.DueAt // The look of then: that of the same day would be due again.
		}
		a.settleOK(r, m.Location(), at)
		if said.open > 0 && a.OpenAt != nil {
			if again := a.OpenAt.Add(said.overlap + said.open); again.After(now) && again.Before(a.DueAt) {
				a.DueAt = again
			}
		}
		ids, delays, news, dues = append(ids, a.ID), append(delays, int64(a.Delay)), append(news, int64(a.LastNew)), append(dues, a.DueAt)
	}
	err = tx.WithContext(ctx).Exec(`
		UPDATE accounts a SET delay = g.delay, due_at = g.due, last_retrieved_at = @now, complete_until = CASE WHEN a.missing = 0 THEN greatest(a.complete_until, CAST(@until AS timestamptz)) ELSE a.complete_until END, last_new = g.news, new_rows = 0
		FROM unnest(CAST(@ids AS bigint[]), CAST(@delays AS bigint[]), CAST(@news AS bigint[]), CAST(@dues AS timestamptz[])) AS g(id, delay, news, due) WHERE a.id = g.id`,
		pg.Named("now", now, "until", said.until, "ids", &ids, "delays", &delays, "news", &news, "dues", &dues)).Error
	if err == nil && len(moved) > 0 {
		err = moveCursors(ctx, tx, moved, said.overlap, now)
	}
	return len(due), err
}
