package retrieval

import (
	"context"
	"fmt"
	"time"
	"unicode/utf8"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

const reasonAtMost = 200

// A SitePause is an admin's kill switch, or its end.
type SitePause struct {
	Paused     bool
	Reason, By string
}

// PauseSite has nobody ask the site for anything until the pause ends; everybody may read
// why. A fetch that is under way ends.
func PauseSite(ctx context.Context, db *gorm.DB, site string, p SitePause, now time.Time) error {
	reason := pg.CleanText(p.Reason)
	switch {
	case p.Paused && reason == "":
		return &pg.InputError{Field: "reason", Message: "say why the site is paused: everybody reads it"}
	case utf8.RuneCountInString(reason) > reasonAtMost:
		return &pg.InputError{Field: "reason", Message: fmt.Sprintf("the reason is longer than %d characters", reasonAtMost)}
	}
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if _, err := lockCircuit(ctx, tx, site); err != nil {
			return err
		}
		if !p.Paused { // An open circuit tries somebody at once: the pause may have been its cure.
			return tx.Exec(`
				UPDATE site_circuits SET paused_at = NULL, paused_by = '', paused_reason = '',
					next_try_at = least(next_try_at, CAST(@now AS timestamptz))
				WHERE site = @site`, pg.Named("site", site, "now", now)).Error
		}
		return tx.Exec(`
			UPDATE site_circuits SET paused_at = coalesce(paused_at, @now), paused_by = @by, paused_reason = @reason WHERE site = @site`,
			pg.Named("site", site, "now", now, "by", p.By, "reason", reason)).Error
	})
	if err != nil {
		return fmt.Errorf("pause %s: %w", site, err)
	}
	return nil
}
