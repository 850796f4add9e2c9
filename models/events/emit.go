package events

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// Owned are Laurel's own sources. Their rows are the events: what is on the bus only says that a row
// changed, and whoever counts it reads the row as it is then.
var Owned = []string{"days", "messages", "posts", "ratings", "submissions"}

// Own says whether a source is Laurel's own.
func Own(source string) bool { return slices.Contains(Owned, source) }

// Item is the item that an event of an own source is about.
func Item(eventID string) string {
	if i := strings.LastIndexByte(eventID, '#'); i >= 0 {
		return eventID[:i]
	}
	return eventID
}

// Emit says that own rows changed: a statement gives member_id and item of each. A row that goes over from
// one member to another is told of both. Nothing is written while no award counts the source; the number of the
// transaction, which comes first, lets a recount wait for whoever did not know that one does.
func Emit(ctx context.Context, tx *gorm.DB, source, given string, args map[string]any, now time.Time) error {
	if err := tx.WithContext(ctx).Exec(`SELECT pg_current_xact_id()`).Error; err != nil {
		return fmt.Errorf("emit %s: %w", source, err)
	}
	args["bus_source"], args["bus_now"], args["bus_channel"], args["bus_whom"] = source, now, pg.ChannelAsked, WakeEvents
	err := tx.WithContext(ctx).Exec(`
		WITH appended AS (
			INSERT INTO events (source, part, member_id, event_id, zone, stored_at, body)
			SELECT @bus_source, event_part(member_id), member_id, item || '#' || nextval('events_id'), '', @bus_now, ''
			FROM (`+given+`) g WHERE (SELECT counted FROM event_sources WHERE source = @bus_source)
			RETURNING 1)
		SELECT pg_notify(@bus_channel, @bus_whom) WHERE EXISTS (SELECT FROM appended)`, args).Error
	if err != nil {
		return fmt.Errorf("emit %s: %w", source, err)
	}
	return nil
}
