package retrieval

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// RequestAccounts asks for a fetch of a member's accounts (of one site, or of all
// with site "") without regard to the cool-down, for an admin's command. A site
// that is not asked now is left out.
func RequestAccounts(ctx context.Context, db *gorm.DB, memberID int64, site string, now time.Time) error {
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if _, err := members.Lock(ctx, tx, memberID); err != nil {
			return err
		}
		return tx.Exec(`
			UPDATE account_schedule SET delay = 0, requested_at = @now
			WHERE account_id IN (SELECT id FROM accounts WHERE member_id = @id) AND state <> 'paused' AND requested_at IS NULL
				AND (@site = '' OR site = @site) AND site NOT IN (SELECT site FROM suspended_sites)`,
			pg.Named("now", now, "id", memberID, "site", site)).Error
	})
	if err != nil {
		return fmt.Errorf("ask for accounts of member %d: %w", memberID, err)
	}
	return nil
}

// RequestedAccounts returns the accounts that RequestAccounts meant, and whether some
// still wait for their fetch. One on a site that is not asked says so instead.
func RequestedAccounts(ctx context.Context, db *gorm.DB, memberID int64, site string, asked time.Time) (
	accounts []members.Account, waiting bool, err error) {
	all, err := members.AccountsOf(ctx, db, memberID)
	if err != nil {
		return nil, false, err
	}
	suspended, err := SuspendedCircuits(ctx, db)
	if err != nil {
		return nil, false, err
	}
	for _, a := range all {
		if a.State == members.StatePaused || site != "" && a.Site != site {
			continue
		}
		waits := a.RequestedAt != nil || a.LastAttemptAt == nil || a.LastAttemptAt.Before(asked)
		if c, ok := suspended[a.Site]; ok && waits && !a.Leased(asked) {
			a.Outcome, a.Message, waits = cmp.Or(c.Outcome, pg.OutcomeUnreachable), c.Why(), false
		}
		accounts, waiting = append(accounts, a), waiting || waits
	}
	return accounts, waiting, nil
}
