// Package members holds members, their accounts on judge sites, how they sign in
// and the settings of the site.
package members

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// InvitationFor is how long an invitation waits for its guest.
const InvitationFor = 14 * 24 * time.Hour

const longestGuest = 100

// An Invitation is a link that works once: for somebody new to sign up, or, with
// MemberID, for a member who has no password or forgot it to choose one.
type Invitation struct {
	Hash      []byte `gorm:"primaryKey"`
	MemberID  *int64
	Guest     string // Whom it is for, in the words of who made it.
	CreatedBy int64
	CreatedAt time.Time
	ExpiresAt time.Time
	UsedBy    *int64
	UsedAt    *time.Time
}

// An InvitationLine is an invitation in the admins' list.
type InvitationLine struct {
	Invitation
	Creator, Member, User string // Names; "" where there is none.
}

// Invite makes an invitation and returns its code, which is shown once. With a
// member it is a link for that member to choose a password, and takes the place
// of the member's former link.
func Invite(ctx context.Context, db *gorm.DB, by int64, member *Member, now time.Time) (string, error) {
	inv := Invitation{CreatedBy: by, CreatedAt: now}
	if member != nil {
		if member.Custom {
			return "", &pg.InputError{Field: "member", Message: "this person is followed without an account and cannot sign in"}
		}
		inv.MemberID = &member.ID
	}
	return invite(ctx, db, inv)
}

// InviteGuest is Invite for somebody new, whom guest names for those who read the list.
func InviteGuest(ctx context.Context, db *gorm.DB, by int64, guest string, now time.Time) (string, error) {
	if guest = pg.CleanText(guest); len(guest) > longestGuest {
		return "", &pg.InputError{Field: "guest", Message: "use at most 100 letters"}
	}
	return invite(ctx, db, Invitation{CreatedBy: by, CreatedAt: now, Guest: guest})
}

func invite(ctx context.Context, db *gorm.DB, inv Invitation) (string, error) {
	code := pg.NewToken("")
	inv.Hash, inv.ExpiresAt = pg.HashToken(code), inv.CreatedAt.Add(InvitationFor)
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if inv.MemberID != nil {
			if _, err := gorm.G[Invitation](tx).Where("member_id = ? AND used_at IS NULL", *inv.MemberID).Delete(ctx); err != nil {
				return err
			}
		}
		return gorm.G[Invitation](tx).Create(ctx, &inv)
	})
	if err != nil {
		return "", fmt.Errorf("invite: %w", err)
	}
	return code, nil
}

// Invitations returns the newest invitations with the names that belong to them.
func Invitations(ctx context.Context, db *gorm.DB, limit int) ([]InvitationLine, error) {
	var lines []InvitationLine
	err := db.WithContext(ctx).Raw(`
		SELECT `+pg.Columns[Invitation]("i")+`,
			coalesce(c.name, '') AS creator, coalesce(m.name, '') AS member, coalesce(u.name, '') AS user
		FROM invitations i
		LEFT JOIN members c ON c.id = i.created_by
		LEFT JOIN members m ON m.id = i.member_id
		LEFT JOIN members u ON u.id = i.used_by
		ORDER BY i.created_at DESC, i.hash LIMIT @limit`, pg.Named("limit", limit)).Scan(&lines).Error
	if err != nil {
		return nil, fmt.Errorf("invitations: %w", err)
	}
	return lines, nil
}

// RevokeInvitation deletes an unused invitation, or returns ErrNotFound.
func RevokeInvitation(ctx context.Context, db *gorm.DB, hash []byte) error {
	n, err := gorm.G[Invitation](db).Where("hash = ? AND used_at IS NULL", hash).Delete(ctx)
	if err == nil && n == 0 {
		err = pg.ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("revoke invitation: %w", err)
	}
	return nil
}

// errInvitation is the answer to a code that does not work. Why it
// does not is for the admin's list.
var errInvitation = &pg.InputError{Field: "code",
	Message: "this link was used, was revoked, or is older than 14 days; ask an admin for a new one"}

// InvitationByCode returns an invitation that still works, or an InputError.
func InvitationByCode(ctx context.Context, db *gorm.DB, code string, now time.Time) (Invitation, error) {
	inv, err := gorm.G[Invitation](db).Where("hash = ? AND used_at IS NULL AND expires_at > ?", pg.HashToken(code), now).Take(ctx)
	if errors.Is(err, pg.ErrNotFound) {
		return inv, errInvitation
	}
	if err != nil {
		return inv, fmt.Errorf("invitation: %w", err)
	}
	return inv, nil
}

// useInvitation marks an invitation as used by a member, once: of two guests
// with the same link the second learns that it was used.
func useInvitation(ctx context.Context, tx *gorm.DB, code string, memberID int64, now time.Time) error {
	res := tx.WithContext(ctx).Exec(`
		UPDATE invitations SET used_by = @member, used_at = @now
		WHERE hash = @hash AND used_at IS NULL AND expires_at > @now AND (member_id IS NULL OR member_id = @member)`,
		pg.Named("hash", pg.HashToken(code), "member", memberID, "now", now))
	if res.Error != nil {
		return fmt.Errorf("use invitation: %w", res.Error)
	}
	if res.RowsAffected == 0 {
		return errInvitation
	}
	return Admit(ctx, tx, memberID)
}

// Admit says that an admin made or confirmed a member: events that waited for the name are taken in.
func Admit(ctx context.Context, tx *gorm.DB, memberID int64) error {
	err := tx.WithContext(ctx).Exec(`UPDATE members SET admits = true WHERE id = @id`, pg.Named("id", memberID)).Error
	if err != nil {
		return fmt.Errorf("admit member %d: %w", memberID, err)
	}
	return nil
}
