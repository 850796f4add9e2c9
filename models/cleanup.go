package models

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"
)

// CleanUp removes rows whose time is over: sessions and invitations that ended,
// limits that are full again, the hourly health of sites after 90 days.
func CleanUp(ctx context.Context, db *gorm.DB, now time.Time) error {
	for _, stmt := range []string{
		`DELETE FROM sessions WHERE expiry < @now`,
		`DELETE FROM invitations WHERE expires_at < @month AND used_at IS NULL`,
		`DELETE FROM limits WHERE seen_at < @day`,
		`DELETE FROM site_hours WHERE hour < @quarter`,
	} {
		err := db.WithContext(ctx).Exec(stmt, named("now", now, "day", now.AddDate(0, 0, -1), "month", now.AddDate(0, -1, 0), "quarter", now.AddDate(0, 0, -90))).Error
		if err != nil {
			return fmt.Errorf("clean up (%s): %w", stmt, err)
		}
	}
	return nil
}
