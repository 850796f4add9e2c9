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
)

// requestedFor is how long the link in an e-mail confirms its address.
const requestedFor = 3 * 24 * time.Hour

// requestLimit keeps anybody from having a stranger's mailbox filled by us.
var requestLimit = pg.Limit{Burst: 3, Per: time.Hour}

// CheckAddress returns a plain e-mail address, or an InputError.
func CheckAddress(text string) (string, error) {
	text = pg.CleanText(text)
	a, err := mail.ParseAddress(text)
	if err != nil || a.Address != text || len(text) > 254 || strings.ContainsAny(text, " \r\n\t<>\"") {
		return "", &pg.InputError{Field: "address", Message: "write only the e-mail address, such as ada@example.org"}
	}
	return text, nil
}

// RequestAddress stores the address at which a member wants to get e-mails, and has
// a link sent there: nothing else is sent before it is opened.
func RequestAddress(ctx context.Context, db *gorm.DB, memberID int64, address string, now time.Time) error {
	address, err := CheckAddress(address)
	if err != nil {
		return err
	}
	for _, key := range []string{fmt.Sprint("address of ", memberID), "address " + strings.ToLower(address)} {
		if err := requestLimit.Take(ctx, db, key, "e-mails to confirm an address", now); err != nil {
			return err
		}
	}
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := addSettings(tx, memberID); err != nil {
			return err
		}
		err := tx.Exec(`
			WITH over AS (UPDATE notice_deliveries SET state = 'dropped', ended_at = @now, error = 'another link was requested'
				WHERE member_id = @id AND channel = 'confirm' AND state = 'waiting'),
			sent AS (INSERT INTO notice_deliveries (key, channel, member_id, address, created_at, due_at)
				VALUES (@key, 'confirm', @id, @address, @now, @now))
			UPDATE notice_settings SET new_address = @address, new_secret = @secret, requested_at = @now WHERE member_id = @id`,
			pg.Named("id", memberID, "address", address, "secret", pg.NewToken(""), "key", uuid.NewString(), "now", now)).Error
		if err != nil {
			return err
		}
		return pg.Wake(ctx, tx, WakeNotices)
	})
	if err != nil {
		return fmt.Errorf("address of member %d: %w", memberID, err)
	}
	return nil
}

// RequestedAddress returns the address that a link confirms, and whose it is;
// ErrNotFound where it is too old, or was used.
func RequestedAddress(ctx context.Context, db *gorm.DB, secret string, now time.Time) (address, member string, err error) {
	var row struct{ NewAddress, Name string }
	res := db.WithContext(ctx).Raw(`SELECT s.new_address, m.name FROM notice_settings s JOIN members m ON m.id = s.member_id
		WHERE s.new_secret = @secret AND s.new_secret <> '' AND s.requested_at > @since`,
		pg.Named("secret", secret, "since", now.Add(-requestedFor))).Scan(&row)
	if err := pg.Touched(res, pg.ErrNotFound); err != nil {
		return "", "", fmt.Errorf("address to confirm: %w", err)
	}
	return row.NewAddress, row.Name, nil
}

// ConfirmAddress lets e-mails go to an address from now on.
func ConfirmAddress(ctx context.Context, db *gorm.DB, secret string, now time.Time) error {
	res := db.WithContext(ctx).Exec(`
		UPDATE notice_settings SET address = new_address, confirmed_at = @now, unsubscribe = @unsubscribe,
			new_address = '', new_secret = '', requested_at = NULL
		WHERE new_secret = @secret AND new_secret <> '' AND requested_at > @since`,
		pg.Named("secret", secret, "since", now.Add(-requestedFor), "now", now, "unsubscribe", pg.NewToken("")))
	if err := pg.Touched(res, pg.ErrNotFound); err != nil {
		return fmt.Errorf("confirm an address: %w", err)
	}
	return nil
}

// ForgetAddress ends all e-mails to a member.
func ForgetAddress(ctx context.Context, db *gorm.DB, memberID int64, now time.Time) error {
	return forgetAddress(ctx, db, memberID, "", now)
}

// Unsubscribe ends all e-mails to whom this link was sent. One that is not known
// is of an address that is not used any more: there is nothing to end.
func Unsubscribe(ctx context.Context, db *gorm.DB, secret string, now time.Time) error {
	return forgetAddress(ctx, db, 0, secret, now)
}

func forgetAddress(ctx context.Context, db *gorm.DB, memberID int64, secret string, now time.Time) error {
	err := db.WithContext(ctx).Exec(queries.Must("forget_address"), pg.Named("id", memberID, "secret", secret, "now", now)).Error
	if err != nil {
		return fmt.Errorf("forget the address of member %d: %w", memberID, err)
	}
	return nil
}
