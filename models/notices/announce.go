package notices

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// AnnounceAwards writes the notices of one new award, for at most limit members
// whom it fits: those who have begun it without knowing, and do not have it yet.
// It waits until their counters are counted. False means that none is to be
// announced now. A member hears of all new awards of a day at once.
func AnnounceAwards(ctx context.Context, db *gorm.DB, limit int, now time.Time) (worked bool, err error) {
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var a struct{ AwardID, MemberID int64 }
		res := tx.Raw(`
			SELECT n.award_id, n.member_id FROM notice_announcements n
			WHERE n.ended_at IS NULL AND n.due_at <= @now AND NOT EXISTS (SELECT FROM award_recounts r
				WHERE r.award_id = n.award_id AND r.finished_at IS NULL)
				AND NOT EXISTS (SELECT FROM award_pending d WHERE d.award_id = n.award_id)
			ORDER BY n.due_at, n.award_id LIMIT 1 FOR UPDATE SKIP LOCKED`, pg.Named("now", now)).Scan(&a)
		if worked = res.RowsAffected > 0; res.Error != nil || !worked {
			return res.Error
		}
		var last struct{ Members, Last int64 }
		if err := tx.Raw(queries.Must("announce"), pg.Named("award", a.AwardID, "after", a.MemberID, "limit", limit, "now", now,
			"due", now.Add(Delay))).Scan(&last).Error; err != nil {
			return err
		}
		if last.Members < int64(limit) {
			return tx.Exec(`UPDATE notice_announcements SET ended_at = @now WHERE award_id = @id`,
				pg.Named("now", now, "id", a.AwardID)).Error
		}
		return tx.Exec(`UPDATE notice_announcements SET member_id = @last WHERE award_id = @id`,
			pg.Named("last", last.Last, "id", a.AwardID)).Error
	})
	if err != nil {
		return false, fmt.Errorf("announce awards: %w", err)
	}
	return worked, nil
}
