package members

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	pg "laurel/models/db"
)

// ErrSetupOver says that a set-up link does not work any more.
var ErrSetupOver = &pg.Error{Code: pg.CodeGone,
	Message: "this set-up link has expired. The server log has the newest one. If there is an admin already, sign in instead."}

// SetupToken makes the one-time secret with which the first admin is made, and
// returns "" once there is an admin who can sign in. A new one takes the place
// of the old one.
func SetupToken(ctx context.Context, db *gorm.DB) (string, error) {
	done, err := HasAdmin(ctx, db)
	if err != nil || done {
		return "", err
	}
	token := pg.NewToken("")
	return token, writeSetting(ctx, db, keySetUp, hex.EncodeToString(pg.HashToken(token)))
}

// CheckSetupToken returns ErrSetupOver unless the token still works.
func CheckSetupToken(ctx context.Context, db *gorm.DB, token string) error {
	done, err := HasAdmin(ctx, db)
	if err != nil {
		return err
	}
	want, err := readSetting(ctx, db, keySetUp)
	if err != nil {
		return err
	}
	if done || want != hex.EncodeToString(pg.HashToken(token)) {
		return ErrSetupOver
	}
	return nil
}

// Setup makes the first admin. The token is spent in the same transaction, so
// that of two who come at once one is made admin and the other gets ErrSetupOver.
func Setup(ctx context.Context, db *gorm.DB, n Newcomer, signUpMode string, now time.Time) error {
	if err := takeSignUp(ctx, db, n.Address, now); err != nil {
		return err
	}
	if err := CheckSetupToken(ctx, db, n.Code); err != nil {
		return err
	}
	if err := errors.Join(n.check(ctx, db), checkSignUpMode(signUpMode)); err != nil {
		return err
	}
	hash, err := newPasswordHash(ctx, n.Password)
	if err != nil {
		return err
	}
	n.Role, n.PasswordHash = RoleAdmin, hash
	return db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		spent := tx.Exec(`DELETE FROM settings WHERE key = @key AND value = @value`,
			pg.Named("key", keySetUp, "value", hex.EncodeToString(pg.HashToken(n.Code))))
		if spent.Error != nil {
			return fmt.Errorf("set up: %w", spent.Error)
		}
		if spent.RowsAffected == 0 {
			return ErrSetupOver
		}
		if err := SetSignUpMode(ctx, tx, signUpMode); err != nil {
			return err
		}
		return claimOrCreate(ctx, tx, n.Member, now)
	})
}

// claimOrCreate creates m, or makes it of the member with that name who has no
// password yet: one that a command or an import made before anybody signed in.
func claimOrCreate(ctx context.Context, tx *gorm.DB, m *Member, now time.Time) error {
	old, err := gorm.G[Member](tx, clause.Locking{Strength: "UPDATE"}).
		Where("lower(name) = lower(?) AND NOT custom AND password_hash = ''", pg.CleanText(m.Name)).Take(ctx)
	if errors.Is(err, pg.ErrNotFound) {
		return Create(ctx, tx, m, now)
	}
	if err != nil {
		return fmt.Errorf("set up: %w", err)
	}
	if _, err := gorm.G[Member](tx).Where("id = ?", old.ID).Select("role", "password_hash").Updates(ctx, *m); err != nil {
		return fmt.Errorf("set up: %w", err)
	}
	old.Role, old.PasswordHash = m.Role, m.PasswordHash
	*m = old
	return nil
}

// HasAdmin says whether there is an admin who can sign in.
func HasAdmin(ctx context.Context, db *gorm.DB) (bool, error) {
	var found bool
	err := db.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM members WHERE role = @role AND password_hash <> '')`,
		pg.Named("role", RoleAdmin)).Scan(&found).Error
	if err != nil {
		return false, fmt.Errorf("find an admin: %w", err)
	}
	return found, nil
}

// A Door is how somebody becomes a member.
type Door struct {
	Mode  string // One of the modes of signing up.
	Admin bool   // There is an admin: Laurel is set up.
}

// DoorOf returns how somebody becomes a member, by one question.
func DoorOf(ctx context.Context, db *gorm.DB) (d Door, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT
			coalesce((SELECT nullif(value, '') FROM settings WHERE key = @key), @mode) AS mode,
			EXISTS (SELECT FROM members WHERE role = @role AND password_hash <> '') AS admin`,
		pg.Named("key", KeySignUp, "mode", SignUpInvitation, "role", RoleAdmin)).Scan(&d).Error
	if err != nil {
		return d, fmt.Errorf("how one becomes a member: %w", err)
	}
	return d, nil
}
