package awards

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/events"
	"laurel/models/members"
)

// noteOf checks what an admin writes down about a deed that others will ask
// about: it must say why.
func noteOf(text string) (string, error) {
	text = pg.CleanText(text)
	if text == "" {
		return "", &pg.InputError{Field: "note", Message: "write a note with the reason"}
	}
	if len(text) > 1000 {
		return "", &pg.InputError{Field: "note", Message: "a note has at most 1000 bytes"}
	}
	return text, nil
}

// BanMember keeps a member from awards, or with Banned false lets it have them
// again. While banned it is granted nothing and shown nowhere among holders; its
// counters go on, and all its awards are evaluated again when the ban ends.
func BanMember(ctx context.Context, db *gorm.DB, name string, b Ban, now time.Time) (m members.Member, err error) {
	if b.Note, err = noteOf(b.Note); err != nil {
		return m, err
	}
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := lockGrants(ctx, tx); err != nil {
			return err
		}
		if m, err = awardee(ctx, tx, name); err != nil {
			return err
		}
		if b.Banned == (m.BannedAt != nil) {
			return nil // It is so already.
		}
		if m.BannedAt = nil; b.Banned {
			m.BannedAt = &now
		}
		err := tx.Exec(`
			WITH logged AS (INSERT INTO member_bans (member_id, at, banned, author, note) VALUES (@id, @now, @banned, @author, @note))
			UPDATE members SET banned_at = @at WHERE id = @id`,
			pg.Named("id", m.ID, "now", now, "banned", b.Banned, "author", b.Author, "note", b.Note, "at", m.BannedAt)).Error
		if err != nil || b.Banned {
			return err
		}
		return markMember(ctx, tx, m.ID)
	})
	if err != nil {
		return m, fmt.Errorf("ban %q: %w", name, err)
	}
	return m, nil
}

// lockGrants keeps those who grant away until this transaction ends, and what is
// counted as it is.
func lockGrants(ctx context.Context, tx *gorm.DB) error {
	if err := tx.WithContext(ctx).Exec(`SELECT pg_advisory_xact_lock_shared(@ruleset, 0)`,
		pg.Named("ruleset", events.LockRuleset)).Error; err != nil {
		return fmt.Errorf("lock the ruleset: %w", err)
	}
	if err := tx.WithContext(ctx).Exec(`SELECT pg_advisory_xact_lock(@grant, 0)`, pg.Named("grant", events.LockGrant)).Error; err != nil {
		return fmt.Errorf("lock grants: %w", err)
	}
	return nil
}

// awardee is the member of this name, who must be one that can have awards.
func awardee(ctx context.Context, tx *gorm.DB, name string) (members.Member, error) {
	m, err := members.ByName(ctx, tx, strings.TrimSpace(name))
	if err == nil && m.Custom {
		err = &pg.InputError{Field: "member", Message: m.Name +
			" is followed without an account, and only members with an account can earn awards"}
	}
	return m, err
}

// markMember lets all awards of a member be evaluated again.
func markMember(ctx context.Context, tx *gorm.DB, id int64) error {
	err := tx.WithContext(ctx).Exec(`INSERT INTO award_pending (award_id, member_id, period)
		SELECT award_id, member_id, period FROM award_members WHERE member_id = @id`, pg.Named("id", id)).Error
	if err != nil {
		return fmt.Errorf("pending awards of member %d: %w", id, err)
	}
	return pg.Wake(ctx, tx, events.WakeAwards)
}

// A Ban is one line of who was banned or let back, and why.
type Ban struct {
	At           time.Time
	Banned       bool
	Author, Note string
}

// BansOf returns what was done to a member, newest first.
func BansOf(ctx context.Context, db *gorm.DB, memberID int64) (list []Ban, err error) {
	err = db.WithContext(ctx).Raw(`SELECT at, banned, author, note FROM member_bans WHERE member_id = @id ORDER BY id DESC LIMIT 100`,
		pg.Named("id", memberID)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("bans of member %d: %w", memberID, err)
	}
	return list, nil
}
