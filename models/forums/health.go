package forums

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"
)

// A Health is what a watcher must know of a forum.
type Health struct {
	Slug        string
	State       string
	Outcome     string // Of the last run.
	Messages    int
	Duplicates  int
	Requests    int64
	NotModified int64
	CoveredAt   *time.Time // When a run last reached covered ground.
	Gaps        int        // Messages that are listed and not stored, and pages of lists that could not be had.
}

// Healths returns what watchers must know of all forums, by name.
func Healths(ctx context.Context, db *gorm.DB) (all []Health, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT f.slug, f.state, f.outcome, f.messages, f.duplicates, f.requests, f.not_modified, f.covered_at,
			coalesce((SELECT sum(p.listed - p.stored) FROM forum_periods p WHERE p.forum_id = f.id AND p.stored < p.listed), 0)
				+ (SELECT count(*) FROM forum_gaps g WHERE g.forum_id = f.id AND g.period = '') AS gaps
		FROM forums f ORDER BY f.slug`).Scan(&all).Error
	if err != nil {
		return nil, fmt.Errorf("health of forums: %w", err)
	}
	return all, nil
}
