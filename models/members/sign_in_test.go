package members_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
)

func TestSetup(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	old, err := members.SetupToken(ctx, tx)
	if err != nil {
		t.Fatal(err)
	}
	token, err := members.SetupToken(ctx, tx)
	if err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string]string{"replaced": old, "none": "", "made up": "x\x00"} {
		if err := members.CheckSetupToken(ctx, tx, bad); !errors.Is(err, members.ErrSetupOver) {
			t.Errorf("%s token: got %v, want ErrSetupOver", name, err)
		}
	}
	var stored string
	if err := tx.Raw("SELECT string_agg(value, ' ') FROM settings").Scan(&stored).Error; err != nil || strings.Contains(stored, token) {
		t.Errorf("settings hold %q (error %v), want only a hash of the token", stored, err)
	}
	m := &members.Member{Name: "ada", DisplayName: "Ada"}
	if got := modelstest.Field(t, members.Setup(ctx, tx, members.Newcomer{Member: m, Password: "short", Code: token, Address: modelstest.Home}, members.SignUpOpen, modelstest.Noon)); got != "password" {
		t.Errorf("a short password is a mistake in %q", got)
	}
	if got := modelstest.Field(t, members.Setup(ctx, tx, members.Newcomer{Member: m, Password: modelstest.Good, Code: token, Address: modelstest.Home}, "perhaps", modelstest.Noon)); got != "sign_up" {
		t.Errorf("an unknown mode is a mistake in %q", got)
	}
	if err := members.Setup(ctx, tx, members.Newcomer{Member: m, Password: modelstest.Good, Code: token, Address: modelstest.Home}, members.SignUpOpen, modelstest.Noon); err != nil {
		t.Fatal("a mistake before must not spend the token: ", err)
	}
	if m.Role != members.RoleAdmin {
		t.Errorf("the first member has the role %q", m.Role)
	}
	if mode, err := members.SignUpMode(ctx, tx); mode != members.SignUpOpen || err != nil {
		t.Errorf("mode %q, error %v; want what was chosen", mode, err)
	}
	if err := members.Setup(ctx, tx, members.Newcomer{Member: &members.Member{Name: "bob"}, Password: modelstest.Good, Code: token, Address: modelstest.Home}, members.SignUpOpen, modelstest.Noon); !errors.Is(err, members.ErrSetupOver) {
		t.Errorf("a second use: got %v, want ErrSetupOver", err)
	}
	if again, err := members.SetupToken(ctx, tx); again != "" || err != nil {
		t.Errorf("with an admin there is a token %q, error %v", again, err)
	}
}

// A command may have made the admin's row already; nobody can sign in as it.
func TestSetupTakesOverAMemberWithoutPassword(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	made := members.Member{Name: "Ada", Role: members.RoleAdmin}
	if err := members.Create(ctx, tx, &made, modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	token, err := members.SetupToken(ctx, tx)
	if err != nil || token == "" {
		t.Fatalf("token %q, error %v; want one, for nobody can sign in", token, err)
	}
	m := &members.Member{Name: "ada"}
	if err := members.Setup(ctx, tx, members.Newcomer{Member: m, Password: modelstest.Good, Code: token, Address: modelstest.Home}, members.SignUpClosed, modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	if in, err := members.SignIn(ctx, tx, "ada", modelstest.Good, modelstest.Home, modelstest.Noon); err != nil || in.ID != made.ID || in.Role != members.RoleAdmin {
		t.Errorf("signed in as %+v, error %v; want the member that was there", in, err)
	}
}

func TestTwoSetupsAtOnceMakeOneAdmin(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), modelstest.DB(t)
	token, err := members.SetupToken(ctx, db)
	if err != nil {
		t.Fatal(err)
	}
	errs := make([]error, 4)
	var wg sync.WaitGroup
	for i, name := range []string{"ada", "bob", "eve", "kim"} {
		wg.Go(func() {
			errs[i] = members.Setup(ctx, db, members.Newcomer{Member: &members.Member{Name: name}, Password: modelstest.Good, Code: token, Address: modelstest.Home}, members.SignUpOpen, modelstest.Noon)
		})
	}
	wg.Wait()
	made := 0
	for _, err := range errs {
		if err == nil {
			made++
		} else if !errors.Is(err, members.ErrSetupOver) {
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
	modelstest.Admin(t, tx)
	for range 11 { // Successes do not count.
		if m, err := members.SignIn(ctx, tx, "ROOT", modelstest.Good, modelstest.Home, modelstest.Noon); err != nil || m.Name != "root" {
			t.Fatal(m, err)
		}
	}
	for _, name := range []string{"root", "nobody", "no name", "", "a\x00b", "\xff"} {
		if got := modelstest.Field(t, second(members.SignIn(ctx, tx, name, "wrong horse", "198.51.100.1", modelstest.Noon))); got != "password" {
			t.Errorf("%q: a mistake in %q, want one that does not say which", name, got)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func TestSignInLimits(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	modelstest.Admin(t, tx)
	fail := func(name, address string) bool {
		_, limited := errors.AsType[*pg.Error](second(members.SignIn(ctx, tx, name, "wrong horse", address, modelstest.Noon)))
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
	if _, err := members.SignIn(ctx, tx, "root", modelstest.Good, modelstest.Home, modelstest.Noon); err == nil {
		t.Error("while an account is limited even the right password must not pass")
	}
	if _, err := members.SignIn(ctx, tx, "root", modelstest.Good, modelstest.Home, modelstest.Noon.Add(2*time.Minute)); err != nil {
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
