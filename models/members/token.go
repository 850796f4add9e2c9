package members

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A Token lets a program act for a member. Only its hash is kept.
type Token struct {
	ID        int64
	MemberID  int64
	Hash      []byte
	Label     string // The member's own words for what it is used for.
	Admin     bool   // May do what its member may as an admin or support, as long as it is one.
	Feed      bool   // Reads feeds, as its member, and nothing else: it stands in addresses.
	CreatedAt time.Time
}

// CreateToken makes a token and returns it: it is shown once and never again.
func CreateToken(ctx context.Context, db *gorm.DB, memberID int64, label string, admin bool, now time.Time) (string, error) {
	label = pg.CleanText(label)
	if label == "" || len(label) > 100 {
		return "", &pg.InputError{Field: "label",
			Message: "name the token in 1 to 100 letters, so that you recognise it when you revoke it"}
	}
	return storeToken(ctx, db, "laurel_", Token{MemberID: memberID, Label: label, Admin: admin, CreatedAt: now})
}

// CreateFeedToken makes a token for the addresses of feeds.
func CreateFeedToken(ctx context.Context, db *gorm.DB, memberID int64, now time.Time) (string, error) {
	return storeToken(ctx, db, "feed_", Token{MemberID: memberID, Label: "Feeds", Feed: true, CreatedAt: now})
}

func storeToken(ctx context.Context, db *gorm.DB, prefix string, t Token) (string, error) {
	secret := pg.NewToken(prefix)
	t.Hash = pg.HashToken(secret)
	if err := gorm.G[Token](db).Create(ctx, &t); err != nil {
		return "", fmt.Errorf("create token of member %d: %w", t.MemberID, err)
	}
	return secret, nil
}

// TokensOf returns a member's tokens, newest first.
func TokensOf(ctx context.Context, db *gorm.DB, memberID int64) ([]Token, error) {
	ts, err := gorm.G[Token](db).Where("member_id = ?", memberID).Order("id DESC").Find(ctx)
	if err != nil {
		return nil, fmt.Errorf("tokens of member %d: %w", memberID, err)
	}
	return ts, nil
}

// RevokeToken deletes a member's token, or returns ErrNotFound.
func RevokeToken(ctx context.Context, db *gorm.DB, memberID, id int64) error {
	n, err := gorm.G[Token](db).Where("member_id = ? AND id = ?", memberID, id).Delete(ctx)
	if err == nil && n == 0 {
		err = pg.ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("revoke token %d of member %d: %w", id, memberID, err)
	}
	return nil
}

// ByToken returns whom a token speaks for, or ErrNotFound. With a token
// that has no role, an admin or support has the role of a member.
func ByToken(ctx context.Context, db *gorm.DB, token string) (Member, error) {
	return byToken(ctx, db, token, false)
}

// ByFeedToken returns who reads feeds with a token, or ErrNotFound. An admin reads them as a member.
func ByFeedToken(ctx context.Context, db *gorm.DB, token string) (Member, error) {
	return byToken(ctx, db, token, true)
}

func byToken(ctx context.Context, db *gorm.DB, token string, feed bool) (Member, error) {
	var found struct {
		Member
		TokenAdmin bool
	}
	res := db.WithContext(ctx).Raw(`
		SELECT `+pg.Columns[Member]("m")+`, t.admin AS token_admin
		FROM tokens t JOIN members m ON m.id = t.member_id
		WHERE t.hash = @hash AND t.feed = @feed AND m.suspended_at IS NULL`,
		pg.Named("hash", pg.HashToken(token), "feed", feed)).Scan(&found)
	err := res.Error
	if err == nil && res.RowsAffected == 0 {
		err = pg.ErrNotFound
	}
	if err != nil {
		return Member{}, fmt.Errorf("member by token: %w", err)
	}
	if !found.TokenAdmin {
		found.Role = RoleMember
	}
	return found.Member, nil
}

// IssueToken makes a token for the member of that name, who is made when
// missing; with RoleAdmin or RoleSupport the member gets that role, and an admin stays one. It is for the
// person who runs the server and could write into the database as well.
func IssueToken(ctx context.Context, db *gorm.DB, name, label, role string, now time.Time) (secret string, err error) {
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		m, err := ByName(ctx, tx, name)
		if errors.Is(err, pg.ErrNotFound) {
			m = Member{Name: name}
			err = Create(ctx, tx, &m, now)
		}
		if err != nil {
			return err
		}
		if m.Custom {
			return &pg.InputError{Field: "name",
				Message: fmt.Sprintf("%s is followed here without an account and cannot have a token; choose another name", m.Name)}
		}
		if role != RoleMember && m.Role != RoleAdmin {
			if err := tx.Exec(`UPDATE members SET role = @role WHERE id = @id`, pg.Named("id", m.ID, "role", role)).Error; err != nil {
				return fmt.Errorf("make %s %s: %w", m.Name, role, err)
			}
		}
		secret, err = CreateToken(ctx, tx, m.ID, label, role != RoleMember, now)
		return err
	})
	return secret, err
}
