package accounts

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/history"
	"laurel/models/members"
)

// errNotProved is the answer to somebody without an account who did not prove that a handle is theirs, or too long ago.
var errNotProved = &pg.InputError{Field: "proof", Message: "prove first that the handle is yours"}

// A Held handle is what is known here of the handle of a proof.
type Held struct {
	People  int        // Members and people without an account who have it.
	LeftOut bool       // It is not read, because its owner wants that.
	Shown   bool       // Everybody may see the pages of people without an account who have it.
	Pages   []HeldPage `gorm:"-"`
}

// HeldBy says who has the handle of a proof. Only its owner may be told.
func HeldBy(ctx context.Context, db *gorm.DB, p *Proof) (h Held, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT (SELECT count(*) FROM accounts WHERE site = @site AND lower(handle) = lower(@handle)) AS people,
			EXISTS (SELECT FROM left_out_handles WHERE site = @site AND handle = lower(@handle)) AS left_out,
			EXISTS (SELECT FROM shown_handles WHERE site = @site AND handle = lower(@handle)) AS shown`,
		pg.Named("site", p.Site, "handle", p.Handle)).Scan(&h).Error
	if err == nil {
		h.Pages, err = pagesHeld(ctx, db, p)
	}
	if err != nil {
		return h, fmt.Errorf("who has %s on %s: %w", p.Handle, p.Site, err)
	}
	return h, nil
}

// LeaveOut erases what is known of a handle, for the person who proved it, and sees to it that nobody has it again. title
// is the site's. It can be repeated where it broke off: first nobody can add the handle, then it goes from one after the other.
func LeaveOut(ctx context.Context, db *gorm.DB, p *Proof, title string, now time.Time) error {
	if !p.Acts(now) {
		return errNotProved
	}
	err := db.WithContext(ctx).Exec(`
		INSERT INTO left_out_handles (site, handle, since) VALUES (@site, lower(@handle), @now) ON CONFLICT DO NOTHING`,
		pg.Named("site", p.Site, "handle", p.Handle, "now", now)).Error
	if err == nil {
		err = hide(ctx, db, p)
	}
	if err == nil {
		text := title + ": the owner of " + p.Handle + " asked not to be followed here. It left your profile for good."
		err = takeFromAll(ctx, db, p, 0, text, now)
	}
	if err == nil {
		err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error { return erase(ctx, tx, p) })
	}
	if err != nil {
		return fmt.Errorf("leave out %s on %s: %w", p.Handle, p.Site, err)
	}
	return nil
}

// TakeBack lets the handle of a proof be read again.
func TakeBack(ctx context.Context, db *gorm.DB, p *Proof, now time.Time) error {
	if !p.Acts(now) {
		return errNotProved
	}
	err := db.WithContext(ctx).Exec(`DELETE FROM left_out_handles WHERE site = @site AND handle = lower(@handle)`,
		pg.Named("site", p.Site, "handle", p.Handle)).Error
	if err != nil {
		return fmt.Errorf("take back %s on %s: %w", p.Handle, p.Site, err)
	}
	return nil
}

// Claim gives the handle of a proof to the member who proved it before they had an account. Who followed them as a person
// without one follows the member from then on.
func Claim(ctx context.Context, db *gorm.DB, sites []members.Site, p *Proof, m *members.Member, now time.Time) error {
	if !p.Acts(now) {
		return errNotProved
	}
	site, err := members.SiteNamed(sites, p.Site, "proof")
	if err != nil {
		return err
	}
	list, err := members.AccountsOf(ctx, db, m.ID)
	if err != nil {
		return err
	}
	for i := range list {
		if a := &list[i]; a.Site == p.Site && !strings.EqualFold(a.Handle, p.Handle) {
			return &pg.InputError{Field: "proof",
				Message: "you are " + a.Handle + " on " + site.Title + " here; change that in the settings first"}
		}
	}
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := TakeBack(ctx, tx, p, now); err != nil {
			return err
		}
		if err := SetHandles(ctx, tx, sites, m.ID, map[string]string{p.Site: p.Handle}, now); err != nil {
			return err
		}
		return markProved(ctx, tx, m.ID, p, site.Title, now)
	})
	if err == nil {
		err = followClaimed(ctx, db, p, m.ID, now)
	}
	if err == nil {
		err = takeFromAll(ctx, db, p, m.ID, "", now)
	}
	if err != nil {
		return fmt.Errorf("claim %s on %s: %w", p.Handle, p.Site, err)
	}
	return nil
}

// followClaimed has everybody who follows a person without an account by the handle follow the member who is that person.
func followClaimed(ctx context.Context, db *gorm.DB, p *Proof, member int64, now time.Time) error {
	return db.WithContext(ctx).Exec(`
		INSERT INTO follows (follower_id, followed_id, asked_at, since)
		SELECT DISTINCT c.owner_id, CAST(@member AS bigint), CAST(@now AS timestamptz), CAST(@now AS timestamptz)
		FROM accounts a
		JOIN members c ON c.id = a.member_id AND c.custom AND c.owner_id <> @member
		JOIN members m ON m.id = @member AND m.audience < 2
		WHERE a.site = @site AND lower(a.handle) = lower(@handle)
			AND NOT EXISTS (SELECT FROM member_blocks b WHERE (b.blocker_id, b.blocked_id) IN ((c.owner_id, m.id), (m.id, c.owner_id)))
		ON CONFLICT DO NOTHING`,
		pg.Named("member", member, "site", p.Site, "handle", p.Handle, "now", now)).Error
}

// takeFromAll takes the handle from everybody but one: people without an account who have no other handle are deleted,
// others lose it, and members are told text, if there is one. Each is a transaction of its own.
func takeFromAll(ctx context.Context, db *gorm.DB, p *Proof, but int64, text string, now time.Time) error {
	var holders []struct {
		ID     int64
		Custom bool
		Others bool
	}
	err := db.WithContext(ctx).Raw(`
		SELECT m.id, m.custom, EXISTS (SELECT FROM accounts o WHERE o.member_id = m.id AND o.id <> a.id) AS others
		FROM accounts a JOIN members m ON m.id = a.member_id
		WHERE a.site = @site AND lower(a.handle) = lower(@handle) AND m.id <> @but ORDER BY m.id`,
		pg.Named("site", p.Site, "handle", p.Handle, "but", but)).Scan(&holders).Error
	if err != nil {
		return err
	}
	for _, h := range holders { // Few: each is a change of a whole member.
		if h.Custom && !h.Others {
			if err := Delete(ctx, db, h.ID); err != nil && !errors.Is(err, pg.ErrNotFound) {
				return err
			}
			continue
		}
		err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
			if err := unlink(ctx, tx, h.ID, p, now); err != nil || text == "" {
				return err
			}
			return tellOf(ctx, tx, h.ID, text, now)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// erase deletes what is left of a handle that nobody has any more: what could have come back, and what the archive has of it.
func erase(ctx context.Context, tx *gorm.DB, p *Proof) error {
	args := pg.Named("site", p.Site, "handle", p.Handle)
	var spellings []string
	err := tx.WithContext(ctx).Raw(`
		WITH gone AS (DELETE FROM removed_accounts WHERE site = @site AND lower(handle) = lower(@handle) RETURNING handle),
		wanted AS (DELETE FROM wanted_handles w USING accounts a
			WHERE a.id = w.account_id AND a.site = @site AND lower(w.handle) = lower(@handle))
		SELECT DISTINCT handle FROM gone UNION SELECT @handle`, args).Scan(&spellings).Error
	if err != nil {
		return err
	}
	return history.ForgetHandle(ctx, tx, p.Site, spellings)
}
