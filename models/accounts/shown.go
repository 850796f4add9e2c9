package accounts

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A HeldPage is the page of a person without an account who has the handle of a proof.
type HeldPage struct {
	Name, DisplayName string
	Public            bool   // Everybody may see it.
	Lacks             string // The sites of its other handles whose owners did not let it be shown, with blanks between.
}

// mostHeldPages is how many pages somebody is shown who proved a handle.
const mostHeldPages = 20

// pagesHeld returns the pages of people without an account who have the handle of a proof.
func pagesHeld(ctx context.Context, db *gorm.DB, p *Proof) (pages []HeldPage, err error) {
	err = db.WithContext(ctx).Raw(queries.Must("held_pages"),
		pg.Named("site", p.Site, "handle", p.Handle, "most", mostHeldPages)).Scan(&pages).Error
	return pages, err
}

// ShowToAll lets everybody see the pages of people without an account who have the handle of a proof, also pages that are
// made later. A page that has other handles, too, is shown once their owners let it. Triggers keep members.proved_at.
func ShowToAll(ctx context.Context, db *gorm.DB, p *Proof, now time.Time) error {
	if !p.Acts(now) {
		return errNotProved
	}
	h, err := HeldBy(ctx, db, p)
	if err != nil {
		return err
	}
	if h.LeftOut || len(h.Pages) == 0 {
		return &pg.InputError{Field: "proof", Message: "nobody without an account has this handle here, so there is no page to show"}
	}
	err = db.WithContext(ctx).Exec(`INSERT INTO shown_handles (site, handle, since) VALUES (@site, lower(@handle), @now)
		ON CONFLICT (site, handle) DO UPDATE SET since = EXCLUDED.since`,
		pg.Named("site", p.Site, "handle", p.Handle, "now", now)).Error
	if err != nil {
		return fmt.Errorf("show %s on %s: %w", p.Handle, p.Site, err)
	}
	return nil
}

// ShowNoMore takes that back.
func ShowNoMore(ctx context.Context, db *gorm.DB, p *Proof, now time.Time) error {
	if !p.Acts(now) {
		return errNotProved
	}
	return hide(ctx, db, p)
}

// hide has pages with the handle of a proof be for people who signed in again.
func hide(ctx context.Context, db *gorm.DB, p *Proof) error {
	err := db.WithContext(ctx).Exec(`DELETE FROM shown_handles WHERE site = @site AND handle = lower(@handle)`,
		pg.Named("site", p.Site, "handle", p.Handle)).Error
	if err != nil {
		return fmt.Errorf("show %s on %s no more: %w", p.Handle, p.Site, err)
	}
	return nil
}
