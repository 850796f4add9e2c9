package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// takesPart is how long after a rated contest somebody is expected to take part in the next.
const takesPart = 30 * 24 * time.Hour

// ContestEnded makes due the accounts of a site that have a rated contest of late, one after
// the other by gap, unless they are known beyond its end. It returns how many.
func ContestEnded(ctx context.Context, db *gorm.DB, site string, ended time.Time, gap time.Duration, now time.Time) (int, error) {
	res := db.WithContext(ctx).Exec(`
		WITH mine AS MATERIALIZED (
			SELECT id FROM accounts a
			WHERE site = @site AND state = 'active' AND failures = 0 AND complete_until < @ended AND EXISTS (SELECT FROM ratings r WHERE r.account_id = a.id AND r.rated_at > @since)
			ORDER BY id FOR NO KEY UPDATE),
		ordered AS (SELECT id, CAST(@now AS timestamptz) + row_number() OVER (ORDER BY id) * CAST(@gap AS interval) AS at FROM mine)
		UPDATE accounts a SET due_at = least(due_at, at) FROM ordered o WHERE a.id = o.id`,
		pg.Named("site", site, "ended", ended, "since", ended.Add(-takesPart), "gap", interval(gap), "now", now))
	if res.Error != nil {
		return 0, fmt.Errorf("who takes part on %s: %w", site, res.Error)
	}
	return int(res.RowsAffected), nil
}
