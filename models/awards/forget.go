package awards

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"laurel/models/badges"
	pg "laurel/models/db"
)

// Forget takes from awards all that is about members who are deleted.
// Events about them that are still on the bus find nobody, and have no effect.
// The ruleset must be locked alone.
func Forget(ctx context.Context, tx *gorm.DB, ids []int64) error {
	if err := badges.Forget(ctx, tx, ids); err != nil {
		return err
	}
	for _, table := range []string{"items", "objective_cells", "objective_counters", "award_log", "award_pending", "user_awards",
		"award_grants", "notices", "event_dead", "event_outbox", "events"} {
		if err := tx.WithContext(ctx).Exec(`DELETE FROM `+table+` WHERE member_id = ANY(CAST(@ids AS bigint[]))`,
			pg.Named("ids", &ids)).Error; err != nil {
			return fmt.Errorf("forget the awards of members (%s): %w", table, err)
		}
	}
	return nil
}
