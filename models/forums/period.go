package forums

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	pg "laurel/models/db"
)

// A Period is a part of an archive, such as a month.
type Period struct {
	ForumID      int64  `gorm:"primaryKey"`
	Period       string `gorm:"primaryKey"`
	Position     int    // In the index, the newest first.
	State        string // open: it grows; closed: a newer one has begun; finished: it did not change for a month.
	Listed       int
	Stored       int
	Label        string
	Etag         string
	LastModified string
	CheckedAt    *time.Time
	ChangedAt    *time.Time
}

// TableName is GORM's.
func (Period) TableName() string { return "forum_periods" }

// periodQuiet is how long a period must stay as it is to be finished.
const periodQuiet = 30 * 24 * time.Hour

// A ListedPeriod is one as the entry point lists it, the newest first.
type ListedPeriod struct{ Name, Label string }

// DuePeriods stores the periods that an entry point lists, and returns those to
// read, newest first: new ones, those whose label is another one, those that are open
// or of which something is missing, and those that were not read for a month.
// A label says little of a period that is still growing. again is all of them.
func DuePeriods(ctx context.Context, db *gorm.DB, f *Forum, listed []ListedPeriod, now time.Time) (due []Period, err error) {
	err = db.WithContext(ctx).Raw(queries.Must("due_periods"),
		pg.Named("now", now, "forum", f.ID, "again", f.Again,
			"names", pg.Column(listed, func(p *ListedPeriod) string { return pg.CleanText(p.Name) }),
			"labels", pg.Column(listed, func(p *ListedPeriod) string { return pg.CleanText(p.Label) }))).Scan(&due).Error
	if err != nil {
		return nil, fmt.Errorf("periods: %w", err)
	}
	return due, nil
}

// AnythingDue reports whether something is to be asked for although the entry point did
// not change: it is missing, or a period was not read for long.
func AnythingDue(ctx context.Context, db *gorm.DB, forum int64, now time.Time) (due bool, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT EXISTS (SELECT FROM forum_periods p WHERE forum_id = @forum
				AND (p.state <> 'open' AND forum_period_due(p, p.position, @now) OR forum_period_owed(p, @now)))
			OR EXISTS (SELECT FROM forum_gaps WHERE forum_id = @forum AND due_at <= @now)`,
		pg.Named("forum", forum, "now", now)).Row().Scan(&due)
	if err != nil {
		return false, fmt.Errorf("periods that are due: %w", err)
	}
	return due, nil
}

// StorePeriod stores what reading a period found: how many messages it lists, and
// how many of them are stored. Where a newer one has begun and all are stored it is
// closed, and finished when it stays so for a month: then it stands for all its
// addresses, which are forgotten.
func StorePeriod(ctx context.Context, db *gorm.DB, p *Period, now time.Time) error {
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		was, err := gorm.G[Period](tx, clause.Locking{Strength: "UPDATE"}).
			Where("forum_id = ? AND period = ?", p.ForumID, p.Period).Take(ctx)
		if err != nil {
			return err
		}
		if p.ChangedAt == nil || was.Listed != p.Listed || was.Stored != p.Stored {
			p.ChangedAt = &now
		}
		p.State, p.CheckedAt = "open", &now
		if p.Position > 0 && p.Stored >= p.Listed {
			if p.State = "closed"; !p.ChangedAt.After(now.Add(-periodQuiet)) {
				p.State = "finished"
			}
		}
		p.Label, p.Etag, p.LastModified = pg.CleanText(p.Label), pg.CleanText(p.Etag), pg.CleanText(p.LastModified)
		_, err = gorm.G[Period](tx).Where("forum_id = ? AND period = ?", p.ForumID, p.Period).
			Select("state", "listed", "stored", "label", "etag", "last_modified", "checked_at", "changed_at").Updates(ctx, *p)
		if err != nil || p.State != "finished" {
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
			UPDATE forum_periods SET state = 'finished'
			WHERE forum_id = @forum AND state = 'closed' AND changed_at <= @quiet AND stored >= listed
			RETURNING period)
		DELETE FROM forum_urls u USING done WHERE u.forum_id = @forum AND u.period = done.period`,
		pg.Named("forum", forum, "quiet", now.Add(-periodQuiet))).Error
	if err != nil {
		return fmt.Errorf("finish periods: %w", err)
	}
	return nil
}

// Periods returns the periods of a forum, newest first.
func Periods(ctx context.Context, db *gorm.DB, forum int64) ([]Period, error) {
	return gorm.G[Period](db).Where("forum_id = ?", forum).Order("position").Find(ctx)
}
