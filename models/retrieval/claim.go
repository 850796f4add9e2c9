package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// A Due account comes with what a look needs of its member.
type Due struct {
	members.Account
	TimeZone string
}

// ClaimAsked leases at most limit accounts of a site whose members pressed the
// button, in the order of asking: also while the site wants to be left alone,
// for somebody waits to be told so. A look that began before the button was
// pressed and has no page yet stands in line with routine work; it is taken over.
func ClaimAsked(ctx context.Context, db *gorm.DB, site string, lease pg.Lease, limit int, now time.Time) ([]Due, error) {
	return claim(ctx, db, `requested_at IS NOT NULL AND (leased_until IS NULL OR leased_until <= @now OR page <= 1 AND started_at < requested_at)`, `requested_at, id`, site, lease, limit, now)
}

// ClaimDue leases at most limit accounts of a site that are due at now, the
// longest overdue first. Other workers pass them over until the lease ends, so a
// worker that dies costs a delay and never an account.
func ClaimDue(ctx context.Context, db *gorm.DB, site string, lease pg.Lease, limit int, now time.Time) ([]Due, error) {
	return claim(ctx, db, `requested_at IS NULL AND due_at <= @now AND (leased_until IS NULL OR leased_until <= @now)
				AND NOT EXISTS (SELECT 1 FROM request_slots WHERE key = 'source:' || @site AND next_at > @soon)`, `due_at, id`, site, lease, limit, now)
}

// closedFor is how long a site must have asked us to stay away before its
// accounts are left alone instead of waiting in line for it.
const closedFor = 10 * time.Second

// claim is one statement. which and order are the constants above: index scans
// that each stop at limit, where one ordered by all would sort everything that is
// due.
func claim(ctx context.Context, db *gorm.DB, which, order, site string, lease pg.Lease, limit int, now time.Time) ([]Due, error) {
	var due []Due
	err := db.WithContext(ctx).Raw(`
		WITH due AS MATERIALIZED (
			SELECT id FROM accounts
			WHERE site = @site AND state <> 'paused' AND `+which+` AND NOT EXISTS (`+heldSites+` INTERSECT SELECT @site)
			ORDER BY `+order+`
			LIMIT @limit
			FOR UPDATE SKIP LOCKED)
		UPDATE accounts a
		SET leased_until = @until, lease_id = @lease, started_at = @now, page = 0
		FROM due, members m
		WHERE a.id = due.id AND m.id = a.member_id
		RETURNING a.*, m.time_zone`,
		pg.Named("site", site, "now", now, "soon", now.Add(closedFor), "until", now.Add(lease.For), "lease", lease.ID, "limit", limit)).Scan(&due).Error
	if err != nil {
		return nil, fmt.Errorf("claim accounts of %s: %w", site, err)
	}
	return due, nil
}

// ReleaseLease gives an account back as it was, for a worker that is told to stop.
func ReleaseLease(ctx context.Context, db *gorm.DB, a *members.Account) error {
	err := db.WithContext(ctx).Exec(`
		WITH released AS (UPDATE accounts SET leased_until = NULL, lease_id = '' WHERE id = @id AND lease_id = @lease RETURNING id, site)
		UPDATE site_circuits c SET state = 'open', trial_account = NULL, trial_until = NULL -- The next one is tried at once.
		FROM released r WHERE c.site = r.site AND c.state = 'half_open' AND c.trial_account = r.id`,
		pg.Named("id", a.ID, "lease", a.LeaseID)).Error
	if err != nil {
		return fmt.Errorf("release %s: %w", a, err)
	}
	return nil
}
