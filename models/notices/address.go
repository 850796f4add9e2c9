// Package notices is the outbox: what members are to hear, on the site, by e-mail
// and by webhook, and its delivery.
package notices

import (
	"context"
	"fmt"
	"net/mail"
	"strings"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/events"
)

// askedFor is how long the link in an e-mail confirms its address.
const askedFor = 3 * 24 * time.Hour

// askLimit keeps anybody from having a stranger's mailbox filled by us.
var askLimit = pg.Limit{Burst: 3, Per: time.Hour}

// CheckAddress returns a plain e-mail address, or an InputError.
func CheckAddress(text string) (string, error) {
	text = pg.CleanText(text)
	a, err := mail.ParseAddress(text)
	if err != nil || a.Address != text || len(text) > 254 || strings.ContainsAny(text, " \r\n\t<>\"") {
		return "", &pg.InputError{Field: "address", Message: "write the e-mail address alone, such as ada@example.org"}
	}
	return text, nil
}

// AskAddress stores the address at which a member wants to get e-mails, and has
// a link sent there: nothing else is sent before it is opened.
func AskAddress(ctx context.Context, db *gorm.DB, memberID int64, address string, now time.Time) error {
	address, err := CheckAddress(address)
	if err != nil {
		return err
	}
	for _, key := range []string{fmt.Sprint("address of ", memberID), "address " + strings.ToLower(address)} {
		if err := askLimit.Take(ctx, db, key, "e-mails to confirm an address", now); err != nil {
			return err
		}
	}
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := haveNoticeSettings(tx, memberID); err != nil {
			return err
		}
		err := tx.Exec(`
			WITH over AS (UPDATE notice_deliveries SET state = 'dropped', ended_at = @now, error = 'another link was asked for'
				WHERE member_id = @id AND channel = 'confirm' AND state = 'waiting'),
			sent AS (INSERT INTO notice_deliveries (key, channel, member_id, address, created_at, due_at)
				VALUES (@key, 'confirm', @id, @address, @now, @now))
			UPDATE notice_settings SET asked = @address, asked_secret = @secret, asked_at = @now WHERE member_id = @id`,
			pg.Named("id", memberID, "address", address, "secret", pg.NewToken(""), "key", uuid.NewString(), "now", now)).Error
		if err != nil {
			return err
		}
		return events.Wake(ctx, tx, WakeNotices)
	})
	if err != nil {
		return fmt.Errorf("address of member %d: %w", memberID, err)
	}
	return nil
}

// AskedAddress returns the address that a link confirms, and whose it is;
// ErrNotFound where it is too old, or was used.
func AskedAddress(ctx context.Context, db *gorm.DB, secret string, now time.Time) (address, member string, err error) {
	var row struct{ Asked, Name string }
	res := db.WithContext(ctx).Raw(`SELECT s.asked, m.name FROM notice_settings s JOIN members m ON m.id = s.member_id
		WHERE s.asked_secret = @secret AND s.asked_secret <> '' AND s.asked_at > @since`,
		pg.Named("secret", secret, "since", now.Add(-askedFor))).Scan(&row)
	if res.Error == nil && res.RowsAffected == 0 {
		res.Error = pg.ErrNotFound
	}
	if res.Error != nil {
		return "", "", fmt.Errorf("address to confirm: %w", res.Error)
	}
	return row.Asked, row.Name, nil
}

// ConfirmAddress lets e-mails go to an address from now on.
func ConfirmAddress(ctx context.Context, db *gorm.DB, secret string, now time.Time) error {
	res := db.WithContext(ctx).Exec(`
		UPDATE notice_settings SET address = asked, confirmed_at = @now, unsubscribe = @unsubscribe, asked = '', asked_secret = '',
			asked_at = NULL
		WHERE asked_secret = @secret AND asked_secret <> '' AND asked_at > @since`,
		pg.Named("secret", secret, "since", now.Add(-askedFor), "now", now, "unsubscribe", pg.NewToken("")))
	if res.Error == nil && res.RowsAffected == 0 {
		res.Error = pg.ErrNotFound
	}
	if res.Error != nil {
		return fmt.Errorf("confirm an address: %w", res.Error)
	}
	return nil
}

// forgetAddress ends all e-mails to those that where names.
const forgetAddress = `
	WITH gone AS (
		UPDATE notice_settings SET address = '', confirmed_at = NULL, mail_due_at = NULL, asked = '', asked_secret = '', asked_at = NULL
			WHERE `

// andWaiting drops what is on its way to them.
const andWaiting = ` RETURNING member_id),
	unsent AS (UPDATE notices n SET mail = 'dropped' FROM gone WHERE n.member_id = gone.member_id AND n.mail = 'due')
	UPDATE notice_deliveries d SET state = 'dropped', ended_at = @now, error = 'the member wants no e-mail any more' FROM gone
		WHERE d.member_id = gone.member_id AND d.state = 'waiting'`

// ForgetAddress ends all e-mails to a member.
func ForgetAddress(ctx context.Context, db *gorm.DB, memberID int64, now time.Time) error {
	if err := db.WithContext(ctx).Exec(forgetAddress+`member_id = @id`+andWaiting, pg.Named("id", memberID, "now", now)).Error; err != nil {
		return fmt.Errorf("forget the address of member %d: %w", memberID, err)
	}
	return nil
}

// Unsubscribe ends all e-mails to whom this link was sent. One that is not known
// is of an address that is not used any more: there is nothing to end.
func Unsubscribe(ctx context.Context, db *gorm.DB, secret string, now time.Time) error {
	if secret == "" {
		return nil
	}
	if err := db.WithContext(ctx).Exec(forgetAddress+`unsubscribe = @secret`+andWaiting,
		pg.Named("secret", secret, "now", now)).Error; err != nil {
		return fmt.Errorf("unsubscribe: %w", err)
	}
	return nil
}
