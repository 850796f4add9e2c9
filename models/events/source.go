package events

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// WaitingAtMost is how far the events of a source that wait are counted.
const WaitingAtMost = 10_000

// An Source is who sends events, and how far they are handled.
type Source struct {
	Source    string
	FirstAt   time.Time
	PausedAt  *time.Time // Its events wait until it goes on.
	Waiting   int        // At most WaitingAtMost.
	Handled   int64
	HandledAt *time.Time
	Dead      int64 // Put aside.
}

// Sources returns all sources by name, or the one that is named.
func Sources(ctx context.Context, db *gorm.DB, only string) (list []Source, err error) {
	err = db.WithContext(ctx).Raw(queries.Must("sources"), pg.Named("most", WaitingAtMost, "only", only)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("sources of events: %w", err)
	}
	return list, nil
}

// Pause lets the events of a source wait, or go on. None is lost.
func Pause(ctx context.Context, db *gorm.DB, source string, paused bool, now time.Time) (s Source, err error) {
	source = pg.CleanText(source)
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		res := tx.Exec(`
			UPDATE event_sources SET paused_at = CASE WHEN @paused THEN coalesce(paused_at, CAST(@now AS timestamptz)) END
			WHERE source = @source`,
			pg.Named("paused", paused, "now", now, "source", source))
		if res.Error == nil && res.RowsAffected == 0 {
			return pg.ErrNotFound
		}
		if res.Error != nil || paused {
			return res.Error
		}
		return pg.Wake(ctx, tx, WakeEvents)
	})
	if err != nil {
		return s, fmt.Errorf("source %q: %w", source, err)
	}
	list, err := Sources(ctx, db, source)
	if err == nil && len(list) == 0 {
		err = pg.ErrNotFound
	}
	if err != nil {
		return s, err
	}
	return list[0], nil
}

// DeadEventsBefore returns at most limit events that could not be handled, newest
// first, of one source where it is named and older than one where before is not 0.
func DeadEventsBefore(ctx context.Context, db *gorm.DB, source string, before int64, limit int) (list []Dead, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT d.id, d.source, d.event_id, coalesce(m.name, '') AS member, d.body, d.reason, d.stored_at, d.dead_at,
			d.topic, d.part, d.log_offset
		FROM event_dead d LEFT JOIN members m ON m.id = d.member_id
		WHERE (@source = '' OR d.source = @source) AND (@before = 0 OR d.id < @before) ORDER BY d.id DESC LIMIT @limit`,
		pg.Named("source", pg.CleanText(source), "before", before, "limit", limit)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("events put aside: %w", err)
	}
	return list, nil
}
