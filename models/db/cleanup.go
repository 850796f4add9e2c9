package db

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"
)

// CleanUp removes rows whose time is over: sessions and invitations that ended,
// limits that are full again, the single hours of sites after 90 days, notices
// after a year, requests to post networks after a week.
func CleanUp(ctx context.Context, db *gorm.DB, now time.Time) error {
	for _, stmt := range []string{
		`DELETE FROM sessions WHERE expiry < @now`,
		`DELETE FROM invitations WHERE expires_at < @month AND used_at IS NULL`,
		`DELETE FROM removed_accounts WHERE removed_at < CAST(@now AS timestamptz) - interval '30 days'`,
		`DELETE FROM limits WHERE seen_at < @day`,
		`DELETE FROM brought_files WHERE created_at < @day`,
		`DELETE FROM handle_proofs WHERE begun_at < @day AND (member_id IS NULL OR proved_at IS NULL)`,
		`DELETE FROM site_checks WHERE requested_at < @day`,
		foldSiteHours,
		`DELETE FROM notices WHERE created_at < @year`,
		`DELETE FROM post_polls WHERE at < @week`,
		`DELETE FROM notice_deliveries WHERE state <> 'waiting' AND ended_at < @month`,
		`UPDATE notice_deliveries SET state = 'failed', ended_at = @now, error = 'it waited for a week'
			WHERE state = 'waiting' AND created_at < @week`,
	} {
		err := db.WithContext(ctx).Exec(stmt, Named("now", now, "day", now.AddDate(0, 0, -1), "month", now.AddDate(0, -1, 0), "quarter",
			now.AddDate(0, 0, -90), "week", now.AddDate(0, 0, -7), "year", now.AddDate(-1, 0, 0))).Error
		if err != nil {
			return fmt.Errorf("clean up (%s): %w", stmt, err)
		}
	}
	return clearObjectives(ctx, db, now)
}

// foldSiteHours adds the hours of sites that are over to one row of each site and outcome: of all requests
// to a site ever, a tenth may read accounts whole.
const foldSiteHours = `
	WITH old AS (
		DELETE FROM site_hours WHERE hour < @quarter AND hour > 'epoch'
		RETURNING site, outcome, retrievals, requests, new_rows, audit_requests, first_at, last_at, message)
	INSERT INTO site_hours AS h (site, hour, outcome, retrievals, requests, new_rows, audit_requests, first_at, last_at, message)
	SELECT site, 'epoch', outcome, sum(retrievals), sum(requests), sum(new_rows), sum(audit_requests), min(first_at), max(last_at),
		(array_agg(message ORDER BY last_at DESC))[1]
	FROM old GROUP BY site, outcome
	ON CONFLICT (site, hour, outcome) DO UPDATE SET retrievals = h.retrievals + EXCLUDED.retrievals,
		requests = h.requests + EXCLUDED.requests, new_rows = h.new_rows + EXCLUDED.new_rows,
		audit_requests = h.audit_requests + EXCLUDED.audit_requests, last_at = EXCLUDED.last_at, message = EXCLUDED.message`

// clearObjectives removes the counters of objectives that are counted in another
// way since a while, or not any more. It looks at the tables only when there are.
func clearObjectives(ctx context.Context, db *gorm.DB, now time.Time) error {
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var ids []int64
		err := tx.Raw(`SELECT id FROM objectives WHERE retired_at < @hour AND NOT cleared FOR UPDATE SKIP LOCKED`,
			Named("hour", now.Add(-time.Hour))).Scan(&ids).Error
		if err != nil || len(ids) == 0 {
			return err
		}
		for _, stmt := range []string{
			`DELETE FROM objective_cells WHERE objective_id = ANY(CAST(@ids AS bigint[]))`,
			`DELETE FROM objective_counters WHERE objective_id = ANY(CAST(@ids AS bigint[]))`,
			`UPDATE objectives SET cleared = true WHERE id = ANY(CAST(@ids AS bigint[]))`,
		} {
			if err := tx.Exec(stmt, Named("ids", &ids)).Error; err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("clear retired objectives: %w", err)
	}
	return nil
}
