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
	counts []byte   // The same as JSON.
	pace   Pace
	demand float64
}

// MeasurePools finds out, of the pools whose pace is old, how many requests the
// tiers ask for and how many there are, and sets by how much fetches must be further
// apart. batches are the posts in a request, by network; a pool's own goes before.
func MeasurePools(ctx context.Context, db *gorm.DB, tiers Tiers, batches map[string]int, now time.Time) error {
	now = now.UTC()
	month := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	var pools []*measured
	err := db.WithContext(ctx).Raw(queries.Must("unmeasured_pools"),
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
	for _, p := range pools {
		batch := max(batches[p.Network], 1)
		if p.Batch > 0 {
			batch = p.Batch
		}
		p.pace, p.demand = tiers.pace(p.posts, batch, p.Supply, p.Left, max(days, 1))
		if p.counts, err = json.Marshal(p.posts); err != nil {
			return err
		}
	}
	number := func(of func(*measured) float64) *[]float64 {
		return pg.Column(pools, func(p **measured) float64 { return of(*p) })
	}
	err = db.WithContext(ctx).Exec(queries.Must("pace_pools"),
		pg.Named("now", now, "networks", pg.Column(pools, func(p **measured) string { return (*p).Network }),
			"hosts", pg.Column(pools, func(p **measured) string { return (*p).Host }),
			"slowdown", number(func(p *measured) float64 { return p.pace.Slowdown }),
			"apart", number(func(p *measured) float64 { return p.pace.EveryDays }),
			"demand", number(func(p *measured) float64 { return p.demand }),
			"supply", number(func(p *measured) float64 { return p.Supply }),
			"tiers", pg.Column(pools, func(p **measured) string { return string((*p).counts) }))).Error
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
		WHERE next_update_at IS NOT NULL AND (network, host) IN (
			SELECT network, host FROM unnest(CAST(@networks AS text[]), CAST(@hosts AS text[])) AS g(network, host))
		GROUP BY 1, 2, 3`,
		pg.Named("borders", &borders, "networks", &networks, "hosts", &hosts)).Scan(&found).Error
	if err != nil {
		return fmt.Errorf("count posts by tier: %w", err)
	}
	for _, f := range found {
		by[f.Pool].posts[len(tiers)-max(f.Bucket, 1)] += f.N
	}
	return nil
}

// pace is how much further apart fetches must be: demand, the sum over the tiers of
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
	p.Slowdown = 1
	if supply > 0 && demand > supply {
		p.Slowdown = demand / supply
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
