package members

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// Limits of those who come to the door.
var (
	signInPerAccount = pg.Limit{Burst: 10, Per: 15 * time.Minute}
	signInPerAddress = pg.Limit{Burst: 30, Per: 15 * time.Minute}
	signUpPerAddress = pg.Limit{Burst: 20, Per: time.Hour}
)

// SignIn returns the member with that name and password, or an InputError that
// does not say which of the two was wrong. Only attempts that fail count
// towards the limits, so that a class room behind one address gets in.
func SignIn(ctx context.Context, db *gorm.DB, name, password, address string, now time.Time) (Member, error) {
	wrong := &pg.InputError{Field: "password", Message: "wrong name or password; an admin can send you a link to choose a new password"}
	account, from := "sign-in account:"+strings.ToLower(name), "sign-in address:"+address
	if err := signInPerAddress.Take(ctx, db, from, "attempts to sign in from your network", now); err != nil {
		return Member{}, err
	}
	if !MemberName.MatchString(name) {
		return Member{}, wrong
	}
	if err := signInPerAccount.Take(ctx, db, account, "attempts to sign in as "+name, now); err != nil {
		return Member{}, err
	}
	m, err := named(ctx, db, name)
	if err != nil && !errors.Is(err, pg.ErrNotFound) {
		return Member{}, err
	}
	ok, err := PasswordIs(ctx, password, m.PasswordHash)
	if err != nil {
		return Member{}, err
	}
	if !ok {
		return Member{}, wrong
	}
	if m.SuspendedAt != nil {
		return Member{}, &pg.InputError{Field: "password", Message: "this account is suspended; ask an admin"}
	}
	return m, errors.Join(signInPerAddress.GiveBack(ctx, db, from), signInPerAccount.GiveBack(ctx, db, account))
}

// takeSignUp counts an attempt to sign up, to set up or to use a link from an address.
func takeSignUp(ctx context.Context, db *gorm.DB, address string, now time.Time) error {
	return signUpPerAddress.Take(ctx, db, "sign-up address:"+address, "attempts to sign up from your network", now)
}

// A Newcomer is somebody who wants to become a member.
type Newcomer struct {
	*Member
	Password string
	Code     string // Of an invitation; the token of the set-up link.
	Address  string // In the network, for the limit of attempts.
}

// check returns all that is wrong with what a newcomer typed.
func (n Newcomer) check(ctx context.Context, db *gorm.DB) error {
	return errors.Join(n.CheckName(), n.CheckDisplayName(), n.checkZone(ctx, db), CheckNewPassword(n.Password))
}

// nameFree says early that a name is taken, beside what else is wrong; Create says it for certain.
func (n Newcomer) nameFree(ctx context.Context, db *gorm.DB) error {
	_, err := named(ctx, db, pg.CleanText(n.Name))
	switch {
	case err == nil:
		return nameTaken(pg.CleanText(n.Name))
	case errors.Is(err, pg.ErrNotFound):
		return nil
	}
	return err
}

// SignUp makes somebody a member, if the admins' choice and the code of an invitation
// allow it. A guest with an invitation does not count towards the limit.
func SignUp(ctx context.Context, db *gorm.DB, n Newcomer, now time.Time) error {
	if err := takeSignUp(ctx, db, n.Address, now); err != nil {
		return err
	}
	mode, err := SignUpMode(ctx, db)
	if err != nil {
		return err
	}
	switch mode {
	case SignUpClosed:
		return &pg.InputError{Field: "code", Message: "sign-up is closed; ask an admin"}
	case SignUpInvitation: // Before the costly hash.
		inv, err := InvitationByCode(ctx, db, n.Code, now)
		if err != nil {
			return err
		}
		if inv.MemberID != nil {
			return errInvitation
		}
	}
	if err := errors.Join(n.nameFree(ctx, db), n.check(ctx, db)); err != nil {
		return err
	}
	hash, err := newPasswordHash(ctx, n.Password)
	if err != nil {
		return err
	}
	n.Role, n.Custom, n.OwnerID, n.PasswordHash = RoleMember, false, nil, hash
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := Create(ctx, tx, n.Member, now); err != nil || mode == SignUpOpen {
			return err
		}
		return useInvitation(ctx, tx, n.Code, n.ID, now)
	})
	if err != nil || mode == SignUpOpen {
		return err
	}
	return signUpPerAddress.GiveBack(ctx, db, "sign-up address:"+n.Address)
}

// ChoosePassword sets the password of the member an invitation was made for.
func ChoosePassword(ctx context.Context, db *gorm.DB, code, password, address string, now time.Time) (Member, error) {
	if err := takeSignUp(ctx, db, address, now); err != nil {
		return Member{}, err
	}
	inv, err := InvitationByCode(ctx, db, code, now)
	if err != nil {
		return Member{}, err
	}
	if inv.MemberID == nil {
		return Member{}, errInvitation
	}
	hash, err := newPasswordHash(ctx, password)
	if err != nil {
		return Member{}, err
	}
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := useInvitation(ctx, tx, code, *inv.MemberID, now); err != nil {
			return err
		}
		return storePassword(ctx, tx, *inv.MemberID, hash)
	})
	if err != nil {
		return Member{}, err
	}
	return ByID(ctx, db, *inv.MemberID)
}

// ChangePassword sets a member's new password, given the one it has, and puts
// the new hash into m. Whoever holds the old hash, as sessions do, is out.
func ChangePassword(ctx context.Context, db *gorm.DB, m *Member, current, password string, now time.Time) error {
	if err := ConfirmPassword(ctx, db, m, current, now); err != nil {
		return err
	}
	hash, err := newPasswordHash(ctx, password)
	if err != nil {
		return err
	}
	if err := storePassword(ctx, db, m.ID, hash); err != nil {
		return err
	}
	m.PasswordHash = hash
	return nil
}

// ConfirmPassword returns an InputError unless password is m's. Its limit is not
// that of signing in, which strangers can use up.
func ConfirmPassword(ctx context.Context, db *gorm.DB, m *Member, password string, now time.Time) error {
	key := "confirm account:" + strings.ToLower(m.Name)
	if err := signInPerAccount.Take(ctx, db, key, "wrong passwords for "+m.Name, now); err != nil {
		return err
	}
	ok, err := PasswordIs(ctx, password, m.PasswordHash)
	if err != nil {
		return err
	}
	if !ok {
		return &pg.InputError{Field: "current_password", Message: "that is not your password"}
	}
	return signInPerAccount.GiveBack(ctx, db, key)
}

func newPasswordHash(ctx context.Context, password string) (string, error) {
	if err := CheckNewPassword(password); err != nil {
		return "", err
	}
	return HashPassword(ctx, password)
}

func storePassword(ctx context.Context, db *gorm.DB, memberID int64, hash string) error {
	_, err := gorm.G[Member](db).Where("id = ?", memberID).Update(ctx, "password_hash", hash)
	if err != nil {
		return fmt.Errorf("password of member %d: %w", memberID, err)
	}
	return nil
}
