package awards

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/events"
)

// A position is how far a part of a source was handled.
type position struct {
	Source   string
	Part     int
	Txid, ID int64
}

// takePosition takes a part of which events wait, for this transaction. Nobody
// else handles a member of that part meanwhile, whatever the source.
func takePosition(ctx context.Context, tx *gorm.DB, only position, safe int64) (position, bool, error) {
	var waiting []position
	err := tx.WithContext(ctx).Raw(`
		SELECT p.source, p.part FROM event_positions p JOIN event_sources s ON s.source = p.source
		WHERE s.paused_at IS NULL AND (@source = '' OR p.source = @source AND p.part = @part) AND EXISTS (
			SELECT FROM events e WHERE e.source = p.source AND e.part = p.part AND (e.txid, e.id) > (p.txid, p.id) AND e.txid < @safe)
		ORDER BY p.handled_at NULLS FIRST LIMIT @parts`,
		pg.Named("source", only.Source, "part", only.Part, "safe", safe, "parts", 2*events.EventParts)).Scan(&waiting).Error
	if err != nil {
		return position{}, false, fmt.Errorf("parts with events: %w", err)
	}
	for _, w := range waiting {
		var at position
		// The row is read as it is once the lock is ours.
		err := tx.WithContext(ctx).Raw(`
			SELECT p.source, p.part, p.txid, p.id FROM event_positions p
			WHERE p.source = @source AND p.part = @part AND pg_try_advisory_xact_lock(@class, p.part) FOR UPDATE OF p SKIP LOCKED`,
			pg.Named("source", w.Source, "part", w.Part, "class", events.LockPart)).Scan(&at).Error
		if err != nil {
			return position{}, false, fmt.Errorf("take a part: %w", err)
		}
		if at.Source != "" {
			return at, true, nil
		}
	}
	return position{}, false, nil
}

func readEvents(ctx context.Context, tx *gorm.DB, at position, safe int64, limit int) (events []queued, err error) {
	rows, err := tx.WithContext(ctx).Raw(`
		SELECT txid, id, member_id, event_id, zone, stored_at, body FROM events
		WHERE source = @source AND part = @part AND (txid, id) > (@txid, @id) AND txid < @safe
		ORDER BY txid, id LIMIT @limit`,
		pg.Named("source", at.Source, "part", at.Part, "txid", at.Txid, "id", at.ID, "safe", safe, "limit", limit)).Rows()
	if err != nil {
		return nil, fmt.Errorf("read events: %w", err)
	}
	defer func() { _ = rows.Close() }()
	events = make([]queued, 0, limit)
	for rows.Next() {
		var q queued
		if err := rows.Scan(&q.Txid, &q.ID, &q.MemberID, &q.EventID, &q.Zone, &q.StoredAt, &q.Body); err != nil {
			return nil, fmt.Errorf("read events: %w", err)
		}
		events = append(events, q)
	}
	return events, rows.Err()
}

func movePosition(ctx context.Context, tx *gorm.DB, at position, last *queued, n int, now time.Time) error {
	err := tx.WithContext(ctx).Exec(`
		UPDATE event_positions SET txid = @txid, id = @id, handled = handled + @n, handled_at = @now
			WHERE source = @source AND part = @part`,
		pg.Named("txid", last.Txid, "id", last.ID, "n", n, "now", now, "source", at.Source, "part", at.Part)).Error
	if err != nil {
		return fmt.Errorf("move a position: %w", err)
	}
	return nil
}
