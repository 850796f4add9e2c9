package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// habitRows are how many submissions tell an account's usual hour.
const habitRows = 5

// learnHour counts the usual hour of an account again, from the submissions of the last
// year: the hour of UTC at the beginning of which a daily retrieval finds them youngest.
func learnHour(ctx context.Context, tx *gorm.DB, account int64, now time.Time) error {
	err := tx.WithContext(ctx).Exec(`
		WITH hours AS (
			SELECT CAST(extract(hour FROM s.submitted_at AT TIME ZONE 'UTC') AS integer) AS hour, count(*) AS n
			FROM accounts a JOIN submissions s ON s.member_id = a.member_id AND s.account_id = a.id
			WHERE a.id = @id AND s.submitted_at > @since AND s.submitted_at <= @now GROUP BY hour),
		usual AS (
			SELECT at FROM hours, generate_series(0, 23) at
			GROUP BY at HAVING sum(n) >= @habit ORDER BY sum(n * ((at - hour + 23) % 24)), at LIMIT 1)
		UPDATE accounts SET usual_hour = (SELECT at FROM usual) WHERE id = @id`,
		pg.Named("id", account, "now", now, "since", now.AddDate(-1, 0, 0), "habit", habitRows)).Error
	if err != nil {
		return fmt.Errorf("usual hour: %w", err)
	}
	return nil
}
