package posts

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A Lease is a worker's claim on posts: only its holder stores what it saw.
type Lease struct {
	ID          int64
	From, Until time.Time
}

// ReadyPools returns the pools of a network of which posts are due that fill a
// request of batch, or have waited for ttl, with their pace. It costs one look into
// an index for each pool, however many posts there are, and writes nothing.
func ReadyPools(ctx context.Context, db *gorm.DB, network string, batch int, ttl time.Duration, now time.Time) (pools []ReadyPool, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT p.network, p.host, p.batch, p.stretch, p.every_days
		FROM post_pools p, LATERAL (SELECT coalesce(nullif(p.batch, 0), @batch) AS full_batch) b, LATERAL (
			SELECT count(*) AS n, min(next_update_at) AS oldest FROM (
				SELECT next_update_at FROM posts d WHERE d.network = p.network AND d.host = p.host AND d.next_update_at <= @now AND (d.leased_until IS NULL OR d.leased_until <= @now)
				ORDER BY next_update_at LIMIT full_batch) d) due
		WHERE p.network = @network AND (n >= full_batch OR oldest <= @waited)
		ORDER BY p.host`, pg.Named("network", network, "batch", batch, "now", now, "waited", now.Add(-ttl))).Scan(&pools).Error
	if err != nil {
		return nil, fmt.Errorf("pools of posts: %w", err)
	}
	return pools, nil
}

// A ReadyPool is a pool with the pace of its looks.
type ReadyPool struct {
	Pool  `gorm:"embedded"`
	Pace  `gorm:"embedded"`
	Batch int // How many posts the server takes in a request; 0 is as its network says.
}

// Claim leases posts of a pool that are due, the longest overdue first, for
// requests of batch posts each: as many full ones as there are, at most requests;
// or, where there is not even one, one that is not full if the oldest in it has
// waited for ttl. So a batch is as full as can be, whatever the number of workers,
// and no post starves.
//
// Who died with a lease costs a delay: when it ends, the post is due again.
func Claim(ctx context.Context, db *gorm.DB, pool Pool, batch, requests int, ttl time.Duration, lease Lease, now time.Time) ([]Post, error) {
	rows, err := db.WithContext(ctx).Raw(queries.Must("claim"),
		pg.Named("network", pool.Network, "host", pool.Host, "now", now, "limit", batch*requests, "batch", batch, "waited", now.Add(-ttl), "until", lease.Until, "lease", lease.ID)).Rows()
	if err != nil {
		return nil, fmt.Errorf("claim posts of %s: %w", pool, err)
	}
	defer func() { _ = rows.Close() }()
	var posts []Post
	for rows.Next() {
		p := Post{Key: Key{Network: pool.Network, Host: pool.Host}}
		err := rows.Scan(&p.ID, &p.ExternalID, &p.MemberID, &p.CreatedAt, &p.Likes, &p.Reposts, &p.Replies, &p.Quotes, &p.Bookmarks, &p.Views, &p.MetricsAt, &p.ChargedOn, &p.State, &p.NextUpdateAt,
			&p.Attempts, &p.MissingCount, &p.MissingSince, &p.Looks)
		if err != nil {
			return nil, fmt.Errorf("claim posts of %s: %w", pool, err)
		}
		posts = append(posts, p)
	}
	return posts, rows.Err()
}

// Release gives claimed posts back as they were, so that somebody else may
// look at them at once.
func Release(ctx context.Context, db *gorm.DB, lease Lease, posts []Post) error {
	ids := postIDs(posts)
	err := db.WithContext(ctx).Exec(`UPDATE posts SET leased_until = NULL WHERE id = ANY(CAST(@ids AS bigint[])) AND lease_id = @lease`, pg.Named("ids", &ids, "lease", lease.ID)).Error
	if err != nil {
		return fmt.Errorf("release posts: %w", err)
	}
	return nil
}

func postIDs(posts []Post) []int64 {
	ids := make([]int64, len(posts))
	for i := range posts {
		ids[i] = posts[i].ID
	}
	return ids
}
