package profiles

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// A RecentAward is the newest award of somebody.
type RecentAward struct {
	Name, DisplayName string
	Slug, Title       string
	LevelTitle        string // Of the level that was reached; "" where it has none.
	At                time.Time
}

// RecentAwards returns the newest awards of at most limit people whom the one who asks may see; viewer, 0 for a
// visitor, decides which secret awards are shown.
func RecentAwards(ctx context.Context, db *gorm.DB, viewer int64, limit int, now time.Time) (list []RecentAward, err error) {
	err = db.WithContext(ctx).Raw(queries.Must("recent_awards"), pg.Named("asking", members.Asking(ctx), "viewer", viewer,
		"limit", limit, "now", now)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("recent awards: %w", err)
	}
	return list, nil
}
