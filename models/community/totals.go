package community

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// Totals are the community in numbers, as they were counted last. They are of everyone and name nobody.
type Totals struct {
	CountedAt           time.Time // Zero: they were not counted yet.
	Members, Joined     int       // With an account; of those, in the last 30 days.
	Submissions, Solved int
	SolvedWeek          int // Problems solved first in the last seven days; SolvedBefore: in the seven before.
	SolvedBefore        int
	Discussions, Awards int
}

// TotalsOf returns the numbers as they were counted last.
func TotalsOf(ctx context.Context, db *gorm.DB) (t Totals, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT counted_at, members, joined, submissions, solved, solved_week, solved_before, discussions, awards
		FROM community_totals`).Scan(&t).Error
	if err != nil {
		return t, fmt.Errorf("totals of the community: %w", err)
	}
	return t, nil
}

// CountTotals counts them anew. It reads a row for each member, forum thread and award: no page does that.
func CountTotals(ctx context.Context, db *gorm.DB, now time.Time) error {
	if err := db.WithContext(ctx).Exec(queries.Must("count_totals"), pg.Named("now", now)).Error; err != nil {
		return fmt.Errorf("count the community: %w", err)
	}
	return nil
}
