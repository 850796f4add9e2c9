package standings

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// A Row is a member on a board. Equal values share a rank and follow by name.
type Row struct {
	MemberID              int64
	Name, DisplayName     string
	Custom                bool
	Rank                  int
	RankWas               int // A week ago; 0: not on the board then, or not known.
	Value                 int
	Submissions, Accepted int      // In the period of the board.
	Solved, Streak        int      // Ever, and today.
	Weeks                 []int    `gorm:"serializer:json"` // What was solved in each of the last eight weeks, the oldest first.
	Incomplete            []string `gorm:"serializer:json"` // Sites of which something is not read.

	Kept bool // The viewer, whom nobody else sees: counted in no rank.
}

// A Page is a part of a board.
type Page struct {
	Rows []Row
	Next string // The cursor to go on with; "" at the end.
	Size int    // Of the board, as the viewer sees it.
}

// then is the day of which ranks a week ago are: as it began, the day seven days ago had ended.
func then(now time.Time) string { return now.UTC().AddDate(0, 0, -6).Format(time.DateOnly) }

// PageOf returns at most limit members of a board, those behind cursor. Ranks are among all whom the
// viewer may see, whatever the page.
func PageOf(ctx context.Context, db *gorm.DB, b Board, cursor string, limit int, now time.Time) (p Page, err error) {
	list := "leaderboard " + b.Key()
	after, err := pg.ParseListCursor(cursor, list, 2)
	if err != nil {
		return p, err
	}
	value := math.MaxInt32
	if cursor != "" {
		if value, err = strconv.Atoi(after[0]); err != nil || value > math.MaxInt32 || value < -math.MaxInt32 {
			return p, pg.ErrCursor
		}
	}
	err = db.WithContext(ctx).Raw(queries.Must("page"), pg.Named("board", b.Key(), "value", value, "name", after[1], "limit", limit+1,
		"asking", members.Asking(ctx), "then", then(now))).Scan(&p.Rows).Error
	if err != nil {
		return p, fmt.Errorf("leaderboard %s: %w", b.Key(), err)
	}
	if len(p.Rows) > limit {
		p.Rows = p.Rows[:limit]
		last := p.Rows[limit-1]
		p.Next = pg.ListCursor(list, strconv.Itoa(last.Value), strings.ToLower(last.Name))
	}
	return p, p.rank(ctx, db, b)
}

// rank gives the rows their ranks: that of the first is counted, the others follow of it.
func (p *Page) rank(ctx context.Context, db *gorm.DB, b Board) error {
	if len(p.Rows) == 0 {
		return nil
	}
	value := p.Rows[0].Value
	var n struct{ Better, Equal, Size int }
	err := db.WithContext(ctx).Raw(queries.Must("counts"), pg.Named("board", b.Key(), "value", value,
		"asking", members.Asking(ctx), "least", -math.MaxInt32)).Scan(&n).Error
	if err != nil {
		return fmt.Errorf("ranks of leaderboard %s: %w", b.Key(), err)
	}
	p.Size = n.Size
	rankFrom(p.Rows, n.Better, n.Equal)
	return nil
}

// rankFrom gives rows that follow each other their ranks: better and equal are of the first one's value,
// further ones are counted here.
func rankFrom(rows []Row, better, equal int) {
	for i := range rows {
		if i > 0 && rows[i].Value != rows[i-1].Value {
			better, equal = better+equal, 0
			for j := i; j < len(rows) && rows[j].Value == rows[i].Value; j++ {
				if !rows[j].Kept {
					equal++
				}
			}
		}
		rows[i].Rank = better + 1
	}
}

// Own returns a member's own row of a board, whoever else may see it, or nil: the member is not on it.
func Own(ctx context.Context, db *gorm.DB, b Board, memberID int64, now time.Time) (*Row, error) {
	var rows []Row
	err := db.WithContext(ctx).Raw(queries.Must("own"), pg.Named("board", b.Key(), "member", memberID, "asking", members.Asking(ctx),
		"then", then(now))).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("own place of member %d: %w", memberID, err)
	}
	if len(rows) == 0 {
		return nil, nil
	}
	return &rows[0], nil
}
