package profiles

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/submissions"
)

// A Card is what the small picture of a member shows elsewhere: in a README, on a site of theirs.
type Card struct {
	members.Member
	Stats   submissions.MemberStats
	Days    []submissions.Day // Those with submissions since the day asked for, oldest first.
	RatedOn string            // The site with the most rated contests; "" without one.
	Rating  int               // After the last of them.
	Awards  int               // That everybody may see.
	Updated *time.Time        // Until when the newest account is known; nil: nothing is read yet.
}

// CardOf returns the card of a member with the days since since (a civil day), in one query, or
// ErrNotFound.
func CardOf(ctx context.Context, db *gorm.DB, name string, since time.Time) (Card, error) {
	if !members.MemberName.MatchString(name) {
		return Card{}, pg.ErrNotFound
	}
	var row struct {
		members.Member
		submissions.MemberStats
		Days, RatedOn  string
		Rating, Awards int
		Updated        *time.Time
	}
	err := db.WithContext(ctx).Raw(queries.Must("card"), pg.Named("name", name, "since", since, "asking", members.Asking(ctx))).
		Scan(&row).Error
	if err == nil && row.ID == 0 {
		err = pg.ErrNotFound
	}
	if err != nil {
		return Card{}, fmt.Errorf("card of %q: %w", name, err)
	}
	return Card{Member: row.Member, Stats: row.MemberStats, Days: readDays(row.Days, since), RatedOn: row.RatedOn, Rating: row.Rating,
		Awards: row.Awards, Updated: row.Updated}, nil
}
