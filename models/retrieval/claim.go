package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// A Due account comes with what a fetch needs of its member.
type Due struct {
	members.Account
	TimeZone string
}

// ClaimRequested leases at most limit accounts of a site whose members pressed the
// button, in the order of asking: also while the site wants to be left alone,
// for somebody waits to be notified. A fetch that began before the button was
// pressed and has no page yet stands in line with routine work; it is taken over.
func ClaimRequested(ctx context.Context, db *gorm.DB, site string, lease pg.Lease, limit int, now time.Time) ([]Due, error) {
	return claim(ctx, db, lease, now, queries.Must("claim_requested"), pg.Named("site", site, "limit", limit, "now", now))
}

// ClaimDue leases at most limit accounts of a site that are due at now, the
// longest overdue first. Other workers pass them over until the lease ends, so a
// worker that dies costs a delay and never an account.
func ClaimDue(ctx context.Context, db *gorm.DB, site string, lease pg.Lease, limit int, now time.Time) ([]Due, error) {
	return claim(ctx, db, lease, now, queries.Must("claim_due"), pg.Named("site", site, "limit", limit, "now", now))
}

// ClaimMember leases all of a member's accounts that were asked for and that
// nobody fetches.
func ClaimMember(ctx context.Context, db *gorm.DB, memberID int64, lease pg.Lease, now time.Time) ([]Due, error) {
	return claim(ctx, db, lease, now, queries.Must("claim_member"), pg.Named("member", memberID, "now", now))
}

// ClaimTrial leases the one account that is tried while a circuit is open, once its pause
// is over. Of processes that come at once one gets it; one that died with it is passed
// over when its lease has ended.
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

// lockAccounts locks accounts in the order in which everybody locks several, and reads them
// then: what was read with the lock could be older than the lock.
func lockAccounts(ctx context.Context, tx *gorm.DB, ids []int64) ([]Due, error) {
	err := tx.WithContext(ctx).Exec(`
		SELECT account_id FROM account_schedule WHERE account_id = ANY(CAST(@ids AS bigint[])) ORDER BY account_id FOR NO KEY UPDATE`,
		pg.Named("ids", &ids)).Error
	if err != nil {
		return nil, fmt.Errorf("lock accounts: %w", err)
	}
	return accountsOf(ctx, tx, ids)
}

// ReleaseLease gives an account back as it was, for a worker that is to stop.
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
