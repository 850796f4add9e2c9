package awards

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/events"
)

// A deadEvent is one that cannot be handled, and why.
type deadEvent struct {
	*queued
	body, reason string
}

// putAside keeps events that cannot be handled, for an admin to read and
// replay.
func putAside(ctx context.Context, tx *gorm.DB, source string, dead []deadEvent, now time.Time) error {
	if len(dead) == 0 {
		return nil
	}
	txids, ids, bodies, reasons := make([]int64, len(dead)), make([]int64, len(dead)), make([]string, len(dead)), make([]string, len(dead))
	for i, d := range dead {
		txids[i], ids[i], bodies[i], reasons[i] = d.Txid, d.ID, d.body, pg.CleanText(d.reason)
	}
	err := tx.WithContext(ctx).Exec(`
		INSERT INTO event_dead (source, event_id, member_id, zone, stored_at, body, reason, dead_at)
		SELECT e.source, e.event_id, e.member_id, e.zone, e.stored_at, d.body, d.reason, @now
		FROM unnest(CAST(@txids AS bigint[]), CAST(@ids AS bigint[]), CAST(@bodies AS text[]), CAST(@reasons AS text[]))
			AS d(txid, id, body, reason)
		JOIN events e ON e.source = @source AND e.txid = d.txid AND e.id = d.id ORDER BY d.id`,
		pg.Named("source", source, "txids", &txids, "ids", &ids, "bodies", &bodies, "reasons", &reasons, "now", now)).Error
	if err != nil {
		return fmt.Errorf("put events aside: %w", err)
	}
	return nil
}

// putFirstAside puts the next event of a position aside: counting it failed.
func putFirstAside(ctx context.Context, db *gorm.DB, at position, cause error, now time.Time) (n int, err error) {
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		safe, err := pg.Horizon(ctx, tx)
		if err != nil {
			return err
		}
		at, ok, err := takePosition(ctx, tx, at, safe)
		if err != nil || !ok {
			return err
		}
		events, err := readEvents(ctx, tx, at, safe, 1)
		if err != nil || len(events) == 0 {
			return err
		}
		n = 1
		if err := putAside(ctx, tx, at.Source, []deadEvent{{&events[0], events[0].Body, cause.Error()}}, now); err != nil {
			return err
		}
		return movePosition(ctx, tx, at, &events[0], 1, now)
	})
	return n, err
}

// ReplayDead puts events that could not be handled onto the bus again: one, or
// all where id is 0. It returns how many.
func ReplayDead(ctx context.Context, db *gorm.DB, id int64, now time.Time) (n int64, err error) {
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		res := tx.Exec(`
			WITH gone AS (DELETE FROM event_dead WHERE (@id = 0 OR id = @id) AND topic IS NULL
				RETURNING id, source, member_id, event_id, zone, stored_at, body)
			INSERT INTO events (source, part, member_id, event_id, zone, stored_at, body)
			SELECT source, event_part(member_id), member_id, event_id, zone, stored_at, body FROM gone ORDER BY id`, pg.Named("id", id))
		if res.Error != nil {
			return res.Error
		}
		records, err := events.ReplayRecords(ctx, tx, id, now)
		if n = res.RowsAffected + records; err != nil || n == 0 {
			return err
		}
		return pg.Wake(ctx, tx, events.WakeEvents)
	})
	if err == nil && n == 0 && id != 0 {
		err = pg.ErrNotFound
	}
	if err != nil {
		return 0, fmt.Errorf("replay events: %w", err)
	}
	return n, nil
}
