package events

import (
	"context"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// Wake notifies listening processes that there is work.
func Wake(ctx context.Context, tx *gorm.DB, whom string) error {
	return tx.WithContext(ctx).Exec(`SELECT pg_notify(@channel, @whom)`, pg.Named("channel", pg.ChannelAsked, "whom", whom)).Error
}
