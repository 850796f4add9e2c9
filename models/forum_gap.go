package models

import (
	"context"
	"time"

	"gorm.io/gorm"
)

// forumGapMost is the longest time between two requests that can be wanted.
const forumGapMost = time.Hour

// SetForumGap sets the least time between two requests to a forum. Where robots.txt
// asks for a longer one, that is kept.
func SetForumGap(ctx context.Context, db *gorm.DB, slug string, gap time.Duration) error {
	if gap < forumGapMs*time.Millisecond || gap > forumGapMost {
		return &InputError{"gap", "must be 1 to 3600 seconds"}
	}
	res := db.WithContext(ctx).Exec(`UPDATE forums SET gap_ms = @gap WHERE slug = @slug`, named("gap", gap.Milliseconds(), "slug", slug))
	if res.Error == nil && res.RowsAffected == 0 {
		return ErrNotFound
	}
	return res.Error
}

// BurstAgain is when another burst may begin; zero for at once.
func (f *Forum) BurstAgain(now time.Time) time.Time {
	if f.BurstAt == nil || !f.BurstAt.Add(burstEvery).After(now) {
		return time.Time{}
	}
	return f.BurstAt.Add(burstEvery)
}
