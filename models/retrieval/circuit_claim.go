package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// ClaimTrial leases the one account that is tried while a circuit is open, once
// its pause is over: of those that are due one that is known to exist, rather one
// that has rows, for an empty list proves little, and of those the one asked longest ago. Of processes that come at once one gets it;
// one that died with it is passed over when its lease has ended.
func ClaimTrial(ctx context.Context, db *gorm.DB, site string, lease pg.Lease, now time.Time) ([]Due, error) {
	var due []Due
	err := db.WithContext(ctx).Raw(`
		WITH ready AS MATERIALIZED (
			SELECT site FROM site_circuits WHERE site = @site AND `+trialReady+` FOR UPDATE SKIP LOCKED), -- Who comes second must not choose the second best.
		tried AS MATERIALIZED (
			SELECT id FROM accounts
			WHERE site = @site AND state <> 'paused' AND due_at <= @now AND (leased_until IS NULL OR leased_until <= @now) AND EXISTS (SELECT FROM ready)
			ORDER BY state = 'invalid', last_retrieved_at IS NULL, submissions = 0, last_attempt_at NULLS FIRST, id LIMIT 1
			FOR NO KEY UPDATE SKIP LOCKED),
		taken AS (
			UPDATE site_circuits c SET state = 'half_open', trial_account = tried.id, trial_until = @until
			FROM tried WHERE c.site = @site AND `+trialReady+`
			RETURNING c.trial_account)
		UPDATE accounts a SET leased_until = @until, lease_id = @lease, started_at = @now, page = 0
		FROM taken, members m
		WHERE a.id = taken.trial_account AND m.id = a.member_id
		RETURNING a.*, m.time_zone`,
		pg.Named("site", site, "now", now, "until", now.Add(lease.For), "lease", lease.ID)).Scan(&due).Error
	if err != nil {
		return nil, fmt.Errorf("claim a trial of %s: %w", site, err)
	}
	return due, nil
}

// trialReady says of a circuit that a handle may be tried. A look that outlasts
// its first lease goes on with the account's.
const trialReady = `paused_at IS NULL AND (state = 'open' AND next_try_at <= @now OR state = 'half_open' AND trial_until <= @now
			AND NOT EXISTS (SELECT FROM accounts l WHERE l.id = trial_account AND l.leased_until > @now))`

// heldSites are the sites that are not asked now.
const heldSites = `SELECT site FROM site_circuits WHERE paused_at IS NOT NULL OR state <> 'closed'`

// AnswerSuspended takes back the asks for accounts of a site that is not asked now:
// nobody waits at the button for a site to heal. The accounts are due, so they
// are looked at as soon as it is.
func AnswerSuspended(ctx context.Context, db *gorm.DB, site string, now time.Time) error {
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var ids []int64
		err := tx.Raw(queries.Must("answer_held"), pg.Named("site", site, "now", now, "progress", pg.ChannelProgress)).Scan(&ids).Error
		if err != nil {
			return err
		}
		return dueNow(ctx, tx, ids, SourceRequest, now)
	})
	if err != nil {
		return fmt.Errorf("answer who asked for %s: %w", site, err)
	}
	return nil
}

// Circuits are the circuits of all sites that were ever amiss or have accounts, by site.
func Circuits(ctx context.Context, db *gorm.DB) (list []Circuit, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT site, coalesce(c.state, 'closed') AS state, opened_at, paused_at FROM site_circuits c FULL JOIN (SELECT DISTINCT site FROM site_hours) h USING (site) ORDER BY site`).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("circuits: %w", err)
	}
	return list, nil
}

// SuspendedCircuits are the sites that are not asked now, by name.
func SuspendedCircuits(ctx context.Context, db *gorm.DB) (map[string]Circuit, error) {
	var list []Circuit
	if err := db.WithContext(ctx).Raw(`SELECT * FROM site_circuits WHERE paused_at IS NOT NULL OR state <> 'closed'`).Scan(&list).Error; err != nil {
		return nil, fmt.Errorf("held circuits: %w", err)
	}
	held := map[string]Circuit{}
	for _, c := range list {
		held[c.Site] = c
	}
	return held, nil
}
