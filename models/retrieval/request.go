package retrieval

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// Request is the button: it sets every delay of the member to 0 and requests all accounts, before
// routine work. It returns when the request was made: a member has one at a time, so an earlier one
// that is still running counts. A request that went well starts the cool-down; one that failed does
// not, so that nobody waits twice for a broken site. Accounts on a site that is not asked now are
// made due instead.
func Request(ctx context.Context, db *gorm.DB, memberID int64, coolDown time.Duration, now time.Time) (time.Time, error) {
	at := now
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		m, err := members.Lock(ctx, tx, memberID)
		if err != nil {
			return err
		}
		accounts, err := members.AccountsOf(ctx, tx, memberID)
		if err != nil {
			return err
		}
		if running(&m, accounts) {
			at = *m.RequestedAt
			return nil
		}
		if until, cooling := CoolsUntil(&m, accounts, coolDown); cooling && until.After(now) {
			return &pg.Error{Code: pg.CodeLimited, Message: "this was updated recently", After: until.Sub(now)}
		}
		if !slices.ContainsFunc(accounts, func(a members.Account) bool { return a.State != members.StatePaused }) {
			return &pg.InputError{Field: "accounts", Message: "there is no handle to retrieve from yet: add one in the settings first"}
		}
		var suspended []int64
		err = tx.Raw(queries.Must("request"),
			pg.Named("now", now, "id", memberID, "progress", pg.ChannelProgress, "asked", pg.ChannelAsked)).Scan(&suspended).Error
		if err != nil {
			return err
		}
		return dueNow(ctx, tx, suspended, SourceRequest, now)
	})
	if err != nil {
		return at, fmt.Errorf("request retrieval of member %d: %w", memberID, err)
	}
	return at, nil
}

// CoolsUntil returns when the button may be pressed again, and false if it may be at once: it was
// never pressed, no site has answered, or some site failed.
func CoolsUntil(m *members.Member, accounts []members.Account, coolDown time.Duration) (time.Time, bool) {
	if m.RequestedAt == nil {
		return time.Time{}, false
	}
	well := false
	for _, a := range accounts {
		answered := a.LastAttemptAt != nil && !a.LastAttemptAt.Before(*m.RequestedAt)
		if a.State == members.StatePaused || !answered {
			continue
		}
		if a.Failing() {
			return time.Time{}, false
		}
		well = well || a.Outcome == pg.OutcomeOK
	}
	return m.RequestedAt.Add(coolDown), well
}

// running says whether some account still waits because of the button. RequestAccounts does not
// press it.
func running(m *members.Member, accounts []members.Account) bool {
	for _, a := range accounts {
		if m.RequestedAt != nil && a.RequestedAt != nil && a.RequestedAt.Equal(*m.RequestedAt) && a.State != members.StatePaused {
			return true
		}
	}
	return false
}

// RequestAccounts requests a member's accounts (on one site, or on all with site "") without regard to
// the cool-down, for an admin's command. It leaves out sites that are not asked now.
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
		return fmt.Errorf("request accounts of member %d: %w", memberID, err)
	}
	return nil
}

// RequestedAccounts returns the accounts that RequestAccounts was for, and whether some still wait. One
// on a site that is not asked now does not, and says why.
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
