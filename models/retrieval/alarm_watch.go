package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

const (
	// wordsFor is how long after it was last seen a new word stays an alarm.
	wordsFor = 7 * 24 * time.Hour
	// Unreadable answers of a day are an alarm from so many, and from one in so many.
	unreadableFrom, unreadableOneIn = 3, 10
)

// WatchSites opens and closes the alarms that follow from what was counted: of
// answers that could not be read, and of words that are not seen any more.
func WatchSites(ctx context.Context, db *gorm.DB, now time.Time) error {
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var sites []struct {
			Site      string
			Bad, Seen int
			Alarm     bool
		}
		err := tx.Raw(`
			SELECT site, coalesce(sum(retrievals) FILTER (WHERE outcome = 'parse_error'), 0) AS bad, sum(retrievals) AS seen,
				EXISTS (SELECT FROM site_alarms a WHERE a.site = h.site AND a.kind = 'unreadable' AND a.closed_at IS NULL) AS alarm
			FROM site_hours h WHERE hour > @day GROUP BY site`, pg.Named("day", now.AddDate(0, 0, -1))).Scan(&sites).Error
		if err != nil {
			return err
		}
		for _, s := range sites { // A handful, and hardly ever one that changes.
			amiss := s.Bad >= unreadableFrom && s.Bad*unreadableOneIn >= s.Seen
			switch {
			case amiss && !s.Alarm:
				err = openAlarm(ctx, tx, s.Site, AlarmUnreadable, "", fmt.Sprintf("%d of %d answers of a day could not be read", s.Bad, s.Seen), now)
			case !amiss && s.Alarm:
				err = closeAlarms(ctx, tx, s.Site, AlarmUnreadable, "", now)
			}
			if err != nil {
				return err
			}
		}
		return tx.Exec(`UPDATE site_alarms SET closed_at = @now WHERE closed_at IS NULL AND kind IN ('verdict', 'language') AND last_at < @old`,
			pg.Named("now", now, "old", now.Add(-wordsFor))).Error
	})
	if err != nil {
		return fmt.Errorf("watch sites: %w", err)
	}
	return nil
}

// Alarms returns what is amiss with sites, and what ended since then, newest first.
func Alarms(ctx context.Context, db *gorm.DB, since time.Time) (list []Alarm, err error) {
	err = db.WithContext(ctx).Raw(`SELECT * FROM site_alarms WHERE closed_at IS NULL OR closed_at >= @since ORDER BY closed_at IS NOT NULL, opened_at DESC, id DESC LIMIT 500`,
		pg.Named("since", since)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("alarms: %w", err)
	}
	return list, nil
}

// A SiteTerm is a word of a site that the program has none of its own for.
type SiteTerm struct {
	Site            string
	Kind            string // AlarmVerdict or AlarmLanguage.
	Word            string
	Known           bool // Nobody is alarmed by it.
	Times           int64
	FirstAt, LastAt time.Time
	Handle          string // Who had it first.
}

// SiteTerms returns the words that are known, or those that are not, the newest first.
func SiteTerms(ctx context.Context, db *gorm.DB, known bool) (list []SiteTerm, err error) {
	err = db.WithContext(ctx).Raw(`SELECT * FROM site_words WHERE known = @known ORDER BY site, kind DESC, last_at DESC, word LIMIT 500`, pg.Named("known", known)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("words of sites: %w", err)
	}
	return list, nil
}

// AcknowledgeTerm marks a word as known: it is no alarm any more. ErrNotFound means that
// nobody has seen it.
func AcknowledgeTerm(ctx context.Context, db *gorm.DB, site, kind, word string, now time.Time) error {
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		res := tx.Exec(`UPDATE site_words SET known = true WHERE site = @site AND kind = @kind AND word = @word`, pg.Named("site", pg.CleanText(site), "kind", pg.CleanText(kind), "word", word))
		if res.Error == nil && res.RowsAffected == 0 {
			return pg.ErrNotFound
		}
		if res.Error != nil {
			return res.Error
		}
		return tx.Exec(`UPDATE site_alarms SET closed_at = @now WHERE site = @site AND kind = @kind AND subject = @word AND closed_at IS NULL`,
			pg.Named("site", pg.CleanText(site), "kind", pg.CleanText(kind), "word", pg.CleanText(word), "now", now)).Error
	})
	if err != nil {
		return fmt.Errorf("word of %s: %w", site, err)
	}
	return nil
}
