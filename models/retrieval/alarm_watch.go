package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// WatchSites opens and closes the alarms of answers that could not be read, and closes those of terms
// that are not seen any more.
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
			FROM site_hours h WHERE hour > @day GROUP BY site`, pg.Named("day", now.Add(-Day))).Scan(&sites).Error
		if err != nil {
			return err
		}
		for _, s := range sites { // A handful, and hardly ever one that changes.
			unreadable := s.Bad >= openAfter && s.Bad*unreadableOneIn >= s.Seen
			switch {
			case unreadable && !s.Alarm:
				message := fmt.Sprintf("%d of %d answers of a day could not be read", s.Bad, s.Seen)
				err = openAlarm(ctx, tx, Alarm{Site: s.Site, Kind: AlarmUnreadable, Message: message}, now)
			case !unreadable && s.Alarm:
				err = closeAlarm(ctx, tx, s.Site, AlarmUnreadable, "", now)
			}
			if err != nil {
				return err
			}
		}
		return tx.Exec(`
			UPDATE site_alarms SET closed_at = @now
			WHERE closed_at IS NULL AND kind IN ('verdict', 'language') AND last_at < @old`,
			pg.Named("now", now, "old", now.Add(-learnFor))).Error
	})
	if err != nil {
		return fmt.Errorf("watch sites: %w", err)
	}
	return nil
}

// Alarms returns the alarms that are open, and those that were closed since then, newest first.
func Alarms(ctx context.Context, db *gorm.DB, since time.Time) (list []Alarm, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT `+pg.Columns[Alarm]("a")+` FROM site_alarms a WHERE closed_at IS NULL OR closed_at >= @since
		ORDER BY closed_at IS NOT NULL, opened_at DESC, id DESC LIMIT 500`,
		pg.Named("since", since)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("alarms: %w", err)
	}
	return list, nil
}

// A SiteTerm is a term of a site that the program does not translate.
type SiteTerm struct {
	Site            string
	Kind            string // AlarmVerdict or AlarmLanguage.
	Term            string
	Known           bool // It is no alarm.
	Times           int64
	FirstAt, LastAt time.Time
	Handle          string // Who had it first.
}

// SiteTerms returns the terms that are known, or those that are not, the newest first.
func SiteTerms(ctx context.Context, db *gorm.DB, known bool) (list []SiteTerm, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT site, kind, term, known, times, first_at, last_at, handle FROM site_terms WHERE known = @known
		ORDER BY site, kind DESC, last_at DESC, term LIMIT 500`, pg.Named("known", known)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("terms of sites: %w", err)
	}
	return list, nil
}

// AcknowledgeTerm makes a term known, which closes its alarm. ErrNotFound means that it was never
// seen.
func AcknowledgeTerm(ctx context.Context, db *gorm.DB, site, kind, term string, now time.Time) error {
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		site, kind = pg.CleanText(site), pg.CleanText(kind)
		res := tx.Exec(`UPDATE site_terms SET known = true WHERE site = @site AND kind = @kind AND term = @term`,
			pg.Named("site", site, "kind", kind, "term", term))
		if err := pg.Touched(res, pg.ErrNotFound); err != nil {
			return err
		}
		return closeAlarm(ctx, tx, site, kind, term, now)
	})
	if err != nil {
		return fmt.Errorf("term of %s: %w", site, err)
	}
	return nil
}
