package standings

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// OwnAsOf returns a member's value and rank on the board of all that was ever solved as a day of UTC
// began, for which counts were kept: the first of a month, or one of the last two weeks. It is nil
// where the member is not on the board. A rank of 0: no counts of the day are kept.
func OwnAsOf(ctx context.Context, db *gorm.DB, memberID int64, day time.Time) (*Row, error) {
	var rows []Row
	err := db.WithContext(ctx).Raw(queries.Must("own_as_of"), pg.Named("member", memberID, "asking", members.Asking(ctx),
		"day", day.UTC().Format(time.DateOnly))).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("place of member %d on %s: %w", memberID, day.Format(time.DateOnly), err)
	}
	if len(rows) == 0 {
		return nil, nil
	}
	return &rows[0], nil
}
