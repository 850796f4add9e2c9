package notices

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// noticesPerCall is how many notices one message to the webhook has at most.
const noticesPerCall = 100

// PackMails makes e-mails of what is ready, one for each of at most limit
// members whose time has come, with everything that is still true. It returns
// of how many members the time had come.
func PackMails(ctx context.Context, db *gorm.DB, limit int, now time.Time) (n int, err error) {
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var members []int64
		err := tx.Raw(`SELECT member_id FROM notice_settings WHERE mail_due_at <= @now
			ORDER BY mail_due_at, member_id LIMIT @limit FOR UPDATE SKIP LOCKED`,
			pg.Named("now", now, "limit", limit)).Scan(&members).Error
		if n = len(members); err != nil || n == 0 {
			return err
		}
		// A statement of its own, for it must see what was made ready until the rows were locked.
		return tx.Exec(queries.Must("pack_mails"),
			pg.Named("members", &members, "now", now, "dayago", now.AddDate(0, 0, -1))).Error
	})
	if err != nil {
		return 0, fmt.Errorf("pack e-mails: %w", err)
	}
	return n, nil
}

// PackCalls makes one message to the webhook of what is ready, if anything is.
func PackCalls(ctx context.Context, db *gorm.DB, now time.Time) (packed bool, err error) {
	var n int64
	err = db.WithContext(ctx).Raw(`
		WITH ready AS MATERIALIZED (SELECT id FROM notices WHERE hook = 'due' ORDER BY id LIMIT @limit FOR UPDATE SKIP LOCKED),
		made AS (
			INSERT INTO notice_deliveries (key, channel, created_at, due_at)
			SELECT CAST(gen_random_uuid() AS text), 'webhook', CAST(@now AS timestamptz), CAST(@now AS timestamptz)
				WHERE EXISTS (SELECT FROM ready) RETURNING id),
		packed AS (UPDATE notices n SET hook = 'packed', hook_id = made.id FROM ready, made WHERE n.id = ready.id RETURNING n.id)
		SELECT count(*) FROM packed`, pg.Named("limit", noticesPerCall, "now", now)).Scan(&n).Error
	if err != nil {
		return false, fmt.Errorf("pack messages to the webhook: %w", err)
	}
	return n > 0, nil
}
