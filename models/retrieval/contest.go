package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// ContestEnded makes due the accounts of a site that have a rated contest of late, one after
// the other by gap, unless they are known beyond its end. It returns how many.
func ContestEnded(ctx context.Context, db *gorm.DB, site string, ended time.Time, gap time.Duration, now time.Time) (int, error) {
	n := 0
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var ids []int64
		err := tx.Raw(`
			SELECT s.account_id FROM account_schedule s JOIN account_coverage c ON c.account_id = s.account_id
			WHERE s.site = @site AND s.state = 'active' AND s.failures = 0 AND c.complete_until < @ended
				AND EXISTS (SELECT FROM ratings r WHERE r.account_id = s.account_id AND r.rated_at > @since)
			ORDER BY s.account_id FOR NO KEY UPDATE OF s`,
			pg.Named("site", site, "ended", ended, "since", ended.Add(-finalAfter))).Scan(&ids).Error
		if err != nil {
			return err
		}
		list := make([]Evidence, len(ids))
		for i, id := range ids {
			due := now.Add(time.Duration(i+1) * gap)
			list[i] = Evidence{AccountID: id, Source: SourceContest, HasNews: true, DueBy: &due, SeenAt: ended}
		}
		n = len(ids)
		_, err = note(ctx, tx, list, 1, now)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("who takes part on %s: %w", site, err)
	}
	return n, nil
}
