package forums

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/events"
)

// authorsLock is taken shared by who stores messages, alone by who changes the
// authors: each message is named by all that was assigned before it or after it.
const authorsLock = 7_006

// lockAuthors lets nobody else change authors, or store messages, until the
// transaction ends.
func lockAuthors(ctx context.Context, tx *gorm.DB) error {
	if err := tx.WithContext(ctx).Exec(`SELECT pg_advisory_xact_lock(@class, 0)`, pg.Named("class", authorsLock)).Error; err != nil {
		return fmt.Errorf("lock authors: %w", err)
	}
	return nil
}

// nameAuthors finds the members who wrote new messages, and reports them to awards.
func nameAuthors(ctx context.Context, tx *gorm.DB, serials []int64, now time.Time) error {
	err := tx.WithContext(ctx).Exec(`SELECT pg_advisory_xact_lock_shared(@class, 0)`, pg.Named("class", authorsLock)).Error
	if err != nil {
		return fmt.Errorf("lock authors: %w", err)
	}
	return nameMessages(ctx, tx, serials, now)
}

// nameMessages gives messages to the members who wrote them, and takes them from
// those who did not after all. Each message is reported to awards when its member
// changes, for who has it and for who had it.
func nameMessages(ctx context.Context, tx *gorm.DB, serials []int64, now time.Time) error {
	var moved []struct{ Serial, Had int64 }
	err := tx.WithContext(ctx).Raw(queries.Must("name_messages"), pg.Named("serials", &serials)).Scan(&moved).Error
	if err != nil {
		return fmt.Errorf("authors of messages: %w", err)
	}
	if len(moved) == 0 {
		return nil
	}
	type row = struct{ Serial, Had int64 }
	return events.Emit(ctx, tx, "messages", queries.Must("changed_messages"),
		pg.Named("serials", pg.Column(moved, func(m *row) int64 { return m.Serial }),
			"had", pg.Column(moved, func(m *row) int64 { return m.Had })), now)
}

// tellMessages reports messages to awards whose text changed.
func tellMessages(ctx context.Context, tx *gorm.DB, serials []int64, now time.Time) error {
	had := make([]int64, len(serials))
	return events.Emit(ctx, tx, "messages", queries.Must("changed_messages"), pg.Named("serials", &serials, "had", &had), now)
}
