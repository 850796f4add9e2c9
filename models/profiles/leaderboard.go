package profiles

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// A Leader is one line of the leaderboard. Equal numbers of solved problems have
// equal ranks.
type Leader struct {
	Name, DisplayName             string
	Custom                        bool
	Rank                          int
	Solved, Submissions, Accepted int
}

// Leaderboard returns at most limit members by solved problems, those behind
// cursor, and the cursor to go on with: "" at the end. Scope is all, month (30
// days) or week (7 days). Ranks are among all members, whatever the page.
func Leaderboard(ctx context.Context, db *gorm.DB, scope, cursor string, limit int, now time.Time) (leaders []Leader, next string,
	err error) {
	days, ok := pg.Scopes[scope]
	if !ok {
		return nil, "", &pg.InputError{Field: "scope", Message: fmt.Sprintf("no scope is named %q; use all, month or week",
			pg.CleanText(scope))}
	}
	after, err := pg.ParseListCursor(cursor, "leaderboard "+scope, 2)
	if err != nil {
		return nil, "", err
	}
	solved := -1
	if cursor != "" {
		if solved, err = strconv.Atoi(after[0]); err != nil || solved < 0 {
			return nil, "", pg.ErrCursor
		}
	}
	err = db.WithContext(ctx).Raw(queries.Must("leaderboard"),
		pg.Named("now", now, "days", days, "solved", solved, "name", after[1], "limit", limit+1,
			"asking", members.Asking(ctx))).Scan(&leaders).Error
	if err != nil {
		return nil, "", fmt.Errorf("leaderboard: %w", err)
	}
	if len(leaders) > limit {
		leaders = leaders[:limit]
		last := leaders[limit-1]
		next = pg.ListCursor("leaderboard "+scope, strconv.Itoa(last.Solved), last.Name)
	}
	return leaders, next, nil
}
