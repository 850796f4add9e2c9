package standings

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// FollowedOf returns at most limit of those whom a member follows and who are on a board, the member
// among them, those behind cursor; and the member's own row, nil where they are not on it. Ranks, also
// of a week ago, are among these people alone.
func FollowedOf(ctx context.Context, db *gorm.DB, b Board, memberID int64, cursor string, limit int) (p Page, own *Row, err error) {
	list := "leaderboard of followed " + b.Key()
	after, err := pg.ParseListCursor(cursor, list, 2)
	if err != nil {
		return p, nil, err
	}
	value := math.MaxInt32
	if cursor != "" {
		if value, err = strconv.Atoi(after[0]); err != nil || value > math.MaxInt32 || value < -math.MaxInt32 {
			return p, nil, pg.ErrCursor
		}
	}
	var rows []struct {
		Row
		Paged bool
		Size  int
	}
	err = db.WithContext(ctx).Raw(queries.Must("followed"), pg.Named("board", b.Key(), "member", memberID, "value", value,
		"name", after[1], "limit", limit+1, "asking", members.Asking(ctx))).Scan(&rows).Error
	if err != nil {
		return p, nil, fmt.Errorf("leaderboard %s of followed by %d: %w", b.Key(), memberID, err)
	}
	for _, r := range rows {
		p.Size = r.Size
		if r.Paged {
			p.Rows = append(p.Rows, r.Row)
		} else {
			own = &r.Row
		}
	}
	if len(p.Rows) > limit {
		p.Rows = p.Rows[:limit]
		last := p.Rows[limit-1]
		p.Next = pg.ListCursor(list, strconv.Itoa(last.Value), strings.ToLower(last.Name))
	}
	return p, own, nil
}
