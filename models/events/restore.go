package events

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// afterRestore sets the bus right in a database that was restored from a dump:
// transactions are numbered from the beginning there, so that events of before
// would seem to be of the future and wait for ever. All that are still on the bus
// are handled again, which changes nothing where they were handled before.
func afterRestore(ctx context.Context, tx *gorm.DB) error {
	var restored bool
	err := tx.WithContext(ctx).Raw(`
		SELECT EXISTS (SELECT FROM event_positions p, LATERAL (
			SELECT txid FROM events e WHERE e.source = p.source AND e.part = p.part ORDER BY e.txid DESC, e.id DESC LIMIT 1) newest
			WHERE greatest(newest.txid, p.txid) > CAST(CAST(pg_current_xact_id() AS text) AS bigint))`).Scan(&restored).Error
	if err != nil {
		return fmt.Errorf("is the bus restored from a dump: %w", err)
	}
	if !restored {
		return nil
	}
	for _, stmt := range []string{`UPDATE events SET txid = 0`, `UPDATE event_positions SET txid = 0, id = 0`} {
		if err := tx.WithContext(ctx).Exec(stmt).Error; err != nil {
			return fmt.Errorf("set the bus right: %w", err)
		}
	}
	return pg.Wake(ctx, tx, WakeEvents)
}
