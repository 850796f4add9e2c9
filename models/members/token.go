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
	Admin     bool   // May do what an admin may, as long as its member is one.
	CreatedAt time.Time
}

// CreateToken makes a token and returns it: it is shown once and never again.
func CreateToken(ctx context.Context, db *gorm.DB, memberID int64, label string, admin bool, now time.Time) (string, error) {
	label = pg.CleanText(label)
	if label == "" || len(label) > 100 {
		return "", &pg.InputError{Field: "label",
			Message: "name the token in 1 to 100 letters, so that you recognise it when you revoke it"}
	}
	secret := pg.NewToken("laurel_")
	t := Token{MemberID: memberID, Hash: pg.HashToken(secret), Label: label, Admin: admin, CreatedAt: now}
	if err := gorm.G[Token](db).Create(ctx, &t); err != nil {
		return "", fmt.Errorf("create token of member %d: %w", memberID, err)
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
// that is not an admin's, an admin has the role of a member.
func ByToken(ctx context.Context, db *gorm.DB, token string) (Member, error) {
	var found struct {
		Member
		TokenAdmin bool
	}
	res := db.WithContext(ctx).Raw(`
		SELECT `+pg.Columns[Member]("m")+`, t.admin AS token_admin
		FROM tokens t JOIN members m ON m.id = t.member_id
		WHERE t.hash = @hash`, pg.Named("hash", pg.HashToken(token))).Scan(&found)
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
// missing; with admin the member becomes an admin. It is for the person who
// runs the server and could write into the database as well.
func IssueToken(ctx context.Context, db *gorm.DB, name, label string, admin bool, now time.Time) (secret string, err error) {
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
		if admin && m.Role != RoleAdmin {
			if err := tx.Exec(`UPDATE members SET role = 'admin' WHERE id = @id`, pg.Named("id", m.ID)).Error; err != nil {
				return fmt.Errorf("make %s an admin: %w", m.Name, err)
			}
		}
		secret, err = CreateToken(ctx, tx, m.ID, label, admin, now)
		return err
	})
	return secret, err
}
