package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// Request is the button: every delay of the member becomes 0 and its
// accounts are fetched before all routine work. It returns when the request
// was made, which lies in the past where one is still running: a member has one
// at a time. A request that went well starts the cool-down; one that failed
// does not, so that nobody waits twice for a broken site. Accounts on a site
// that is not asked now are left for when it is: they are due then.
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
		return ask(ctx, tx, &m, accounts, now)
	})
	if err != nil {
		return at, fmt.Errorf("request retrieval of member %d: %w", memberID, err)
	}
	return at, nil
}

func ask(ctx context.Context, tx *gorm.DB, m *members.Member, accounts []members.Account, now time.Time) error {
	if !askable(accounts) {
		return &pg.InputError{Field: "accounts", Message: "there is no handle to retrieve from yet: add one in the settings first"}
	}
	var suspended []int64 // A lease that was taken at this very instant began before the request.
	err := tx.WithContext(ctx).Raw(queries.Must("request"),
		pg.Named("now", now, "id", m.ID, "progress", pg.ChannelProgress, "asked", pg.ChannelAsked)).Scan(&suspended).Error
	if err != nil {
		return err
	}
	return dueNow(ctx, tx, suspended, SourceRequest, now)
}

// CoolsUntil returns when the button may be pressed again, and false where
// nothing holds it: never pressed, or the last press brought nothing from any
// site, or some site failed.
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

// running says whether some account still waits for the member's newest press.
// An ask for single accounts (see RequestAccounts) is not one.
func running(m *members.Member, accounts []members.Account) bool {
	for _, a := range accounts {
		if m.RequestedAt != nil && a.RequestedAt != nil && a.RequestedAt.Equal(*m.RequestedAt) && a.State != members.StatePaused {
			return true
		}
	}
	return false
}

func askable(accounts []members.Account) bool {
	for _, a := range accounts {
		if a.State != members.StatePaused {
			return true
		}
	}
	return false
}
