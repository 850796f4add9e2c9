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

// Settings is how a member wants to be notified.
type Settings struct {
	PageKinds, MailKinds []string
	Daily                bool   // One e-mail a day, in the morning of the member's zone; else at once.
	Address              string // Confirmed; "" without e-mail.
	NewAddress           string // One that waits to be confirmed.
	Trouble              string // Why the newest e-mail could not be delivered.
}

// SettingsOf returns a member's settings. Who never chose is notified of
// everything, and by e-mail once there is an address.
func SettingsOf(ctx context.Context, db *gorm.DB, memberID int64) (Settings, error) {
	s := Settings{PageKinds: Kinds, MailKinds: Kinds}
	var row struct {
		Page, Mail, Address, NewAddress, Trouble string
		Daily                                    bool
	}
	res := db.WithContext(ctx).Raw(`
		SELECT array_to_string(page_kinds, ' ') AS page, array_to_string(mail_kinds, ' ') AS mail, daily, address, new_address,
			coalesce((SELECT CASE state WHEN 'failed' THEN error END FROM notice_deliveries WHERE member_id = @id
				ORDER BY id DESC LIMIT 1), '') AS trouble
		FROM notice_settings WHERE member_id = @id`, pg.Named("id", memberID)).Scan(&row)
	if res.Error != nil {
		return s, fmt.Errorf("notice settings of member %d: %w", memberID, res.Error)
	}
	if res.RowsAffected > 0 {
		s = Settings{PageKinds: strings.Fields(row.Page), MailKinds: strings.Fields(row.Mail), Daily: row.Daily, Address: row.Address,
			NewAddress: row.NewAddress, Trouble: row.Trouble}
	}
	return s, nil
}

// addSettings gives a member a row to change.
func addSettings(tx *gorm.DB, memberID int64) error {
	return tx.Exec(`INSERT INTO notice_settings (member_id, page_kinds, mail_kinds)
		VALUES (@id, CAST(@kinds AS text[]), CAST(@kinds AS text[])) ON CONFLICT DO NOTHING`,
		pg.Named("id", memberID, "kinds", &Kinds)).Error
}

// Choose stores of what a member wants to hear, and how often by e-mail.
// It holds for what is released from now on.
func Choose(ctx context.Context, db *gorm.DB, memberID int64, s Settings, now time.Time) error {
	page, mail := append([]string{}, s.PageKinds...), append([]string{}, s.MailKinds...) // No null in the table.
	for _, kind := range slices.Concat(page, mail) {
		if !slices.Contains(Kinds, kind) {
			return &pg.InputError{Field: "kinds", Message: fmt.Sprintf("no kind of notice is named %q; use %s", pg.CleanText(kind),
				strings.Join(Kinds, ", "))}
		}
	}
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := addSettings(tx, memberID); err != nil {
			return err
		}
		err := tx.Exec(`UPDATE notice_settings SET page_kinds = CAST(@page AS text[]), mail_kinds = CAST(@mail AS text[]), daily = @daily
			WHERE member_id = @id`,
			pg.Named("page", &page, "mail", &mail, "daily", s.Daily, "id", memberID)).Error
		if err != nil {
			return err
		}
		return tx.Exec(`UPDATE notice_settings s SET mail_due_at = next_mail_at(s, m.time_zone, @now)
			FROM members m WHERE m.id = s.member_id AND s.member_id = @id AND s.mail_due_at IS NOT NULL`,
			pg.Named("id", memberID, "now", now)).Error
	})
	if err != nil {
		return fmt.Errorf("choose notices of member %d: %w", memberID, err)
	}
	return nil
}
