package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// learnHour counts the usual hour of an account again, from the submissions of the last
// year: the hour of UTC at the beginning of which a daily retrieval finds them youngest.
func learnHour(ctx context.Context, tx *gorm.DB, a *members.Account, now time.Time) error {
	err := tx.WithContext(ctx).Raw(queries.Must("usual_hour"),
		pg.Named("id", a.ID, "member", a.MemberID, "now", now, "since", now.AddDate(-1, 0, 0), "habit", usualHourRows)).Scan(&a.UsualHour).Error
	if err != nil {
		return fmt.Errorf("usual hour: %w", err)
	}
	return nil
}
