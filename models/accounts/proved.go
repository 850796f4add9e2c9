package accounts

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/history"
	"laurel/models/members"
	"laurel/models/notices"
)

// Prove stores that the code of a proof stands on the site, whose title is given. The member's account is marked; other members
// who have the handle lose it and are told, also one who proved it before: the last proof is the one
// of who has the profile now. They can bring it back for 30 days, without the mark. For a person
// without an account it changes nothing else: they decide what is to become of it.
func Prove(ctx context.Context, db *gorm.DB, p *Proof, title string, now time.Time) error {
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		proved := tx.Exec(`UPDATE handle_proofs SET proved_at = @now, requested_at = NULL, leased_until = NULL, message = ''
			WHERE id = @id AND code = @code AND proved_at IS NULL`, pg.Named("id", p.ID, "code", p.Code, "now", now))
		if proved.Error != nil || proved.RowsAffected == 0 || p.MemberID == nil {
			return proved.Error
		}
		return markProved(ctx, tx, *p.MemberID, p, title, now)
	})
	if err != nil {
		return fmt.Errorf("prove %s on %s: %w", p.Handle, p.Site, err)
	}
	return nil
}

// markProved marks a member's account, and takes the handle from the other members who have it. An account
// that has another handle meanwhile stays as it is. Who sees the handle is the member's choice from then on, not that of
// who proved it before without an account.
func markProved(ctx context.Context, tx *gorm.DB, member int64, p *Proof, title string, now time.Time) error {
	args := pg.Named("site", p.Site, "handle", p.Handle, "member", member, "now", now)
	var people []int64 // All at once and in their order, so that two proofs do not wait for each other.
	err := tx.Raw(`SELECT m.id FROM members m WHERE NOT m.custom AND m.id IN (SELECT a.member_id FROM accounts a
		WHERE a.site = @site AND lower(a.handle) = lower(@handle)) ORDER BY m.id FOR NO KEY UPDATE`, args).Scan(&people).Error
	if err != nil {
		return err
	}
	if err := hide(ctx, tx, p); err != nil {
		return err
	}
	for _, id := range people { // Mostly there is none but the member.
		if id == member {
			continue
		}
		if err := unlink(ctx, tx, id, p, now); err != nil {
			return err
		}
		text := fmt.Sprintf("Somebody else proved that %s on %s is theirs. It left your profile; Settings can bring it back for 30 days.",
			p.Handle, title)
		if err := tellOf(ctx, tx, id, text, now); err != nil {
			return err
		}
	}
	return tx.Exec(`UPDATE accounts SET proved_at = @now WHERE member_id = @member AND site = @site AND lower(handle) = lower(@handle)`,
		args).Error
}

// unlink takes the handle of a proof from a member; it can come back for 30 days.
func unlink(ctx context.Context, tx *gorm.DB, member int64, p *Proof, now time.Time) error {
	m, err := members.Lock(ctx, tx, member)
	if err != nil {
		return err
	}
	list, err := members.AccountsOf(ctx, tx, member)
	if err != nil {
		return err
	}
	lost, err := changeHandles(ctx, tx, &m, list, map[string]string{p.Site: ""}, now)
	if err != nil {
		return err
	}
	return history.RecordEdit(ctx, tx, []int64{member}, lost, now)
}

// tellOf notifies a member of what became of a handle.
func tellOf(ctx context.Context, tx *gorm.DB, member int64, text string, now time.Time) error {
	return tx.WithContext(ctx).Exec(`
		INSERT INTO notices (member_id, text, period, level, kind, created_at, due_at)
		SELECT id, @text, '', 0, 'renamed', CAST(@now AS timestamptz), CAST(@due AS timestamptz) FROM members
			WHERE id = @member AND NOT custom`, pg.Named("member", member, "text", text, "now", now, "due", now.Add(notices.Delay))).Error
}

// refuseLeftOut returns an InputError for handles whose owners want not to be read here.
func refuseLeftOut(ctx context.Context, tx *gorm.DB, handles map[string]string) error {
	var sites, names []string
	for site, handle := range handles {
		sites, names = append(sites, site), append(names, pg.CleanText(handle))
	}
	var out []struct{ Site, Handle string }
	err := tx.WithContext(ctx).Raw(`SELECT o.site, o.handle FROM left_out_handles o
		JOIN unnest(CAST(@sites AS text[]), CAST(@names AS text[])) AS g(site, handle) ON o.site = g.site AND o.handle = lower(g.handle)`,
		pg.Named("sites", &sites, "names", &names)).Scan(&out).Error
	if err != nil {
		return fmt.Errorf("handles that are left out: %w", err)
	}
	var mistakes []error
	for _, o := range out {
		mistakes = append(mistakes, &pg.InputError{Field: "accounts." + o.Site,
			Message: "the owner of " + o.Handle + " asked not to be followed here; if this is you, prove it on the page “My handle”"})
	}
	return errors.Join(mistakes...)
}
