package models_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"laurel/models"
	pg "laurel/models/db"
	"laurel/models/modelstest"
)

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
	if _, limited := errors.AsType[*pg.LimitError](err); !limited {
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
	if err := models.RevokeInvitation(ctx, tx, inv.Hash); !errors.Is(err, pg.ErrNotFound) {
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
