package models_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"gorm.io/gorm"

	"laurel/models"
	pg "laurel/models/db"
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
	input, ok := errors.AsType[*pg.InputError](err)
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
		_, limited := errors.AsType[*pg.LimitError](second(models.SignIn(ctx, tx, name, "wrong horse", address, modelstest.Noon)))
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
