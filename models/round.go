package models

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"
)

// RoundCandidates returns handles of a site whose accounts submitted something since
// a moment and are not known until the end of a round, the most recent ones first.
func RoundCandidates(ctx context.Context, db *gorm.DB, site string, ends, since time.Time) (handles []string, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT handle FROM accounts
		WHERE site = @site AND state = 'active' AND failures = 0 AND newest_at > @since AND complete_until < @ends
		ORDER BY newest_at DESC, id`, named("site", site, "since", since, "ends", ends)).Scan(&handles).Error
	if err != nil {
		return nil, fmt.Errorf("who may have taken part on %s: %w", site, err)
	}
	return handles, nil
}

// HurryLooks lets those of some handles that are not known until a moment be looked
// at next, and returns how many.
func HurryLooks(ctx context.Context, db *gorm.DB, site string, handles []string, until, now time.Time) (int, error) {
	lower := make([]string, len(handles))
	for i, h := range handles {
		lower[i] = strings.ToLower(h)
	}
	res := db.WithContext(ctx).Exec(`
		UPDATE accounts SET due_at = least(due_at, CAST(@now AS timestamptz)), delay = 0
		WHERE site = @site AND lower(handle) = ANY(CAST(@handles AS text[])) AND state = 'active' AND failures = 0 AND complete_until < @until`,
		named("site", site, "handles", &lower, "until", until, "now", now))
	if res.Error != nil {
		return 0, fmt.Errorf("looks at who took part on %s: %w", site, res.Error)
	}
	return int(res.RowsAffected), nil
}
