package events

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// Emit appends what a statement gives: member_id, name, zone, and of the event
// item, type, object, status, at and facts.
func Emit(ctx context.Context, tx *gorm.DB, source, given string, args map[string]any, now time.Time) error {
	args["bus_source"], args["bus_now"], args["bus_channel"], args["bus_whom"] = source, now, pg.ChannelAsked, WakeEvents
	err := tx.WithContext(ctx).Exec(`
		WITH appended AS (
			INSERT INTO events (source, part, member_id, event_id, zone, stored_at, body)
			SELECT @bus_source, event_part(member_id), member_id, item || '#' || seq, zone, @bus_now,
				event_body(@bus_source, item, seq, name, type, object, status, at, facts)
			FROM (SELECT member_id, name, zone, item, type, object, status, at, facts, nextval('events_id') AS seq FROM (`+given+`) g) e
			RETURNING 1)
		SELECT pg_notify(@bus_channel, @bus_whom) WHERE EXISTS (SELECT FROM appended)`, args).Error
	if err != nil {
		return fmt.Errorf("emit %s: %w", source, err)
	}
	return nil
}
