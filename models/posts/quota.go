package posts

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// reserve is the share of a quota that is left alone: a request that was counted
// in one window may arrive in the next.
const reserve = 100

// spentIdle is some leases.
const spentIdle = time.Hour

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
	err = db.WithContext(ctx).Raw(queries.Must("reserve"),
		pg.Named("network", pool.Network, "host", pool.Host, "n", n, "batch", batch, "reserve", reserve, "now", now, "month", month,
			"idle", now.Add(-spentIdle))).Scan(&row).Error
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
		UPDATE credentials SET remaining = remaining + CASE WHEN reset_at = @reset THEN @requests ELSE 0 END,
			budget_used = budget_used - CASE WHEN budget_month = CAST(@month AS date) THEN @posts ELSE 0 END
		WHERE id = @id`, pg.Named("id", c.ID, "requests", max(requests, 0), "reset", c.ResetAt, "posts", max(posts, 0),
		"month", c.BudgetMonth)).Error
	if err != nil {
		return fmt.Errorf("give back requests: %w", err)
	}
	return nil
}

// A Reported is what an answer said of the credential.
type Reported struct {
	Quota *ReportedQuota
	// What is to become of the credential: "" for nothing, or a state, or "cooldown".
	Then   string
	Until  time.Time // Of the cool-down.
	Reason string
	Failed bool // The network failed. After five in a row it is left alone for a minute.
}

// A ReportedQuota is a quota as headers give it.
type ReportedQuota struct {
	Limit, Remaining int
	Reset            time.Time
}

// Cooldown is Reported.Then for a credential that is left alone for a while.
const Cooldown = "cooldown"

// A credential is left alone for breakFor after breakAfter failures in a row.
const (
	breakAfter = 5
	breakFor   = time.Minute
)

// LearnCredential takes in what an answer said: its quota is what the headers say
// where that is less than what we counted, for others may use it, too. A window
// that ends later is another one, or the same more exactly. Mostly an answer
// says what is known; then nothing is written, and nobody is waited for.
func LearnCredential(ctx context.Context, db *gorm.DB, id int64, t Reported, now time.Time) error {
	var limit, remaining *int
	var reset, cooldown *time.Time
	if q := t.Quota; q != nil && q.Limit > 0 && q.Reset.After(now) {
		end := q.Reset.Add(time.Second) // Headers give whole seconds.
		limit, remaining, reset = &q.Limit, &q.Remaining, &end
	}
	if t.Then == Cooldown {
		cooldown = &t.Until
	}
	err := db.WithContext(ctx).Exec(queries.Must("learn"),
		pg.Named("id", id, "limit", limit, "remaining", remaining, "reset", reset, "failed", t.Failed, "then", t.Then,
			"cooldown", cooldown, "many", breakAfter, "break", now.Add(breakFor), "reason", pg.CleanText(t.Reason), "now", now)).Error
	if err != nil {
		return fmt.Errorf("learn of a credential: %w", err)
	}
	return nil
}

// ReserveOne takes one more request off the quota of a credential, and the posts that it may
// bring beside those that were reserved, or reports that there is none.
func ReserveOne(ctx context.Context, db *gorm.DB, id int64, posts int, now time.Time) (bool, error) {
	res := db.WithContext(ctx).Exec(queries.Must("reserve_one"), pg.Named("id", id, "reserve", reserve, "posts", posts, "now", now))
	if res.Error != nil {
		return false, fmt.Errorf("reserve a request: %w", res.Error)
	}
	return res.RowsAffected == 1, nil
}
