package posts

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// measureEvery is how old a pool's pace may be.
const measureEvery = 5 * time.Minute

// A measured pool is what it takes to know its pace.
type measured struct {
	Pool   `gorm:"embedded"`
	Batch  int
	Supply float64  // Requests an hour.
	Left   *float64 // Posts that may still be paid for this month; nil is without end.
	posts  []int64  // By tier.
}

// MeasurePools finds out, of the pools whose pace is old, how many requests the
// tiers ask for and how many there are, and sets by how much looks must be further
// apart. batches are the posts in a request, by network; a pool's own goes before.
func MeasurePools(ctx context.Context, db *gorm.DB, tiers Tiers, batches map[string]int, now time.Time) error {
	now = now.UTC()
	month := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	var pools []*measured
	err := db.WithContext(ctx).Raw(`
		SELECT p.network, p.host, p.batch, coalesce(sum(c.quota * 3600.0 / c.window_seconds), 0) AS supply,
			CASE WHEN bool_and(c.monthly_posts IS NOT NULL) THEN sum(greatest(c.monthly_posts - (SELECT coalesce(sum(charged), 0) FROM credential_days d WHERE d.credential_id = c.id AND d.day >= CAST(@month AS date)), 0)) END AS left
		FROM post_pools p LEFT JOIN credentials c ON c.network = p.network AND c.host = p.host AND c.state = 'active'
		WHERE p.measured_at IS NULL OR p.measured_at <= @before OR p.measured_at > @now GROUP BY p.network, p.host`,
		pg.Named("month", month, "before", now.Add(-measureEvery), "now", now)).Scan(&pools).Error
	if err != nil {
		return fmt.Errorf("measure pools: %w", err)
	}
	if len(pools) == 0 {
		return nil
	}
	if err := countTiers(ctx, db, pools, tiers, now); err != nil {
		return err
	}
	days := month.AddDate(0, 1, 0).Sub(now).Hours() / 24
	var networks, hosts, counts []string
	var stretch, apart, demand, supply []float64
	for _, p := range pools {
		batch := max(batches[p.Network], 1)
		if p.Batch > 0 {
			batch = p.Batch
		}
		pace, asked := tiers.pace(p.posts, batch, p.Supply, p.Left, max(days, 1))
		text, err := json.Marshal(p.posts)
		if err != nil {
			return err
		}
		networks, hosts, counts = append(networks, p.Network), append(hosts, p.Host), append(counts, string(text))
		stretch, apart, demand, supply = append(stretch, pace.Stretch), append(apart, pace.EveryDays), append(demand, asked), append(supply,
			p.Supply)
	}
	err = db.WithContext(ctx).Exec(`
		UPDATE post_pools p SET stretch = g.stretch, every_days = g.apart, demand = g.demand, supply = g.supply, tiers = CAST(g.tiers AS json), measured_at = @now
		FROM unnest(CAST(@networks AS text[]), CAST(@hosts AS text[]), CAST(@stretch AS double precision[]), CAST(@apart AS double precision[]), CAST(@demand AS double precision[]), CAST(@supply AS double precision[]), CAST(@tiers AS text[]))
			AS g(network, host, stretch, apart, demand, supply, tiers)
		WHERE p.network = g.network AND p.host = g.host`,
		pg.Named("networks", &networks, "hosts", &hosts, "stretch", &stretch, "apart", &apart, "demand", &demand, "supply", &supply,
			"tiers", &counts, "now", now)).Error
	if err != nil {
		return fmt.Errorf("measure pools: %w", err)
	}
	return nil
}

// countTiers counts the posts of pools by tier; those older than all are in the last.
func countTiers(ctx context.Context, db *gorm.DB, pools []*measured, tiers Tiers, now time.Time) error {
	borders := make([]time.Time, 0, len(tiers)) // From the oldest to the youngest, as width_bucket wants them.
	for i := len(tiers) - 1; i >= 0; i-- {
		borders = append(borders, now.Add(-tiers[i].Under))
	}
	var networks, hosts []string
	by := map[Pool]*measured{}
	for _, p := range pools {
		p.posts = make([]int64, len(tiers))
		networks, hosts, by[p.Pool] = append(networks, p.Network), append(hosts, p.Host), p
	}
	var found []struct {
		Pool   `gorm:"embedded"`
		Bucket int
		N      int64
	}
	err := db.WithContext(ctx).Raw(`
		SELECT network, host, width_bucket(created_at, CAST(@borders AS timestamptz[])) AS bucket, count(*) AS n FROM posts
		WHERE next_update_at IS NOT NULL AND (network, host) IN (SELECT * FROM unnest(CAST(@networks AS text[]), CAST(@hosts AS text[]))) GROUP BY 1, 2, 3`,
		pg.Named("borders", &borders, "networks", &networks, "hosts", &hosts)).Scan(&found).Error
	if err != nil {
		return fmt.Errorf("count posts by tier: %w", err)
	}
	for _, f := range found {
		by[f.Pool].posts[len(tiers)-max(f.Bucket, 1)] += f.N
	}
	return nil
}

// pace is how much further apart looks must be: demand, the sum over the tiers of
// the posts in it by its interval, against supply, both in requests an hour. Where
// there is too little, all wait longer by the same ratio, and nobody starves.
//
// Where only so many posts may still be paid for in the days that are left of the
// month, those younger than a day go first: a post is charged once a day, however
// often it is read. The older ones share the rest.
func (t Tiers) pace(posts []int64, batch int, supply float64, left *float64, days float64) (p Pace, demand float64) {
	var young, old float64
	for i, n := range posts {
		demand += float64(n) / t[i].Every.Hours() / float64(batch)
		if t[i].Under <= 24*time.Hour {
			young += float64(n)
		} else {
			old += float64(n)
		}
	}
	p.Stretch = 1
	if supply > 0 && demand > supply {
		p.Stretch = demand / supply
	}
	if left != nil && young+old > *left/days {
		p.EveryDays = min(old/max(*left/days-young, 1), 30)
	}
	return p, demand
}

// LearnBatch notes that a server takes fewer posts in a request than its network says.
func LearnBatch(ctx context.Context, db *gorm.DB, pool Pool, batch int) error {
	return db.WithContext(ctx).Exec(`UPDATE post_pools SET batch = @batch WHERE network = @network AND host = @host`,
		pg.Named("batch", batch, "network", pool.Network, "host", pool.Host)).Error
}
