package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// A Due account comes with its member's time zone.
type Due struct {
	members.Account
	TimeZone string
}

// ClaimRequested leases up to limit accounts of a site whose members pressed the button, in the
// order of their requests, even during a Retry-After, because somebody waits for the answer. A
// fetch that began before the button was pressed and has no page yet is taken over: it waits for
// its slot with routine work.
func ClaimRequested(ctx context.Context, db *gorm.DB, site string, lease pg.Lease, limit int, now time.Time) ([]Due, error) {
	return claim(ctx, db, lease, now, queries.Must("claim_requested"), pg.Named("site", site, "limit", limit, "now", now))
}

// ClaimDue leases up to limit accounts of a site that are due, the longest overdue first. Other
// workers pass them over until the lease ends, so a worker that dies costs time and no account.
func ClaimDue(ctx context.Context, db *gorm.DB, site string, lease pg.Lease, limit int, now time.Time) ([]Due, error) {
	return claim(ctx, db, lease, now, queries.Must("claim_due"), pg.Named("site", site, "limit", limit, "now", now))
}

// ClaimMember leases all of a member's accounts that are requested and not being fetched.
func ClaimMember(ctx context.Context, db *gorm.DB, memberID int64, lease pg.Lease, now time.Time) ([]Due, error) {
	return claim(ctx, db, lease, now, queries.Must("claim_member"), pg.Named("member", memberID, "now", now))
}

// ClaimTrial leases the account that is tried once the pause of an open circuit is over. One process
// gets it; if that dies, the trial is repeated when its lease has ended.
func ClaimTrial(ctx context.Context, db *gorm.DB, site string, lease pg.Lease, now time.Time) ([]Due, error) {
	return claim(ctx, db, lease, now, queries.Must("claim_trial"), pg.Named("site", site, "now", now, "until", now.Add(lease.For)))
}

// claim leases the accounts that a statement locks.
func claim(ctx context.Context, db *gorm.DB, lease pg.Lease, now time.Time, statement string, args map[string]any) (due []Due, err error) {
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var ids []int64
		if err := tx.Raw(statement, args).Scan(&ids).Error; err != nil || len(ids) == 0 {
			return err
		}
		err := tx.Exec(`
			UPDATE account_schedule SET leased_until = @until, lease_id = @lease, started_at = @now, page = 0
			WHERE account_id = ANY(CAST(@ids AS bigint[]))`,
			pg.Named("ids", &ids, "now", now, "until", now.Add(lease.For), "lease", lease.ID)).Error
		if err == nil {
			due, err = accountsOf(ctx, tx, ids)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("claim accounts: %w", err)
	}
	return due, nil
}

// accountsOf reads accounts by their ids.
func accountsOf(ctx context.Context, tx *gorm.DB, ids []int64) (list []Due, err error) {
	err = tx.WithContext(ctx).Raw(`
		SELECT `+pg.Columns[members.Account]("a")+`, m.time_zone FROM account_details a JOIN members m ON m.id = a.member_id
		WHERE a.id = ANY(CAST(@ids AS bigint[])) ORDER BY a.id`, pg.Named("ids", &ids)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read accounts: %w", err)
	}
	return list, nil
}

// lockAccounts locks accounts in the order in which everybody locks several, and then reads them: a
// statement that locks and reads at once may return what was there before the lock.
func lockAccounts(ctx context.Context, tx *gorm.DB, ids []int64) ([]Due, error) {
	err := tx.WithContext(ctx).Exec(`
		SELECT account_id FROM account_schedule WHERE account_id = ANY(CAST(@ids AS bigint[])) ORDER BY account_id FOR NO KEY UPDATE`,
		pg.Named("ids", &ids)).Error
	if err != nil {
		return nil, fmt.Errorf("lock accounts: %w", err)
	}
	return accountsOf(ctx, tx, ids)
}

// ReleaseLease gives an account back as it was, because the process stops.
func ReleaseLease(ctx context.Context, db *gorm.DB, a *members.Account) error {
	err := db.WithContext(ctx).Exec(`
		WITH released AS (
			UPDATE account_schedule SET leased_until = NULL, lease_id = '' WHERE account_id = @id AND lease_id = @lease
			RETURNING account_id, site)
		UPDATE site_circuits c SET state = 'open', trial_account = NULL, trial_until = NULL -- The next one is tried at once.
		FROM released r WHERE c.site = r.site AND c.state = 'half_open' AND c.trial_account = r.account_id`,
		pg.Named("id", a.ID, "lease", a.LeaseID)).Error
	if err != nil {
		return fmt.Errorf("release %s: %w", a, err)
	}
	return nil
}
