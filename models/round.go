package models

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// RoundCandidates returns handles of a site whose accounts submitted something since
// a moment and are not known until the end of a round, the most recent ones first.
func RoundCandidates(ctx context.Context, db *gorm.DB, site string, ends, since time.Time) (handles []string, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT handle FROM accounts
		WHERE site = @site AND state = 'active' AND failures = 0 AND newest_at > @since AND complete_until < @ends
		ORDER BY newest_at DESC, id`, pg.Named("site", site, "since", since, "ends", ends)).Scan(&handles).Error
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
		WITH mine AS MATERIALIZED (
			SELECT id FROM accounts
			WHERE site = @site AND lower(handle) = ANY(CAST(@handles AS text[])) AND state = 'active' AND failures = 0 AND complete_until < @until
			ORDER BY id FOR NO KEY UPDATE)
		UPDATE accounts a SET due_at = least(due_at, CAST(@now AS timestamptz)), delay = 0 FROM mine WHERE a.id = mine.id`,
		pg.Named("site", site, "handles", &lower, "until", until, "now", now))
	if res.Error != nil {
		return 0, fmt.Errorf("looks at who took part on %s: %w", site, res.Error)
	}
	return int(res.RowsAffected), nil
}

// RoundOpen returns the handles, in small letters, of accounts of a site that submitted
// something during a round and have rows, of it or newer ones, whose verdict may have changed
// since they were looked at.
func RoundOpen(ctx context.Context, db *gorm.DB, site string, begins, ends time.Time, overlap time.Duration) (handles []string, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT DISTINCT lower(a.handle) FROM accounts a
		WHERE a.site = @site AND a.state = 'active' AND a.open_at >= @begins AND a.open_at + CAST(@overlap AS interval) > a.last_retrieved_at
			AND EXISTS (SELECT FROM submissions s WHERE s.member_id = a.member_id AND s.account_id = a.id AND s.submitted_at BETWEEN @begins AND @ends)
		ORDER BY 1`, pg.Named("site", site, "begins", begins, "ends", ends, "overlap", interval(overlap))).Scan(&handles).Error
	if err != nil {
		return nil, fmt.Errorf("who is open on %s: %w", site, err)
	}
	return handles, nil
}

// CloseRound notes that the rows of a round, by the site's numbers, will not change any more,
// for those of whom no newer row may: then a probe may stand for their look, and is asked next. Not
// for whose account is locked just now: it is looked at.
func CloseRound(ctx context.Context, db *gorm.DB, site string, begins, ends time.Time, ids []string) error {
	err := db.WithContext(ctx).Exec(`
		WITH mine AS MATERIALIZED (
			SELECT a.id FROM accounts a
			WHERE a.site = @site AND a.open_at BETWEEN @begins AND @ends AND EXISTS (
				SELECT FROM submissions s WHERE s.member_id = a.member_id AND s.account_id = a.id AND s.submitted_at = a.open_at AND s.site_id = ANY(CAST(@ids AS text[])))
			ORDER BY a.id FOR NO KEY UPDATE OF a SKIP LOCKED)
		UPDATE accounts a SET open_at = NULL, probed_at = 'epoch' FROM mine WHERE a.id = mine.id`,
		pg.Named("site", site, "begins", begins, "ends", ends, "ids", &ids)).Error
	if err != nil {
		return fmt.Errorf("close a round of %s: %w", site, err)
	}
	return nil
}
