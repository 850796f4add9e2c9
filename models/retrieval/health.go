package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// SiteHealth is how reading a site goes.
type SiteHealth struct {
	Site         string
	Accounts     int
	Invalid      int
	Paused       int
	Running      int        // Being read now.
	LastSuccess  *time.Time // The last ok, or proof of absence: the site answered.
	LastFailure  *time.Time
	FailingSince *time.Time // The last success before the failures; nil without failures.
	Outcome      string     // Of the last failure.
	Message      string
	Requests     int // In the last hour and the running one.
	Retrievals   int
	Failures     int
	NewRows      int
	Queue        int        // Accounts that are due or requested now.
	OldestDue    *time.Time // Of the queue.
	ClosedUntil  *time.Time // The end of a Retry-After.
}

// SiteHealths returns the health of every site that has accounts or was ever asked, by name. It reads
// sums by the hour, not the fetches themselves.
func SiteHealths(ctx context.Context, db *gorm.DB, now time.Time) ([]SiteHealth, error) {
	var out []SiteHealth
	err := db.WithContext(ctx).Raw(queries.Must("site_healths"), pg.Named("now", now)).Scan(&out).Error
	if err != nil {
		return nil, fmt.Errorf("health of sites: %w", err)
	}
	return out, nil
}
