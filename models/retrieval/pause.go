package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// Pause ends all fetches of an account; one that is under way stores nothing more.
// ErrNotFound means that the member has no handle there.
func Pause(ctx context.Context, db *gorm.DB, memberID int64, site string) error {
	a, err := accountOn(ctx, db, memberID, site)
	if err != nil {
		return err
	}
	return db.WithContext(ctx).Exec(`
		UPDATE account_schedule SET state = 'paused', requested_at = NULL, lease_id = '', leased_until = NULL WHERE account_id = @id`,
		pg.Named("id", a.ID)).Error
}

// Resume has a paused account fetched again, at once.
func Resume(ctx context.Context, db *gorm.DB, memberID int64, site string, now time.Time) error {
	a, err := accountOn(ctx, db, memberID, site)
	if err != nil {
		return err
	}
	return db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		res := tx.Exec(`
			UPDATE account_schedule SET state = CASE WHEN last_retrieved_at IS NULL THEN 'new' ELSE 'active' END, failures = 0,
				failing_since = NULL, not_found = 0
			WHERE account_id = @id AND state = 'paused'`, pg.Named("id", a.ID))
		if res.Error != nil || res.RowsAffected == 0 {
			return res.Error
		}
		return dueNow(ctx, tx, []int64{a.ID}, SourceRequest, now)
	})
}

func accountOn(ctx context.Context, db *gorm.DB, memberID int64, site string) (members.Account, error) {
	site = pg.CleanText(site)
	a, err := gorm.G[members.Account](db).Where("member_id = ? AND site = ?", memberID, site).Take(ctx)
	if err != nil {
		return a, fmt.Errorf("account of member %d on %s: %w", memberID, site, err)
	}
	return a, nil
}
