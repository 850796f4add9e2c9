// Package overview is what the admins' first page says: what of the set-up is done, and how the
// work goes. Each is one statement, whose cost does not grow with what is stored: queues are
// counted as far as a page says them.
package overview

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// QueueAtMost is how far a queue is counted.
const QueueAtMost = 1000

// Steps are the parts of a set-up that the database knows to be done.
type Steps struct {
	Named   bool // The community has a name.
	Handles bool // The viewer has an account on a site.
	Others  bool // Somebody else is here, or was invited.
	Awards  bool // An award is active.
	Forum   bool // There is a forum.
}

// StepsOf says what a viewer has set up.
func StepsOf(ctx context.Context, db *gorm.DB, viewer int64) (s Steps, err error) {
	err = db.WithContext(ctx).Raw(queries.Must("steps"), pg.Named("viewer", viewer)).Scan(&s).Error
	if err != nil {
		return s, fmt.Errorf("steps of the set-up: %w", err)
	}
	return s, nil
}

// Health is how the work goes.
type Health struct {
	Accounts int        // Due for a check, at most QueueAtMost.
	Oldest   *time.Time // Since when the one that waits longest is due; nil where none is.
	Events   int        // Not counted yet, at most QueueAtMost.
	Awards   int        // Members to be evaluated, at most QueueAtMost.
	Notices  int        // Deliveries on their way, at most QueueAtMost.
	Failed   int        // Deliveries that failed within a day, at most QueueAtMost.
	Forums   int        // To be harvested now.
	Alarms   int        // Open alarms of sites.
	Dead     int        // Events that could not be applied, at most QueueAtMost.
	Bytes    int64      // Of the database.

	ArchiveChecked  *time.Time
	ArchiveFindings int
	AwardsChecked   *time.Time
	Retrieved       *time.Time // When a site last answered.
}

// HealthNow is how the work goes on the sites of these names.
func HealthNow(ctx context.Context, db *gorm.DB, sites []string, now time.Time) (h Health, err error) {
	err = db.WithContext(ctx).Raw(queries.Must("health"), pg.Named("sites", &sites, "now", now, "most", QueueAtMost)).Scan(&h).Error
	if err != nil {
		return h, fmt.Errorf("health: %w", err)
	}
	return h, nil
}
