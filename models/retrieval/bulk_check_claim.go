package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// ResetBulkCheck lets accounts that were claimed for a question that failed, or was never asked,
// be as if they had been asked about at a moment.
func ResetBulkCheck(ctx context.Context, db *gorm.DB, ids []int64, asked time.Time) error {
	if len(ids) == 0 {
		return nil
	}
	err := db.WithContext(ctx).Exec(`
		WITH mine AS MATERIALIZED (
			SELECT account_id FROM account_schedule WHERE account_id = ANY(CAST(@ids AS bigint[])) ORDER BY account_id FOR NO KEY UPDATE)
		UPDATE account_schedule s SET checked_at = @at FROM mine WHERE s.account_id = mine.account_id`,
		pg.Named("ids", &ids, "at", asked)).Error
	if err != nil {
		return fmt.Errorf("ask again: %w", err)
	}
	return nil
}

// ClaimBulkCheck returns at most limit accounts of a site that were read completely, as soon as
// one of them was not asked about for CheckEvery; none before, or where the site is not
// asked now. Other claims pass them over from then on: who dies before FinishBulkCheck costs
// one round.
func ClaimBulkCheck(ctx context.Context, db *gorm.DB, site string, limit int, now time.Time) (accounts []members.Account, err error) {
	var ids []int64
	err = db.WithContext(ctx).Raw(queries.Must("claim_bulk_check"),
		pg.Named("site", site, "now", now, "due", now.Add(-CheckEvery), "soon", now.Add(-CheckEvery/2), "limit", limit)).Scan(&ids).Error
	if err == nil && len(ids) > 0 {
		err = db.WithContext(ctx).Raw(`
			SELECT `+pg.Columns[members.Account]("a")+` FROM account_details a WHERE id = ANY(CAST(@ids AS bigint[]))`,
			pg.Named("ids", &ids)).Scan(&accounts).Error
	}
	if err != nil {
		return nil, fmt.Errorf("claim a bulk check of %s: %w", site, err)
	}
	return accounts, nil
}
