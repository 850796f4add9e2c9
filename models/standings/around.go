package standings

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// Around returns a member's own row of a board, with at most each rows before it and behind it; the first
// ones where the member is not on it.
func Around(ctx context.Context, db *gorm.DB, b Board, memberID int64, each int, now time.Time) ([]Row, error) {
	var found []struct {
		Row
		Better, Equal int
	}
	err := db.WithContext(ctx).Raw(queries.Must("around"), pg.Named("board", b.Key(), "member", memberID, "each", each,
		"asking", members.Asking(ctx), "then", then(now))).Scan(&found).Error
	if err != nil {
		return nil, fmt.Errorf("leaderboard %s around member %d: %w", b.Key(), memberID, err)
	}
	rows := make([]Row, len(found))
	for i, f := range found {
		rows[i] = f.Row
	}
	if len(found) > 0 {
		rankFrom(rows, found[0].Better, found[0].Equal)
	}
	return rows, nil
}
