package notices

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// Settings is how a member wants to be told.
type Settings struct {
	PageKinds, MailKinds []string
	Daily                bool   // One e-mail a day, in the morning of the member's zone; else at once.
	Address              string // Confirmed; "" without e-mail.
	Asked                string // An address that waits to be confirmed.
	Trouble              string // Why the newest e-mail could not be delivered.
}

// SettingsOf returns a member's settings. Who never chose is told of
// everything, and by e-mail once there is an address.
func SettingsOf(ctx context.Context, db *gorm.DB, memberID int64) (Settings, error) {
	var rows []struct {
		Page, Mail, Address, Asked string
		Daily                      bool
	}
	err := db.WithContext(ctx).Raw(`SELECT array_to_string(page_kinds, ' ') AS page, array_to_string(mail_kinds, ' ') AS mail, daily,
		address, asked
		FROM notice_settings WHERE member_id = @id`, pg.Named("id", memberID)).Scan(&rows).Error
	s := Settings{PageKinds: Kinds, MailKinds: Kinds}
	if err == nil && len(rows) > 0 {
		r := rows[0]
		s = Settings{PageKinds: strings.Fields(r.Page), MailKinds: strings.Fields(r.Mail), Daily: r.Daily, Address: r.Address,
			Asked: r.Asked}
		err = db.WithContext(ctx).Raw(`SELECT error FROM (
			SELECT error, state FROM notice_deliveries WHERE member_id = @id ORDER BY id DESC LIMIT 1) d WHERE state = 'failed'`,
			pg.Named("id", memberID)).Scan(&s.Trouble).Error
	}
	if err != nil {
		return s, fmt.Errorf("notice settings of member %d: %w", memberID, err)
	}
	return s, nil
}

// haveNoticeSettings gives a member a row to change.
func haveNoticeSettings(tx *gorm.DB, memberID int64) error {
	return tx.Exec(`INSERT INTO notice_settings (member_id, page_kinds, mail_kinds)
		VALUES (@id, CAST(@kinds AS text[]), CAST(@kinds AS text[])) ON CONFLICT DO NOTHING`,
		pg.Named("id", memberID, "kinds", &Kinds)).Error
}

// Choose stores of what a member wants to hear, and how often by e-mail.
// It holds for what is told from now on.
func Choose(ctx context.Context, db *gorm.DB, memberID int64, page, mail []string, daily bool, now time.Time) error {
	for _, kind := range append(slices.Clone(page), mail...) {
		if !slices.Contains(Kinds, kind) {
			return &pg.InputError{Field: "kinds", Message: fmt.Sprintf("there are no notices called %q; there are %s", pg.CleanText(kind),
				strings.Join(Kinds, ", "))}
		}
	}
	if page == nil {
		page = []string{}
	}
	if mail == nil {
		mail = []string{}
	}
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := haveNoticeSettings(tx, memberID); err != nil {
			return err
		}
		err := tx.Exec(`UPDATE notice_settings SET page_kinds = CAST(@page AS text[]), mail_kinds = CAST(@mail AS text[]), daily = @daily
			WHERE member_id = @id`,
			pg.Named("page", &page, "mail", &mail, "daily", daily, "id", memberID)).Error
		if err != nil {
			return err
		}
		return tx.Exec(`UPDATE notice_settings s SET mail_due_at = `+mailFrom+
			` FROM members m WHERE m.id = s.member_id AND s.member_id = @id AND s.mail_due_at IS NOT NULL`,
			mailArgs(pg.Named("id", memberID, "now", now))).Error
	})
	if err != nil {
		return fmt.Errorf("choose notices of member %d: %w", memberID, err)
	}
	return nil
}
