package members_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
)

func TestSignUpModes(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	by := modelstest.Admin(t, tx)
	code, err := members.Invite(ctx, tx, by.ID, nil, modelstest.Noon)
	if err != nil {
		t.Fatal(err)
	}
	choose, err := members.Invite(ctx, tx, by.ID, by, modelstest.Noon)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, mode, code string
		at               time.Duration
		want             string
	}{
		{"ann", members.SignUpOpen, "", 0, ""},
		{"Ann", members.SignUpOpen, "", 0, "name"},
		{"bob", members.SignUpClosed, code, 0, "code"},
		{"bob", members.SignUpInvitation, "", 0, "code"},
		{"bob", members.SignUpInvitation, "x", 0, "code"},
		{"bob", members.SignUpInvitation, choose, 0, "code"}, // Is for root.
		{"bob", members.SignUpInvitation, code, members.InvitationFor, "code"},
		{"bad name", members.SignUpInvitation, code, 0, "name"}, // Does not use it up.
		{"bob", members.SignUpInvitation, code, 0, ""},
		{"eve", members.SignUpInvitation, code, 0, "code"},
	} {
		if err := members.SetSignUpMode(ctx, tx, tt.mode); err != nil {
			t.Fatal(err)
		}
		m := members.Member{Name: tt.name, Role: members.RoleAdmin}
		err := members.SignUp(ctx, tx, members.Newcomer{Member: &m, Password: modelstest.Good, Code: tt.code, Address: modelstest.Home}, modelstest.Noon.Add(tt.at))
		if got := modelstest.Field(t, err); got != tt.want {
			t.Errorf("%s, mode %s: a mistake in %q, want %q", tt.name, tt.mode, got, tt.want)
		}
		if err == nil && m.Role != members.RoleMember {
			t.Errorf("%s signed up with the role %s", tt.name, m.Role)
		}
	}
	lines, err := members.Invitations(ctx, tx, 10)
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
	if err := members.SetSignUpMode(ctx, tx, members.SignUpOpen); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		_ = members.SignUp(ctx, tx, members.Newcomer{Member: &members.Member{Name: "ann"}, Password: "short", Code: "", Address: modelstest.Home}, modelstest.Noon)
	}
	err := members.SignUp(ctx, tx, members.Newcomer{Member: &members.Member{Name: "ann"}, Password: modelstest.Good, Code: "", Address: modelstest.Home}, modelstest.Noon)
	if e, ok := errors.AsType[*pg.Error](err); !ok || e.Code != pg.CodeLimited {
		t.Errorf("the 21st attempt in an hour: %v, want one of the limit", err)
	}
}

func TestAnInvitationIsUsedOnce(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), modelstest.DB(t)
	code, err := members.Invite(ctx, db, modelstest.Admin(t, db).ID, nil, modelstest.Noon)
	if err != nil {
		t.Fatal(err)
	}
	errs := make([]error, 4)
	var wg sync.WaitGroup
	for i, name := range []string{"ann", "bob", "eve", "kim"} {
		wg.Go(func() {
			errs[i] = members.SignUp(ctx, db, members.Newcomer{Member: &members.Member{Name: name}, Password: modelstest.Good, Code: code, Address: modelstest.Home}, modelstest.Noon)
		})
	}
	wg.Wait()
	in := 0
	for _, err := range errs {
		if modelstest.Field(t, err) == "" {
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
	code, err := members.Invite(ctx, tx, modelstest.Admin(t, tx).ID, nil, modelstest.Noon)
	if err != nil {
		t.Fatal(err)
	}
	inv, err := members.InvitationByCode(ctx, tx, code, modelstest.Noon)
	if err != nil {
		t.Fatal(err)
	}
	if err := members.RevokeInvitation(ctx, tx, inv.Hash); err != nil {
		t.Fatal(err)
	}
	if err := members.RevokeInvitation(ctx, tx, inv.Hash); !errors.Is(err, pg.ErrNotFound) {
		t.Errorf("the second time: %v, want ErrNotFound", err)
	}
	if got := modelstest.Field(t, members.SignUp(ctx, tx, members.Newcomer{Member: &members.Member{Name: "ann"}, Password: modelstest.Good, Code: code, Address: modelstest.Home}, modelstest.Noon)); got != "code" {
		t.Errorf("a mistake in %q, want the code to be over", got)
	}
}

func TestChoosePassword(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	by := modelstest.Admin(t, tx)
	ann := members.Member{Name: "ann"}
	if err := members.Create(ctx, tx, &ann, modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	first, err := members.Invite(ctx, tx, by.ID, &ann, modelstest.Noon)
	if err != nil {
		t.Fatal(err)
	}
	code, err := members.Invite(ctx, tx, by.ID, &ann, modelstest.Noon)
	if err != nil {
		t.Fatal(err)
	}
	if got := modelstest.Field(t, second(members.ChoosePassword(ctx, tx, first, modelstest.Good, modelstest.Home, modelstest.Noon))); got != "code" {
		t.Errorf("the former link: a mistake in %q, want it to be over", got)
	}
	if got := modelstest.Field(t, second(members.ChoosePassword(ctx, tx, code, "short", modelstest.Home, modelstest.Noon))); got != "password" {
		t.Errorf("a mistake in %q", got)
	}
	if m, err := members.ChoosePassword(ctx, tx, code, modelstest.Good, modelstest.Home, modelstest.Noon); err != nil || m.Name != "ann" {
		t.Fatal(m.Name, err)
	}
	if _, err := members.SignIn(ctx, tx, "ann", modelstest.Good, modelstest.Home, modelstest.Noon); err != nil {
		t.Error(err)
	}
	if got := modelstest.Field(t, second(members.ChoosePassword(ctx, tx, code, modelstest.Good+"2", modelstest.Home, modelstest.Noon))); got != "code" {
		t.Errorf("the second use: a mistake in %q", got)
	}
}
