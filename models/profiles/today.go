package profiles

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/submissions"
)

// StatsOf returns the sums of a member; zero where nothing was ever read.
func StatsOf(ctx context.Context, db *gorm.DB, memberID int64) (s submissions.MemberStats, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT submissions, accepted, solved, day_streak, best_day_streak, last_day FROM member_stats WHERE member_id = @member`,
		pg.Named("member", memberID)).Scan(&s).Error
	if err != nil {
		return s, fmt.Errorf("sums of member %d: %w", memberID, err)
	}
	return s, nil
}
