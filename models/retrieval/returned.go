package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// SignedIn notes that a member signed in: whoever comes back here may be back on the sites.
func SignedIn(ctx context.Context, db *gorm.DB, memberID int64, now time.Time) error {
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		return returned(ctx, tx, memberID, SourceSignIn, now)
	})
	if err != nil {
		return fmt.Errorf("note that member %d signed in: %w", memberID, err)
	}
	return nil
}

// wasQuiet says whether an account, as it was claimed, had shown nothing new for days. Its
// delay does not tell: a bulk check with news has set it to 0 by then.
func wasQuiet(a *members.Account, now time.Time) bool {
	return a.LastRetrievedAt != nil && (a.NewestAt == nil || a.NewestAt.Before(now.AddDate(0, 0, -delayDivisor)))
}

// returned makes due the member's quiet accounts, those that wait for more than a day. Who
// was fetched within the last day is left alone, so that signing in often costs nothing, and
// so is who is being fetched or planned by somebody else.
func returned(ctx context.Context, tx *gorm.DB, memberID int64, source Source, now time.Time) error {
	var quiet []int64
	err := tx.WithContext(ctx).Raw(`
		SELECT account_id FROM account_schedule
		WHERE account_id IN (SELECT id FROM accounts WHERE member_id = @member) AND state = 'active' AND failures = 0 AND delay >= @delay
			AND last_attempt_at < @recent AND due_at > @now AND (leased_until IS NULL OR leased_until <= @now)
		ORDER BY account_id FOR NO KEY UPDATE SKIP LOCKED`,
		pg.Named("member", memberID, "delay", delayDivisor, "recent", now.AddDate(0, 0, -1), "now", now)).Scan(&quiet).Error
	if err != nil {
		return fmt.Errorf("quiet accounts of member %d: %w", memberID, err)
	}
	if len(quiet) == 0 {
		return nil
	}
	return dueNow(ctx, tx, quiet, source, now)
}
