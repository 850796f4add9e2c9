package posts

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// heldBack is the share of a quota that is left alone: a request that was counted
// in one window may arrive in the next.
const heldBack = 100

// spent is how many posts of a month a credential c has paid for, or may have to for what
// is under way. What somebody reserved who died is forgotten when nobody has reserved for
// so long that nothing can be under way.
const spent = `CASE WHEN c.budget_month = CAST(@month AS date) AND c.used_at > @idle THEN c.budget_used
	ELSE (SELECT CAST(coalesce(sum(charged), 0) AS bigint) FROM credential_days d WHERE d.credential_id = c.id AND d.day >= CAST(@month AS date)) END`

// spentIdle is some leases.
const spentIdle = time.Hour

// usable is what holds of a credential c that may be asked with at @now.
const usable = `c.state = 'active' AND (c.cooldown_until IS NULL OR c.cooldown_until <= @now)
	AND (c.reset_at IS NULL OR c.reset_at <= @now OR c.remaining > c.quota / @held)
	AND (c.monthly_posts IS NULL OR c.monthly_posts - @batch >= ` + spent + `)`

// ReserveRequests takes at most n requests off the quota of a credential of a
// pool, the one with most left, before anything is claimed for them, and the batch of posts
// that each may bring off its month's budget. got is 0 where none may be asked with now.
func ReserveRequests(ctx context.Context, db *gorm.DB, pool Pool, n, batch int, now time.Time) (c Credential, got int, err error) {
	now = now.UTC()
	month := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	var row struct {
		Credential `gorm:"embedded"`
		Got        int
	}
	err = db.WithContext(ctx).Raw(`
		WITH best AS MATERIALIZED (
			SELECT c.id, fresh, base, `+spent+` AS spent, least(@n, (c.monthly_posts - `+spent+`) / @batch, base - c.quota / @held) AS got
			FROM credentials c, LATERAL (SELECT c.reset_at IS NULL OR c.reset_at <= @now AS fresh) f, LATERAL (SELECT CASE WHEN fresh THEN c.quota ELSE c.remaining END AS base) b
			WHERE c.network = @network AND c.host = @host AND `+usable+`
			ORDER BY base DESC, c.id LIMIT 1 FOR UPDATE OF c)
		UPDATE credentials c SET used_at = @now, reset_at = CASE WHEN fresh THEN CAST(@now AS timestamptz) + c.window_seconds * interval '1 second' ELSE c.reset_at END, remaining = base - got,
			budget_month = CASE WHEN c.monthly_posts IS NOT NULL THEN CAST(@month AS date) END, budget_used = CASE WHEN c.monthly_posts IS NULL THEN 0 ELSE spent + got * @batch END
		FROM best WHERE c.id = best.id
		RETURNING c.*, got`,
		pg.Named("network", pool.Network, "host", pool.Host, "n", n, "batch", batch, "held", heldBack, "now", now, "month", month, "idle", now.Add(-spentIdle))).Scan(&row).Error
	if err != nil {
		return Credential{}, 0, fmt.Errorf("reserve requests of %s: %w", pool, err)
	}
	return row.Credential, row.Got, nil
}

// GiveBack returns requests that were reserved and not made, within their window, and
// posts that were reserved, within their month: those that came were charged meanwhile.
func GiveBack(ctx context.Context, db *gorm.DB, c *Credential, requests, posts int) error {
	if requests <= 0 && posts <= 0 {
		return nil
	}
	err := db.WithContext(ctx).Exec(`
		UPDATE credentials SET remaining = remaining + CASE WHEN reset_at = @reset THEN @requests ELSE 0 END, budget_used = budget_used - CASE WHEN budget_month = CAST(@month AS date) THEN @posts ELSE 0 END
		WHERE id = @id`, pg.Named("id", c.ID, "requests", max(requests, 0), "reset", c.ResetAt, "posts", max(posts, 0), "month", c.BudgetMonth)).Error
	if err != nil {
		return fmt.Errorf("give back requests: %w", err)
	}
	return nil
}

// charge are the parts of a statement that add what credentials were used for, and what they
// paid for, to their @today and to the month that is counted: the rows of costs
// (credential_id, requests, posts, charged), one for each.
const charge = `
	days AS (
		INSERT INTO credential_days AS d (credential_id, day, requests, posts, charged)
		SELECT c.id, CAST(@today AS date), costs.requests, costs.posts, costs.charged FROM costs JOIN credentials c ON c.id = credential_id
		ON CONFLICT (credential_id, day) DO UPDATE SET requests = d.requests + EXCLUDED.requests, posts = d.posts + EXCLUDED.posts, charged = d.charged + EXCLUDED.charged),
	months AS (
		UPDATE credentials c SET budget_used = c.budget_used + costs.charged FROM costs
		WHERE c.id = costs.credential_id AND costs.charged > 0 AND c.budget_month = date_trunc('month', CAST(@today AS date)))`

// A Reported is what an answer told of the credential.
type Reported struct {
	Quota *ReportedQuota
	// What is to become of the credential: "" for nothing, or a state, or "cooldown".
	Then   string
	Until  time.Time // Of the cool-down.
	Reason string
	Failed bool // The network failed. After five in a row it is left alone for a minute.
}

// A ReportedQuota is a quota as headers tell it.
type ReportedQuota struct {
	Limit, Remaining int
	Reset            time.Time
}

// Cooldown is Told.Then for a credential that is left alone for a while.
const Cooldown = "cooldown"

// A credential is left alone for breakFor after breakAfter failures in a row.
const (
	breakAfter = 5
	breakFor   = time.Minute
)

// LearnCredential takes in what an answer told: its quota is what the headers say
// where that is less than what we counted, for others may use it, too. A window
// that ends later is another one, or the same told more exactly. Mostly an answer
// tells what is known; then nothing is written, and nobody is waited for.
func LearnCredential(ctx context.Context, db *gorm.DB, id int64, t Reported, now time.Time) error {
	var limit, remaining *int
	var reset, cooldown *time.Time
	if q := t.Quota; q != nil && q.Limit > 0 && q.Reset.After(now) {
		end := q.Reset.Add(time.Second) // Headers tell whole seconds.
		limit, remaining, reset = &q.Limit, &q.Remaining, &end
	}
	if t.Then == Cooldown {
		cooldown = &t.Until
	}
	err := db.WithContext(ctx).Exec(`
		UPDATE credentials SET quota = coalesce(CAST(@limit AS integer), quota), remaining = least(remaining + greatest(coalesce(CAST(@limit AS integer), quota) - quota, 0), coalesce(CAST(@remaining AS integer), remaining)),
			reset_at = greatest(reset_at, CAST(@reset AS timestamptz)),
			failures = CASE WHEN @failed THEN failures + 1 ELSE 0 END,
			state = CASE WHEN @then IN ('paused', 'disabled') THEN @then ELSE state END,
			cooldown_until = CASE WHEN CAST(@cooldown AS timestamptz) IS NOT NULL THEN greatest(cooldown_until, CAST(@cooldown AS timestamptz))
				WHEN @failed AND failures + 1 >= @many THEN greatest(cooldown_until, CAST(@break AS timestamptz)) ELSE cooldown_until END,
			reason = CASE WHEN @reason <> '' THEN @reason WHEN state = 'active' AND (cooldown_until IS NULL OR cooldown_until <= @now) THEN '' ELSE reason END
		WHERE id = @id AND (@failed OR failures > 0 OR @then <> '' OR @reason <> '' OR quota <> CAST(@limit AS integer) OR remaining > CAST(@remaining AS integer)
			OR reset_at IS NULL AND CAST(@reset AS timestamptz) IS NOT NULL OR reset_at < CAST(@reset AS timestamptz)
			OR reason <> '' AND state = 'active' AND (cooldown_until IS NULL OR cooldown_until <= @now))`,
		pg.Named("id", id, "limit", limit, "remaining", remaining, "reset", reset, "failed", t.Failed, "then", t.Then, "cooldown", cooldown, "many", breakAfter, "break", now.Add(breakFor),
			"reason", pg.CleanText(t.Reason), "now", now)).Error
	if err != nil {
		return fmt.Errorf("learn of a credential: %w", err)
	}
	return nil
}

// ReserveOne takes one more request off the quota of a credential, and the posts that it may
// bring beside those that were reserved, or reports that there is none.
func ReserveOne(ctx context.Context, db *gorm.DB, id int64, posts int, now time.Time) (bool, error) {
	res := db.WithContext(ctx).Exec(`
		UPDATE credentials c SET used_at = @now, reset_at = CASE WHEN fresh THEN CAST(@now AS timestamptz) + window_seconds * interval '1 second' ELSE c.reset_at END,
			remaining = CASE WHEN fresh THEN quota ELSE remaining END - 1, budget_used = budget_used + CASE WHEN budget_month IS NULL THEN 0 ELSE @posts END
		FROM (SELECT id, reset_at IS NULL OR reset_at <= @now AS fresh FROM credentials WHERE id = @id FOR UPDATE) o
		WHERE c.id = o.id AND state = 'active' AND (cooldown_until IS NULL OR cooldown_until <= @now) AND (fresh OR remaining > quota / @held)
			AND (budget_month IS NULL OR monthly_posts IS NULL OR monthly_posts - @posts >= budget_used)`, pg.Named("id", id, "held", heldBack, "posts", posts, "now", now))
	if res.Error != nil {
		return false, fmt.Errorf("reserve a request: %w", res.Error)
	}
	return res.RowsAffected == 1, nil
}
