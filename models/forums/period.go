package forums

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A Period is a part of an archive, such as a month.
type Period struct {
	ForumID      int64
	Period       string
	Place        int
	State        string // open: it grows; closed: a newer one has begun; finished: it did not change for a month.
	Listed       int
	Stored       int
	Label        string
	Etag         string
	LastModified string
	CheckedAt    *time.Time
	ChangedAt    *time.Time
}

// How long a period must stay as it is to be finished, and how often a finished
// one is looked at again although its label is the same.
const (
	periodQuiet   = 30 * 24 * time.Hour
	periodRecheck = 30 * 24 * time.Hour
	// The newest of the closed periods get the late mails: they are looked at once a
	// day, for a label in KB does not show every one.
	periodLate  = 24 * time.Hour
	periodsLate = 2
)

// periodDue tells whether a period w, which stands at a place in the index, is to be
// looked at although its label is the same.
func periodDue(place string) string {
	return `(w.checked_at IS NULL OR w.state = 'open' OR ` + periodOwed + ` OR w.state = 'closed' AND ` + place +
		` <= @late AND w.checked_at <= @daily OR w.checked_at <= @recheck)`
}

// periodOwed tells whether something of a period w is missing that is to be asked for
// now: what could not be had is left alone for a while.
const periodOwed = `w.stored < w.listed AND coalesce((SELECT min(g.due_at) <= @now FROM forum_gaps g
	WHERE g.forum_id = w.forum_id AND g.period = w.period), true)`

func dueArgs(now time.Time, args ...any) map[string]any {
	return pg.Named(append(args, "now", now, "late", periodsLate, "daily", now.Add(-periodLate), "recheck", now.Add(-periodRecheck))...)
}

// A ListedPeriod is one as the entry point lists it, the newest first.
type ListedPeriod struct{ Name, Label string }

// DuePeriods notes the periods that an entry point lists, and returns those to look
// at, newest first: new ones, those whose label is another one, those that are open
// or of which something is missing, and those that were not looked at for a month.
// A label says little of a period that is still growing. again is all of them.
func DuePeriods(ctx context.Context, db *gorm.DB, forum int64, listed []ListedPeriod, again bool, now time.Time) (due []Period, err error) {
	names, labels := make([]string, len(listed)), make([]string, len(listed))
	for i, p := range listed {
		names[i], labels[i] = pg.CleanText(p.Name), pg.CleanText(p.Label)
	}
	err = db.WithContext(ctx).Raw(`
		WITH given AS MATERIALIZED (
			SELECT DISTINCT ON (period) period, label, CAST(place AS integer) - 1 AS place
				FROM unnest(CAST(@names AS text[]), CAST(@labels AS text[])) WITH ORDINALITY AS g(period, label, place)
					ORDER BY period, place),
		was AS (SELECT * FROM forum_periods WHERE forum_id = @forum),
		noted AS (
			INSERT INTO forum_periods AS p (forum_id, period, place) SELECT @forum, period, place FROM given
			ON CONFLICT (forum_id, period) DO UPDATE SET place = EXCLUDED.place WHERE p.place <> EXCLUDED.place)
		SELECT CAST(@forum AS bigint) AS forum_id, g.period, g.place, g.label, coalesce(w.state, 'open') AS state,
			coalesce(w.listed, 0) AS listed, coalesce(w.stored, 0) AS stored,
			coalesce(w.etag, '') AS etag, coalesce(w.last_modified, '') AS last_modified, w.checked_at, w.changed_at
		FROM given g LEFT JOIN was w USING (period)
		WHERE @again OR w.period IS NULL OR g.label <> '' AND g.label <> w.label OR `+periodDue("g.place")+`
		ORDER BY g.place`,
		dueArgs(now, "names", &names, "labels", &labels, "forum", forum, "again", again)).Scan(&due).Error
	if err != nil {
		return nil, fmt.Errorf("periods: %w", err)
	}
	return due, nil
}

// PeriodsOwed tells whether something is to be asked for although the entry point did
// not change: it is missing, or a period was not looked at for long.
func PeriodsOwed(ctx context.Context, db *gorm.DB, forum int64, now time.Time) (owed bool, err error) {
	err = db.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM forum_periods w WHERE forum_id = @forum AND w.state <> 'open' AND `+
		periodDue("w.place")+` OR forum_id = @forum AND `+periodOwed+`)
		OR EXISTS (SELECT FROM forum_gaps WHERE forum_id = @forum AND due_at <= @now)`,
		dueArgs(now, "forum", forum)).Row().Scan(&owed)
	if err != nil {
		return false, fmt.Errorf("periods owed: %w", err)
	}
	return owed, nil
}

// StorePeriod notes what a look at a period found: how many messages it lists, and
// how many of them are stored. Where a newer one has begun and all are stored it is
// closed, and finished when it stays so for a month: then it stands for all its
// addresses, which are forgotten.
func StorePeriod(ctx context.Context, db *gorm.DB, p *Period, now time.Time) error {
	changed := p.ChangedAt
	var was Period
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Raw(`SELECT * FROM forum_periods WHERE forum_id = @forum AND period = @period FOR UPDATE`,
			pg.Named("forum", p.ForumID, "period", p.Period)).Scan(&was).Error; err != nil {
			return err
		}
		if changed == nil || was.Listed != p.Listed || was.Stored != p.Stored {
			changed = &now
		}
		state := "open"
		if p.Place > 0 && p.Stored >= p.Listed {
			if state = "closed"; !changed.After(now.Add(-periodQuiet)) {
				state = "finished"
			}
		}
		err := tx.Exec(`
			UPDATE forum_periods SET state = @state, listed = @listed, stored = @stored, label = @label, etag = @etag,
				last_modified = @modified, checked_at = @now, changed_at = @changed
			WHERE forum_id = @forum AND period = @period`,
			pg.Named("state", state, "listed", p.Listed, "stored", p.Stored, "label", pg.CleanText(p.Label), "etag", pg.CleanText(p.Etag),
				"modified", pg.CleanText(p.LastModified), "now", now, "changed", changed, "forum", p.ForumID, "period", p.Period)).Error
		if err != nil || state != "finished" {
			return err
		}
		return tx.Exec(`DELETE FROM forum_urls WHERE forum_id = @forum AND period = @period`,
			pg.Named("forum", p.ForumID, "period", p.Period)).Error
	})
	if err != nil {
		return fmt.Errorf("period %s: %w", p.Period, err)
	}
	return nil
}

// CloseQuietPeriods finishes the periods of a forum that stayed as they are for a
// month, and forgets their addresses: also where nothing is asked for any more.
func CloseQuietPeriods(ctx context.Context, db *gorm.DB, forum int64, now time.Time) error {
	err := db.WithContext(ctx).Exec(`
		WITH done AS (
			UPDATE forum_periods SET state = 'finished' WHERE forum_id = @forum AND state = 'closed' AND changed_at <= @quiet
				AND stored >= listed RETURNING period)
		DELETE FROM forum_urls u USING done WHERE u.forum_id = @forum AND u.period = done.period`,
		pg.Named("forum", forum, "quiet", now.Add(-periodQuiet))).Error
	if err != nil {
		return fmt.Errorf("finish periods: %w", err)
	}
	return nil
}
