package history

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// PageFetches is how one page was fetched for a member, around an instant.
type PageFetches struct {
	Source, Address string
	Fetched         *time.Time // The newest fetch at or before the instant that went well.
	UnchangedSince  *time.Time // The first of those in a row that showed the same.
	Fetches         int        // How many those are.
	NextChange      *time.Time // The first check after it that showed something else.
	Failed          int        // Fetches that failed between Fetched and the instant.
	FailingFrom     *time.Time // The first of them.
	FailingUntil    *time.Time // The first check after the instant that went well, where some failed.
	// The nearest fetches around the instant, and the first and last of all.
	Before, After, First, Last *time.Time
}

// readPages reads how the member's pages were fetched, one statement for all.
func (h *History) readPages(ctx context.Context, db *gorm.DB) error {
	return db.WithContext(ctx).Raw(queries.Must("pages"), pg.Named("name", h.Member.Name, "at", h.At)).Scan(&h.Pages).Error
}

// readFailed reads the fetches of that time that failed.
func (h *History) readFailed(ctx context.Context, db *gorm.DB) error {
	var rows []struct {
		Source string
		At     time.Time
	}
	err := db.WithContext(ctx).Raw(`
		SELECT p.source, r.at FROM archive_pages p JOIN archive_retrievals r ON r.page_id = p.id
		WHERE p.viewer = @name AND r.at BETWEEN @from AND @until AND r.outcome <> 'ok' ORDER BY r.at`,
		pg.Named("name", h.Member.Name, "from", h.From, "until", h.Until)).Scan(&rows).Error
	h.Failed = map[string][]time.Time{}
	for _, r := range rows {
		h.Failed[r.Source] = append(h.Failed[r.Source], r.At)
	}
	return err
}

// readDays counts the days as the sums of that instant had them: with the rows
// that had been read when each account was last fetched.
func (h *History) readDays(ctx context.Context, db *gorm.DB, since time.Time) error {
	sites, seen := make([]string, len(h.Accounts)), make([]time.Time, len(h.Accounts))
	for i, a := range h.Accounts {
		sites[i], seen[i] = a.Site, a.Seen
	}
	return db.WithContext(ctx).Raw(queries.Must("days"),
		pg.Named("zone", h.Zone.String(), "sites", &sites, "seen", &seen, "member", h.Member.ID, "since", since)).Scan(&h.Days).Error
}

// readRecent reads the newest submissions that had been seen.
func (h *History) readRecent(ctx context.Context, db *gorm.DB, limit int) error {
	return db.WithContext(ctx).Raw(queries.Must("recent"),
		pg.Named("member", h.Member.Name, "id", h.Member.ID, "at", h.At, "limit", limit)).Scan(&h.Recent).Error
}

// A FetchDay is the checks for a member on one day of a zone. Pages that were
// fetched together count once.
type FetchDay struct {
	Day             time.Time // Midnight UTC of the civil day.
	Fetches, Failed int
	Last            time.Time
}

// FetchDays returns the days with fetches from first to last (civil days).
func FetchDays(ctx context.Context, db *gorm.DB, name string, zone *time.Location, first, last time.Time) (days []FetchDay, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT CAST(at AT TIME ZONE @zone AS date) AS day, count(*) AS fetches, count(*) FILTER (WHERE failed) AS failed, max(at) AS last
		FROM (
			SELECT r.at, bool_and(r.outcome <> 'ok') AS failed FROM archive_pages p JOIN archive_retrievals r ON r.page_id = p.id
			WHERE p.viewer = @name AND r.at >= @from AND r.at < @until GROUP BY r.at) l
		GROUP BY day ORDER BY day`,
		pg.Named("zone", zone.String(), "name", name, "from", pg.StartOfDay(first, zone),
			"until", pg.StartOfDay(last.AddDate(0, 0, 1), zone))).Scan(&days).Error
	if err != nil {
		return nil, fmt.Errorf("fetches for %s: %w", name, err)
	}
	return days, nil
}

// FetchTimes returns the newest instants at which anything was fetched for a
// member, oldest first, at most limit.
func FetchTimes(ctx context.Context, db *gorm.DB, name string, limit int) (at []time.Time, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT at FROM (
			SELECT DISTINCT r.at FROM archive_pages p JOIN archive_retrievals r ON r.page_id = p.id
			WHERE p.viewer = @name AND r.outcome = 'ok' ORDER BY r.at DESC LIMIT @limit) l ORDER BY at`,
		pg.Named("name", name, "limit", limit)).Scan(&at).Error
	if err != nil {
		return nil, fmt.Errorf("fetches for %s: %w", name, err)
	}
	return at, nil
}
