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
// request of batch, or have waited for ttl, with their pace. It costs one step into
// an index for each pool, however many posts there are, and writes nothing.
func ReadyPools(ctx context.Context, db *gorm.DB, network string, batch int, ttl time.Duration, now time.Time) (
	pools []ReadyPool, err error) {
	err = db.WithContext(ctx).Raw(queries.Must("ready_pools"),
		pg.Named("network", network, "batch", batch, "now", now, "waited", now.Add(-ttl))).Scan(&pools).Error
	if err != nil {
		return nil, fmt.Errorf("pools of posts: %w", err)
	}
	return pools, nil
}

// A ReadyPool is a pool with its pace.
type ReadyPool struct {
	Pool  `gorm:"embedded"`
	Pace  `gorm:"embedded"`
	Batch int // How many posts the server takes in a request; 0 is as its network says.
}

// A Want is which posts are wanted for requests of so many.
type Want struct {
	Batch, Requests int
	TTL             time.Duration // For how long the oldest of a batch that is not full waits.
}

// Claim leases posts of a pool that are due, the longest overdue first, for
// requests of a batch each: as many full ones as there are, at most so many requests;
// or, where there is not even one, one that is not full if the oldest in it has
// waited for the TTL. So a batch is as full as can be, whatever the number of workers,
// and no post starves.
//
// Who died with a lease costs a delay: when it ends, the post is due again.
func Claim(ctx context.Context, db *gorm.DB, pool Pool, w Want, lease Lease, now time.Time) ([]Post, error) {
	rows, err := db.WithContext(ctx).Raw(queries.Must("claim"),
		pg.Named("network", pool.Network, "host", pool.Host, "now", now, "limit", w.Batch*w.Requests, "batch", w.Batch,
			"waited", now.Add(-w.TTL), "until", lease.Until, "lease", lease.ID)).Rows()
	if err != nil {
		return nil, fmt.Errorf("claim posts of %s: %w", pool, err)
	}
	defer func() { _ = rows.Close() }()
	var posts []Post
	for rows.Next() {
		p := Post{Key: Key{Network: pool.Network, Host: pool.Host}}
		err := rows.Scan(&p.ID, &p.ExternalID, &p.MemberID, &p.CreatedAt, &p.Likes, &p.Reposts, &p.Replies, &p.Quotes, &p.Bookmarks,
			&p.Views, &p.MetricsAt, &p.ChargedOn, &p.State, &p.NextUpdateAt, &p.Attempts, &p.MissingCount, &p.MissingSince, &p.Fetches)
		if err != nil {
			return nil, fmt.Errorf("claim posts of %s: %w", pool, err)
		}
		posts = append(posts, p)
	}
	return posts, rows.Err()
}

// Release gives claimed posts back as they were, so that somebody else may
// fetch them at once.
func Release(ctx context.Context, db *gorm.DB, lease Lease, posts []Post) error {
	err := db.WithContext(ctx).Exec(
		`UPDATE posts SET leased_until = NULL WHERE id = ANY(CAST(@ids AS bigint[])) AND lease_id = @lease`,
		pg.Named("ids", pg.Column(posts, func(p *Post) int64 { return p.ID }), "lease", lease.ID)).Error
	if err != nil {
		return fmt.Errorf("release posts: %w", err)
	}
	return nil
}
