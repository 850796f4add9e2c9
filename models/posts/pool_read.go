package posts

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// duesCounted is how many posts of a pool that are due are counted; the ones that
// are overdue for longest come first, and among them are all that are leased.
const duesCounted = 100_000

// A Health is how the fetches of a pool keep up.
type Health struct {
	Pool           `gorm:"embedded"`
	Pace           `gorm:"embedded"`
	Batch          int // Posts a request, where that is less than the network says.
	Demand, Supply float64
	Counts         string // Posts by tier, as a list.
	MeasuredAt     *time.Time
	Due            int // Nobody is at them.
	OldestDue      *time.Time
	Leased         int
	Expired        int   // Leases that ended without a result: who had them is dead.
	Requests       int64 // Of the last hour.
	Asked          int64 // Posts, in those of them that went well.
	Failed         int64
}

// ByTier is how many posts there are in each tier, the youngest first.
func (p *Health) ByTier() (counts []int64) {
	_ = json.Unmarshal([]byte(p.Counts), &counts) // What MeasurePools wrote.
	return counts
}

// Healths returns all pools. It costs what is due and what was asked in the
// last hour, not what there is.
func Healths(ctx context.Context, db *gorm.DB, now time.Time) (pools []Health, err error) {
	err = db.WithContext(ctx).Raw(queries.Must("pools"),
		pg.Named("now", now, "since", now.Add(-time.Hour), "most", duesCounted)).Scan(&pools).Error
	if err != nil {
		return nil, fmt.Errorf("health of pools: %w", err)
	}
	return pools, nil
}
