package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// AskAgain lets accounts that were claimed for a question that failed, or was never asked,
// be as if they had been asked about at a moment.
func AskAgain(ctx context.Context, db *gorm.DB, ids []int64, asked time.Time) error {
	if len(ids) == 0 {
		return nil
	}
	err := db.WithContext(ctx).Exec(`
		WITH mine AS MATERIALIZED (SELECT id FROM accounts WHERE id = ANY(CAST(@ids AS bigint[])) ORDER BY id FOR NO KEY UPDATE)
		UPDATE accounts a SET probed_at = @at FROM mine WHERE a.id = mine.id`, pg.Named("ids", &ids, "at", asked)).Error
	if err != nil {
		return fmt.Errorf("ask again: %w", err)
	}
	return nil
}

// probeEarly is how long ago who comes along in a question was asked about at least.
const probeEarly = BulkEvery / 2

// ClaimBulkCheck returns at most limit accounts of a site that were read completely, as soon as
// one of them was not asked about for BulkEvery; none before, or where the site is not
// asked now. Other claims pass them over from then on: who dies before FinishProbe costs
// one round.
func ClaimBulkCheck(ctx context.Context, db *gorm.DB, site string, limit int, now time.Time) (accounts []members.Account, err error) {
	err = db.WithContext(ctx).Raw(`
		WITH waiting AS MATERIALIZED (
			SELECT id, probed_at FROM accounts
			WHERE site = @site AND state = 'active' AND requested_at IS NULL AND last_retrieved_at IS NOT NULL AND probed_at <= @soon
				AND failures = 0 AND CASE WHEN missing = 0 THEN complete_until ELSE last_retrieved_at END <= @soon AND (leased_until IS NULL OR leased_until <= @now)
				AND NOT EXISTS (SELECT FROM request_slots WHERE key = 'source:' || @site AND next_at > @closed) AND NOT EXISTS (`+heldSites+` INTERSECT SELECT @site)
			ORDER BY probed_at, id LIMIT @limit),
		mine AS MATERIALIZED ( -- Locked when it is time only.
			SELECT a.id FROM accounts a JOIN waiting USING (id)
			WHERE a.probed_at <= @soon AND (SELECT min(probed_at) <= @due FROM waiting)
			FOR UPDATE OF a SKIP LOCKED)
		UPDATE accounts a SET probed_at = @now FROM mine WHERE a.id = mine.id
		RETURNING a.*`,
		pg.Named("site", site, "now", now, "due", now.Add(-BulkEvery), "soon", now.Add(-probeEarly), "closed", now.Add(closedFor), "limit", limit)).Scan(&accounts).Error
	if err != nil {
		return nil, fmt.Errorf("claim a probe of %s: %w", site, err)
	}
	return accounts, nil
}
