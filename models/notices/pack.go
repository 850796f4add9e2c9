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
// for how many members it looked.
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
		return tx.Exec(`
			WITH judged AS MATERIALIZED (
				SELECT n.id, n.member_id, `+noticeWrong+` AS wrong FROM notices n`+noticeFacts+
			` WHERE n.mail = 'due' AND n.member_id = ANY(CAST(@members AS bigint[]))),
			made AS (
				INSERT INTO notice_deliveries (key, channel, member_id, address, created_at, due_at)
				SELECT CAST(gen_random_uuid() AS text), 'mail', member_id, address, CAST(@now AS timestamptz), CAST(@now AS timestamptz)
					FROM notice_settings s
				WHERE member_id = ANY(CAST(@members AS bigint[])) AND confirmed_at IS NOT NULL
					AND EXISTS (SELECT FROM judged j WHERE j.member_id = s.member_id AND j.wrong = '')
				RETURNING id, member_id),
			packed AS (
				UPDATE notices n SET mail = CASE WHEN p.id IS NULL THEN 'dropped' ELSE 'packed' END, mail_id = p.id
				FROM judged j LEFT JOIN made p ON p.member_id = j.member_id AND j.wrong = '' WHERE n.id = j.id)
			UPDATE notice_settings s SET mail_due_at = NULL,
				mailed_at = CASE WHEN p.id IS NULL THEN mailed_at ELSE CAST(@now AS timestamptz) END,
				day_began_at = CASE WHEN p.id IS NULL OR day_began_at > @dayago THEN day_began_at ELSE CAST(@now AS timestamptz) END,
				day_mails = CASE WHEN p.id IS NULL THEN day_mails WHEN day_began_at > @dayago THEN day_mails + 1 ELSE 1 END
			FROM unnest(CAST(@members AS bigint[])) AS d(member_id) LEFT JOIN made p ON p.member_id = d.member_id
				WHERE s.member_id = d.member_id`,
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
