package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// SiteHealth is how reading a site goes.
type SiteHealth struct {
	Site         string
	Accounts     int
	Invalid      int
	Paused       int
	Running      int        // Being read now.
	LastSuccess  *time.Time // The last ok, or proof of absence: the site answered.
	LastFailure  *time.Time
	FailingSince *time.Time // The last success before the failures; nil where it goes well.
	Outcome      string     // Of the last failure.
	Message      string
	Requests     int // In the last hour and the running one.
	Retrievals   int
	Failures     int
	NewRows      int
	Queue        int        // Accounts that are due or asked for now.
	OldestDue    *time.Time // Of the queue.
	ClosedUntil  *time.Time // The site asked us to stay away until then.
}

// SiteHealths returns the health of every site that has accounts or was ever
// looked at, by name. It reads sums by the hour, not the looks themselves.
func SiteHealths(ctx context.Context, db *gorm.DB, now time.Time) ([]SiteHealth, error) {
	var out []SiteHealth
	err := db.WithContext(ctx).Raw(`
		WITH hours AS (
			SELECT site, min(first_at) FILTER (WHERE outcome NOT IN ('ok', 'not_found')) AS first_failure,
				max(last_at) FILTER (WHERE outcome IN ('ok', 'not_found')) AS last_success,
				max(last_at) FILTER (WHERE outcome NOT IN ('ok', 'not_found')) AS last_failure,
				coalesce(sum(requests) FILTER (WHERE hour > CAST(@now AS timestamptz) - interval '2 hours'), 0) AS requests,
				coalesce(sum(retrievals) FILTER (WHERE hour > CAST(@now AS timestamptz) - interval '2 hours'), 0) AS retrievals,
				coalesce(sum(retrievals) FILTER (WHERE hour > CAST(@now AS timestamptz) - interval '2 hours' AND outcome NOT IN ('ok', 'not_found')), 0) AS failures,
				coalesce(sum(new_rows) FILTER (WHERE hour > CAST(@now AS timestamptz) - interval '2 hours'), 0) AS new_rows
			FROM site_hours GROUP BY site),
		held AS (
			SELECT site, count(*) AS accounts, count(*) FILTER (WHERE state = 'invalid') AS invalid,
				count(*) FILTER (WHERE state = 'paused') AS paused, count(*) FILTER (WHERE leased_until > @now) AS running,
				count(*) FILTER (WHERE state <> 'paused' AND (requested_at IS NOT NULL OR due_at <= @now)) AS queue,
				min(coalesce(requested_at, due_at)) FILTER (WHERE state <> 'paused' AND (requested_at IS NOT NULL OR due_at <= @now)) AS oldest_due
			FROM accounts GROUP BY site)
		SELECT site, coalesce(accounts, 0) AS accounts, coalesce(invalid, 0) AS invalid, coalesce(paused, 0) AS paused, coalesce(running, 0) AS running, last_success, last_failure,
			CASE WHEN last_failure > coalesce(last_success, '-infinity') THEN coalesce(last_success, first_failure) END AS failing_since,
			coalesce(worst.outcome, '') AS outcome, coalesce(worst.message, '') AS message,
			coalesce(requests, 0) AS requests, coalesce(retrievals, 0) AS retrievals, coalesce(failures, 0) AS failures, coalesce(new_rows, 0) AS new_rows,
			coalesce(queue, 0) AS queue, oldest_due, t.next_at AS closed_until
		FROM hours FULL JOIN held USING (site)
		LEFT JOIN LATERAL (
			SELECT outcome, message FROM site_hours w WHERE w.site = coalesce(hours.site, held.site) AND outcome NOT IN ('ok', 'not_found')
			ORDER BY last_at DESC LIMIT 1) worst ON true
		LEFT JOIN request_slots t ON t.key = 'source:' || site AND t.next_at > @soon
		ORDER BY site`, pg.Named("now", now, "soon", now.Add(closedFor))).Scan(&out).Error
	if err != nil {
		return nil, fmt.Errorf("health of sites: %w", err)
	}
	return out, nil
}
