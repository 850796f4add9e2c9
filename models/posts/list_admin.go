package posts

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// AnyCredential says whether a pool has a credential that may be used, now or
// when it has cooled down.
func AnyCredential(ctx context.Context, db *gorm.DB, pool Pool) (found bool, err error) {
	err = db.WithContext(ctx).Raw(
		`SELECT EXISTS (SELECT FROM credentials WHERE network = @network AND host = @host AND state = 'active')`,
		pg.Named("network", pool.Network, "host", pool.Host)).Scan(&found).Error
	if err != nil {
		return false, fmt.Errorf("credentials of %s: %w", pool, err)
	}
	return found, nil
}

// A PollRow is one request to a network as it was logged.
type PollRow struct {
	ID                    int64
	Network, Host         string
	Credential            string // "" where it is gone.
	At                    time.Time
	Asked, Found, Missing int
	Outcome, Message      string
	TookMs                int
}

// LastPolls returns the newest requests to networks.
func LastPolls(ctx context.Context, db *gorm.DB, limit int) (polls []PollRow, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT p.id, p.network, p.host, coalesce(c.name, '') AS credential, p.at, p.asked, p.found, p.missing, p.outcome,
			p.message, p.took_ms
		FROM post_polls p LEFT JOIN credentials c ON c.id = p.credential_id ORDER BY p.id DESC LIMIT @limit`,
		pg.Named("limit", limit)).Scan(&polls).Error
	if err != nil {
		return nil, fmt.Errorf("last requests: %w", err)
	}
	return polls, nil
}

// A PollFailure is why requests failed, with how many there were.
type PollFailure struct {
	Pool             `gorm:"embedded"`
	Outcome, Message string
	N                int
	Last             time.Time
}

// PollFailures returns what went wrong in the last hour, the most frequent first.
func PollFailures(ctx context.Context, db *gorm.DB, limit int, now time.Time) (all []PollFailure, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT network, host, outcome, message, count(*) AS n, max(at) AS last FROM post_polls WHERE at > @since AND outcome <> 'ok'
		GROUP BY 1, 2, 3, 4 ORDER BY n DESC, last DESC LIMIT @limit`,
		pg.Named("since", now.Add(-time.Hour), "limit", limit)).Scan(&all).Error
	if err != nil {
		return nil, fmt.Errorf("failed requests: %w", err)
	}
	return all, nil
}
