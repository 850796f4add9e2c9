package models_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"gorm.io/gorm"

	"laurel/models"
	"laurel/models/modelstest"
)

const (
	good = "correct horse battery"
	home = "192.0.2.7"
)

// field returns which field an InputError is about; "" without an error.
func field(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	input, ok := errors.AsType[*models.InputError](err)
	if !ok {
		t.Fatalf("got %v, want an InputError or nothing", err)
	}
	return input.Field
}

// admin makes the first admin.
func admin(t *testing.T, db *gorm.DB) *models.Member {
	t.Helper()
	token, err := models.SetupToken(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	m := &models.Member{Name: "root"}
	if err := models.Setup(t.Context(), db, token, m, good, models.SignUpInvitation, home, modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestPassword(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	hash, err := models.HashPassword(ctx, good)
	if err != nil || !strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Fatalf("hash %q, error %v; want OWASP's parameters", hash, err)
	}
	for _, tt := range []struct {
		name, password, hash string
		want                 bool
	}{
		{"right", good, hash, true},
		{"wrong", good + "x", hash, false},
		{"empty", "", hash, false},
		{"too long to be one", strings.Repeat("x", 1<<16), hash, false},
		{"nobody", good, "", false},
		{"nobody, empty", "", "", false},
	} {
		got, err := models.PasswordIs(ctx, tt.password, tt.hash)
		if err != nil || got != tt.want {
			t.Errorf("%s: got %t, error %v; want %t", tt.name, got, err, tt.want)
		}
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	for range 20 { // A turn may be free: select takes either.
		if _, err := models.HashPassword(ended, good); err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want that of the context", err)
		}
	}
}

func TestCheckNewPassword(t *testing.T) {
	for _, tt := range []struct {
		password string
		ok       bool
	}{
		{"1234567", false}, {"12345678", true}, {"пароль12", true}, {strings.Repeat("x", 256), true}, {strings.Repeat("x", 257), false},
	} {
		if err := models.CheckNewPassword(tt.password); (err == nil) != tt.ok {
			t.Errorf("%q: %v, want ok = %t", tt.password, err, tt.ok)
		}
	}
}

func TestSetup(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	old, err := models.SetupToken(ctx, tx)
	if err != nil {
		t.Fatal(err)
	}
	token, err := models.SetupToken(ctx, tx)
	if err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string]string{"replaced": old, "none": "", "made up": "x\x00"} {
		if err := models.CheckSetupToken(ctx, tx, bad); !errors.Is(err, models.ErrSetupOver) {
			t.Errorf("%s token: got %v, want ErrSetupOver", name, err)
		}
	}
	var stored string
	if err := tx.Raw("SELECT string_agg(value, ' ') FROM settings").Scan(&stored).Error; err != nil || strings.Contains(stored, token) {
		t.Errorf("settings hold %q (error %v), want only a hash of the token", stored, err)
	}
	m := &models.Member{Name: "ada", DisplayName: "Ada"}
	if got := field(t, models.Setup(ctx, tx, token, m, "short", models.SignUpOpen, home, modelstest.Noon)); got != "password" {
		t.Errorf("a short password is a mistake in %q", got)
	}
	if got := field(t, models.Setup(ctx, tx, token, m, good, "perhaps", home, modelstest.Noon)); got != "sign_up" {
		t.Errorf("an unknown mode is a mistake in %q", got)
	}
	if err := models.Setup(ctx, tx, token, m, good, models.SignUpOpen, home, modelstest.Noon); err != nil {
		t.Fatal("a mistake before must not spend the token: ", err)
	}
	if m.Role != models.RoleAdmin {
		t.Errorf("the first member has the role %q", m.Role)
	}
	if mode, err := models.SignUpMode(ctx, tx); mode != models.SignUpOpen || err != nil {
		t.Errorf("mode %q, error %v; want what was chosen", mode, err)
	}
	if err := models.Setup(ctx, tx, token, &models.Member{Name: "bob"}, good, models.SignUpOpen, home, modelstest.Noon); !errors.Is(err, models.ErrSetupOver) {
		t.Errorf("a second use: got %v, want ErrSetupOver", err)
	}
	if again, err := models.SetupToken(ctx, tx); again != "" || err != nil {
		t.Errorf("with an admin there is a token %q, error %v", again, err)
	}
}

// A command may have made the admin's row already; nobody can sign in as it.
func TestSetupTakesOverAMemberWithoutPassword(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	made := models.Member{Name: "Ada", Role: models.RoleAdmin}
	if err := models.CreateMember(ctx, tx, &made, modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	token, err := models.SetupToken(ctx, tx)
	if err != nil || token == "" {
		t.Fatalf("token %q, error %v; want one, for nobody can sign in", token, err)
	}
	m := &models.Member{Name: "ada"}
	if err := models.Setup(ctx, tx, token, m, good, models.SignUpClosed, home, modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	if in, err := models.SignIn(ctx, tx, "ada", good, home, modelstest.Noon); err != nil || in.ID != made.ID || in.Role != models.RoleAdmin {
		t.Errorf("signed in as %+v, error %v; want the member that was there", in, err)
	}
}

func TestTwoSetupsAtOnceMakeOneAdmin(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), modelstest.DB(t)
	token, err := models.SetupToken(ctx, db)
	if err != nil {
		t.Fatal(err)
	}
	errs := make([]error, 4)
	var wg sync.WaitGroup
	for i, name := range []string{"ada", "bob", "eve", "kim"} {
		wg.Go(func() {
			errs[i] = models.Setup(ctx, db, token, &models.Member{Name: name}, good, models.SignUpOpen, home, modelstest.Noon)
		})
	}
	wg.Wait()
	made := 0
	for _, err := range errs {
		if err == nil {
			made++
		} else if !errors.Is(err, models.ErrSetupOver) {
			t.Error(err)
		}
	}
	var members int
	if err := db.Raw("SELECT count(*) FROM members").Scan(&members).Error; err != nil || made != 1 || members != 1 {
		t.Errorf("%d were told that they are the admin, %d members, error %v; want 1 and 1", made, members, err)
	}
}

func TestSignIn(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	admin(t, tx)
	for range 11 { // Successes do not count.
		if m, err := models.SignIn(ctx, tx, "ROOT", good, home, modelstest.Noon); err != nil || m.Name != "root" {
			t.Fatal(m, err)
		}
	}
	for _, name := range []string{"root", "nobody", "no name", "", "a\x00b", "\xff"} {
		if got := field(t, second(models.SignIn(ctx, tx, name, "wrong horse", "198.51.100.1", modelstest.Noon))); got != "password" {
			t.Errorf("%q: a mistake in %q, want one that does not say which", name, got)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func TestSignInLimits(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	admin(t, tx)
	fail := func(name, address string) bool {
		_, limited := errors.AsType[*models.LimitError](second(models.SignIn(ctx, tx, name, "wrong horse", address, modelstest.Noon)))
		return limited
	}
	for i := range 10 {
		if fail("root", "198.51.100."+string(rune('0'+i))) {
			t.Fatalf("attempt %d on an account is limited already", i+1)
		}
	}
	if !fail("Root", "203.0.113.1") {
		t.Error("the 11th wrong password for an account passes, from another address and in capitals")
	}
	if _, err := models.SignIn(ctx, tx, "root", good, home, modelstest.Noon); err == nil {
		t.Error("while an account is limited even the right password must not pass")
	}
	if _, err := models.SignIn(ctx, tx, "root", good, home, modelstest.Noon.Add(2*time.Minute)); err != nil {
		t.Errorf("two minutes later: %v", err)
	}
	for i := range 30 {
		if fail("no name", "203.0.113.9") {
			t.Fatalf("attempt %d from an address is limited already", i+1)
		}
	}
	if !fail("no name", "203.0.113.9") {
		t.Error("the 31st attempt from an address passes")
	}
}

func TestSignUpModes(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	by := admin(t, tx)
	code, err := models.Invite(ctx, tx, by.ID, nil, modelstest.Noon)
	if err != nil {
		t.Fatal(err)
	}
	choose, err := models.Invite(ctx, tx, by.ID, by, modelstest.Noon)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, mode, code string
		at               time.Duration
		want             string
	}{
		{"ann", models.SignUpOpen, "", 0, ""},
		{"Ann", models.SignUpOpen, "", 0, "name"},
		{"bob", models.SignUpClosed, code, 0, "code"},
		{"bob", models.SignUpInvitation, "", 0, "code"},
		{"bob", models.SignUpInvitation, "x", 0, "code"},
		{"bob", models.SignUpInvitation, choose, 0, "code"}, // Is for root.
		{"bob", models.SignUpInvitation, code, models.InvitationFor, "code"},
		{"bad name", models.SignUpInvitation, code, 0, "name"}, // Does not use it up.
		{"bob", models.SignUpInvitation, code, 0, ""},
		{"eve", models.SignUpInvitation, code, 0, "code"},
	} {
		if err := models.SetSignUpMode(ctx, tx, tt.mode); err != nil {
			t.Fatal(err)
		}
		m := models.Member{Name: tt.name, Role: models.RoleAdmin}
		err := models.SignUp(ctx, tx, &m, good, tt.code, home, modelstest.Noon.Add(tt.at))
		if got := field(t, err); got != tt.want {
			t.Errorf("%s, mode %s: a mistake in %q, want %q", tt.name, tt.mode, got, tt.want)
		}
		if err == nil && m.Role != models.RoleMember {
			t.Errorf("%s signed up with the role %s", tt.name, m.Role)
		}
	}
	lines, err := models.Invitations(ctx, tx, 10)
	if err != nil || len(lines) != 2 {
		t.Fatal(lines, err)
	}
	for _, l := range lines {
		if l.MemberID == nil && (l.User != "bob" || l.Creator != "root") {
			t.Errorf("the invitation was made by %q and used by %q, want root and bob", l.Creator, l.User)
		}
	}
}

func TestSignUpLimit(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	if err := models.SetSignUpMode(ctx, tx, models.SignUpOpen); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		_ = models.SignUp(ctx, tx, &models.Member{Name: "ann"}, "short", "", home, modelstest.Noon)
	}
	err := models.SignUp(ctx, tx, &models.Member{Name: "ann"}, good, "", home, modelstest.Noon)
	if _, limited := errors.AsType[*models.LimitError](err); !limited {
		t.Errorf("the 21st attempt in an hour: %v, want a LimitError", err)
	}
}

func TestAnInvitationIsUsedOnce(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), modelstest.DB(t)
	code, err := models.Invite(ctx, db, admin(t, db).ID, nil, modelstest.Noon)
	if err != nil {
		t.Fatal(err)
	}
	errs := make([]error, 4)
	var wg sync.WaitGroup
	for i, name := range []string{"ann", "bob", "eve", "kim"} {
		wg.Go(func() {
			errs[i] = models.SignUp(ctx, db, &models.Member{Name: name}, good, code, home, modelstest.Noon)
		})
	}
	wg.Wait()
	in := 0
	for _, err := range errs {
		if field(t, err) == "" {
			in++
		}
	}
	var members int
	if err := db.Raw("SELECT count(*) FROM members WHERE role = 'member'").Scan(&members).Error; err != nil || in != 1 || members != 1 {
		t.Errorf("%d guests got in and %d are stored, error %v; want 1 and 1", in, members, err)
	}
}

func TestRevokeInvitation(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	code, err := models.Invite(ctx, tx, admin(t, tx).ID, nil, modelstest.Noon)
	if err != nil {
		t.Fatal(err)
	}
	inv, err := models.InvitationByCode(ctx, tx, code, modelstest.Noon)
	if err != nil {
		t.Fatal(err)
	}
	if err := models.RevokeInvitation(ctx, tx, inv.Hash); err != nil {
		t.Fatal(err)
	}
	if err := models.RevokeInvitation(ctx, tx, inv.Hash); !errors.Is(err, models.ErrNotFound) {
		t.Errorf("the second time: %v, want ErrNotFound", err)
	}
	if got := field(t, models.SignUp(ctx, tx, &models.Member{Name: "ann"}, good, code, home, modelstest.Noon)); got != "code" {
		t.Errorf("a mistake in %q, want the code to be over", got)
	}
}

func TestChoosePassword(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	by := admin(t, tx)
	ann := models.Member{Name: "ann"}
	if err := models.CreateMember(ctx, tx, &ann, modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	first, err := models.Invite(ctx, tx, by.ID, &ann, modelstest.Noon)
	if err != nil {
		t.Fatal(err)
	}
	code, err := models.Invite(ctx, tx, by.ID, &ann, modelstest.Noon)
	if err != nil {
		t.Fatal(err)
	}
	if got := field(t, second(models.ChoosePassword(ctx, tx, first, good, home, modelstest.Noon))); got != "code" {
		t.Errorf("the former link: a mistake in %q, want it to be over", got)
	}
	if got := field(t, second(models.ChoosePassword(ctx, tx, code, "short", home, modelstest.Noon))); got != "password" {
		t.Errorf("a mistake in %q", got)
	}
	if m, err := models.ChoosePassword(ctx, tx, code, good, home, modelstest.Noon); err != nil || m.Name != "ann" {
		t.Fatal(m.Name, err)
	}
	if _, err := models.SignIn(ctx, tx, "ann", good, home, modelstest.Noon); err != nil {
		t.Error(err)
	}
	if got := field(t, second(models.ChoosePassword(ctx, tx, code, good+"2", home, modelstest.Noon))); got != "code" {
		t.Errorf("the second use: a mistake in %q", got)
	}
}

func TestToken(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	m := admin(t, tx)
	plain, err := models.CreateToken(ctx, tx, m.ID, "plotting", false, modelstest.Noon)
	if err != nil {
		t.Fatal(err)
	}
	full, err := models.CreateToken(ctx, tx, m.ID, "backups", true, modelstest.Noon)
	if err != nil {
		t.Fatal(err)
	}
	if len(plain) != len("laurel_")+43 || !strings.HasPrefix(plain, "laurel_") || plain == full {
		t.Errorf("tokens %q and %q", plain, full)
	}
	for token, role := range map[string]string{plain: models.RoleMember, full: models.RoleAdmin} {
		if got, err := models.MemberByToken(ctx, tx, token); err != nil || got.ID != m.ID || got.Role != role {
			t.Errorf("token of %s as %s, error %v; want root as %s", got.Name, got.Role, err, role)
		}
	}
	for _, bad := range []string{"", "laurel_", full + "x", "a\x00", strings.ToLower(full)} {
		if _, err := models.MemberByToken(ctx, tx, bad); !errors.Is(err, models.ErrNotFound) {
			t.Errorf("token %q: %v, want ErrNotFound", bad, err)
		}
	}
	if got := field(t, second(models.CreateToken(ctx, tx, m.ID, " \x00", false, modelstest.Noon))); got != "label" {
		t.Errorf("an empty label is a mistake in %q", got)
	}
	list, err := models.TokensOf(ctx, tx, m.ID)
	if err != nil || len(list) != 2 || list[0].Label != "backups" {
		t.Fatal(list, err)
	}
	if err := models.RevokeToken(ctx, tx, m.ID+1, list[0].ID); !errors.Is(err, models.ErrNotFound) {
		t.Errorf("somebody else revokes: %v, want ErrNotFound", err)
	}
	if err := models.RevokeToken(ctx, tx, m.ID, list[0].ID); err != nil {
		t.Fatal(err)
	}
	if _, err := models.MemberByToken(ctx, tx, full); !errors.Is(err, models.ErrNotFound) {
		t.Errorf("a revoked token: %v, want ErrNotFound", err)
	}
}
