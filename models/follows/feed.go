package follows

import (
	"context"
	"fmt"
	"math"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// problemsShown is how many problems a day of the feed names.
const problemsShown = 3

// feedAtMost is how many days are read at once, whatever is asked for: in the worst case each person of a page has
// as many days as it has rows, and each is a probe.
const feedAtMost = 100

// A Day is what one person did on one day: the reader's day, so that the feed has them in order.
type Day struct {
	ID          int64
	Name        string
	DisplayName string
	Custom      bool
	At          time.Time // Of the newest deed.
	Day         time.Time // When the day began.
	Solved      int       // For the first time.
	Problems    []Problem `gorm:"serializer:json"` // The newest of them.
	Awards      []Award   `gorm:"serializer:json"`
}

// A Problem is one that was solved.
type Problem struct {
	Site       string `json:"site"`
	Key        string `json:"key"`
	Name       string `json:"name"`
	Difficulty *int   `json:"difficulty"` // On the site's scale; nil: not known.
}

// An Award is one that was earned, or a level of it.
type Award struct {
	Slug   string `json:"slug"`
	Title  string `json:"title"`
	Level  int    `json:"level"`
	Called string `json:"called"` // The title of the level, where it has one.
}

// Feed returns at most limit days of people whom a member follows, the newest first, as the one who
// asks may see them, and the cursor to go on with. Days are those of the member's zone.
func Feed(ctx context.Context, db *gorm.DB, of *members.Member, after pg.Cursor, limit int, now time.Time) (
	days []Day, next pg.Cursor, err error,
) {
	limit = min(limit, feedAtMost)
	if after == (pg.Cursor{}) {
		after = pg.Cursor{At: now.Add(24 * time.Hour), ID: math.MaxInt64} // Clocks of sites may be ahead.
	}
	err = db.WithContext(ctx).Raw(queries.Must("feed"), pg.Named("member", of.ID, "asking", members.Asking(ctx), "viewer", of.ID,
		"zone", of.TimeZone, "at", after.At, "id", after.ID, "limit", limit+1, "most", problemsShown)).Scan(&days).Error
	if err != nil {
		return nil, next, fmt.Errorf("feed of member %d: %w", of.ID, err)
	}
	if len(days) > limit {
		days = days[:limit]
		next = pg.Cursor{At: days[limit-1].At, ID: days[limit-1].ID}
	}
	return days, next, nil
}
