// Package polite keeps what all processes must know to be polite to a host
// together: the request slots and the robots.txt of each.
package polite

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// Verdicts on a host's robots.txt.
const (
	RobotsRead        = "read"
	RobotsAbsent      = "absent"      // All is allowed.
	RobotsUnreachable = "unreachable" // Nothing is.
)

// A Robots is a host's robots.txt.
type Robots struct {
	Host      string // With its scheme: https://lists.example.org
	Body      string
	Verdict   string
	FetchedAt time.Time
}

// RobotsOf returns a host's robots.txt as it was read since, or ErrNotFound.
func RobotsOf(ctx context.Context, db *gorm.DB, host string, since time.Time) (r Robots, err error) {
	return gorm.G[Robots](db).Where("host = ? AND fetched_at > ?", host, since).Take(ctx)
}

// StoreRobots stores a host's robots.txt.
func StoreRobots(ctx context.Context, db *gorm.DB, r Robots) error {
	err := db.WithContext(ctx).Exec(`
		INSERT INTO robots (host, body, verdict, fetched_at) VALUES (@host, @body, @verdict, @at)
		ON CONFLICT (host) DO UPDATE SET body = EXCLUDED.body, verdict = EXCLUDED.verdict, fetched_at = EXCLUDED.fetched_at`,
		pg.Named("host", r.Host, "body", pg.CleanText(r.Body), "verdict", r.Verdict, "at", r.FetchedAt)).Error
	if err != nil {
		return fmt.Errorf("robots.txt of %s: %w", r.Host, err)
	}
	return nil
}
