package profiles

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A Leader is one line of the leaderboard. Equal numbers of solved problems have
// equal ranks.
type Leader struct {
	Name, DisplayName             string
	Custom                        bool
	Rank                          int
	Solved, Submissions, Accepted int
}

// allTime reads the sums. Nobody without a submission has a rank.
const allTime = `
	SELECT member_id, solved, submissions, accepted FROM member_stats WHERE submissions > 0`

// lastDays sums the days. They do not know which problems were solved, so those
// are counted on the submissions of the same days. A problem that was solved
// before and again counts.
const lastDays = `
	SELECT d.member_id, s.solved, sum(d.submissions) AS submissions, sum(d.accepted) AS accepted
	FROM (SELECT id, time_zone, CAST(CAST(@now AS timestamptz) AT TIME ZONE time_zone AS date) - CAST(@days AS integer) + 1 AS first
		FROM members) w
	JOIN days d ON d.member_id = w.id AND d.day >= w.first
	CROSS JOIN LATERAL (
		SELECT count(DISTINCT problem_id) AS solved FROM submissions
		WHERE member_id = w.id AND status = 'AC' AND submitted_at >= CAST(w.first AS timestamp) AT TIME ZONE w.time_zone) s
	GROUP BY d.member_id, s.solved`

// Leaderboard returns at most limit members by solved problems, those behind
// cursor, and the cursor to go on with: "" at the end. Scope is all, month (30
// days) or week (7 days). Ranks are among all members, whatever the page.
func Leaderboard(ctx context.Context, db *gorm.DB, scope, cursor string, limit int, now time.Time) (leaders []Leader, next string,
	err error) {
	days, ok := pg.Scopes[scope]
	if !ok {
		return nil, "", &pg.InputError{Field: "scope", Message: fmt.Sprintf("no scope is named %q; known are all, month and week",
			pg.CleanText(scope))}
	}
	after, err := pg.ParseListCursor(cursor, "leaderboard "+scope, 2)
	if err != nil {
		return nil, "", err
	}
	solved, counted := -1, allTime
	if cursor != "" {
		if solved, err = strconv.Atoi(after[0]); err != nil || solved < 0 {
			return nil, "", &pg.InputError{Field: "cursor", Message: "this cursor was not made by this list; begin without one"}
		}
	}
	if days > 0 {
		counted = lastDays
	}
	err = db.WithContext(ctx).Raw(`
		WITH counted AS (`+counted+`),
		ranked AS (
			SELECT m.name, m.display_name, m.custom, rank() OVER (ORDER BY c.solved DESC) AS rank, c.solved, c.submissions, c.accepted
			FROM counted c JOIN members m ON m.id = c.member_id)
		SELECT * FROM ranked
		WHERE @solved < 0 OR solved < @solved OR solved = @solved AND lower(name) > lower(@name)
		ORDER BY solved DESC, lower(name) LIMIT @limit`,
		pg.Named("now", now, "days", days, "solved", solved, "name", after[1], "limit", limit+1)).Scan(&leaders).Error
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
