package members_test

import (
	"archive/zip"
	"net/http"
	"strings"
	"testing"

	"laurel/handlers/handlerstest"
	"laurel/models/accounts"
	"laurel/models/members"
)

func TestHandles(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Member(t, "ann", members.RoleMember)
	b := s.SignedIn(t, "ann")
	b.Get("/settings").Is(t, http.StatusOK, "Codeforces", "3 to 24 letters", "UVa")
	b.Post("/settings/handles", "accounts.codeforces", "a/../b", "accounts.uva", "x y").
		Is(t, http.StatusUnprocessableEntity, "cannot be a handle on Codeforces", "cannot be a handle on UVa", `value="a/../b"`, `value="x y"`, `aria-describedby="handle-accounts.uva-error handle-accounts.uva-hint"`)
	b.Post("/settings/handles", "accounts.codeforces", "ann_c", "accounts.uva", "ann").LeadsTo(t, "/u/ann?done=handles")
	b.Get("/settings").Is(t, http.StatusOK, `value="ann_c"`, "loading", `action="/u/ann/accounts/uva/pause"`)
	b.Post("/u/ann/accounts/uva/pause").LeadsTo(t, "/settings?done=paused")
	b.Get("/settings?done=paused").Is(t, http.StatusOK, "Paused until you resume", `action="/u/ann/accounts/uva/resume"`)
	b.Post("/u/ann/accounts/uva/resume").LeadsTo(t, "/settings?done=resumed")
	b.Post("/u/ann/accounts/topcoder/pause").Is(t, http.StatusNotFound)
	b.Post("/settings/handles", "accounts.uva", "").Is(t, http.StatusUnprocessableEntity, "was ann; to remove it", "Remove the handles I cleared")
	b.Post("/settings/handles", "accounts.uva", "", "remove", "yes").LeadsTo(t, "/u/ann?done=handles")
	b.Post("/settings/handles/removed/1/restore").Is(t, http.StatusNotFound)
	b.Post("/settings/handles/removed/x/restore").Is(t, http.StatusNotFound)
	if as, err := members.AccountsOf(t.Context(), s.DB.DB, 1); err != nil || len(as) != 1 || as[0].Site != "codeforces" {
		t.Errorf("accounts %+v, error %v; want Codeforces alone, for the form did not name it", as, err)
	}
}

// A handle with submissions is changed or removed only after a page has said what goes with it.
func TestAChangedHandleAsksFirst(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	ann := s.Member(t, "ann", members.RoleMember)
	b := s.SignedIn(t, "ann")
	b.Post("/settings/handles", "accounts.codeforces", "ann_c", "accounts.uva", "ann").LeadsTo(t, "/u/ann?done=handles")
	s.Submits(t, ann, "codeforces", s.Time, "4A AC", "4A WA", "71A AC")
	same := func(when string) {
		t.Helper()
		as, err := members.AccountsOf(t.Context(), s.DB.DB, ann.ID)
		wanted, wantedErr := accounts.WantedBy(t.Context(), s.DB.DB, ann.ID)
		if err != nil || wantedErr != nil || len(as) != 2 || as[0].Handle != "ann_c" || as[1].Handle != "ann" || len(wanted) != 0 {
			t.Errorf("%s: accounts %+v, wanted %+v (%v, %v)", when, as, wanted, err, wantedErr)
		}
	}
	b.Post("/settings/handles", "accounts.codeforces", "ann_d", "accounts.uva", "new").
		Is(t, http.StatusOK, "Nothing has changed yet", "ann_c becomes ann_d", "3 submissions with 2 solved problems leave your profile once Codeforces knows ann_d",
			`name="accounts.codeforces" value="ann_d"`, `name="accounts.uva" value="new"`, "Change handle")
	same("asked")
	b.Post("/settings/handles", "accounts.codeforces", "a/../b").Is(t, http.StatusUnprocessableEntity, "cannot be a handle on Codeforces")
	b.Post("/settings/handles", "accounts.codeforces", "", "remove", "yes").
		Is(t, http.StatusOK, "ann_c is removed", "3 submissions with 2 solved problems leave your profile at once", `name="remove" value="yes"`, "Remove handle")
	same("asked about removing it")
	b.Post("/settings/handles", "accounts.codeforces", "ann_d", "accounts.uva", "ann", "confirmed", "yes").LeadsTo(t, "/u/ann?done=handles")
	wanted, err := accounts.WantedBy(t.Context(), s.DB.DB, ann.ID)
	if err != nil || len(wanted) != 1 {
		t.Errorf("wanted %+v (%v)", wanted, err)
	}
	b.Post("/settings/handles", "accounts.codeforces", "", "remove", "yes", "confirmed", "yes").LeadsTo(t, "/u/ann?done=handles")
	if as, err := members.AccountsOf(t.Context(), s.DB.DB, ann.ID); err != nil || len(as) != 1 || as[0].Site != "uva" {
		t.Errorf("accounts %+v (%v), want UVa alone", as, err)
	}
}

func TestPerson(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Member(t, "ann", members.RoleMember)
	b := s.SignedIn(t, "ann")
	b.Post("/settings/person", "display_name", "Ann", "time_zone", "Mars/Base").Is(t, http.StatusUnprocessableEntity, "No time zone has this name", `value="Mars/Base"`)
	b.Post("/settings/person", "display_name", strings.Repeat("x", 201), "time_zone", "UTC").Is(t, http.StatusUnprocessableEntity, "at most 200 bytes")
	b.Post("/settings/person", "display_name", "Ann\x00\xff", "time_zone", "Asia/Kolkata").LeadsTo(t, "/settings/profile?done=person")
	b.Get("/settings/profile").Is(t, http.StatusOK, `value="Ann"`, `value="Asia/Kolkata"`)
}

func TestOwnData(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Member(t, "ann", members.RoleMember)
	s.Browser(t).Post("/settings/data").Is(t, http.StatusUnauthorized)
	b := s.SignedIn(t, "ann")
	for range 3 {
		a := b.Post("/settings/data").Is(t, http.StatusOK)
		if r, err := zip.NewReader(strings.NewReader(a.Text), int64(len(a.Text))); err != nil || len(r.File) < 30 {
			t.Fatalf("the file is %v, error %v", r, err)
		}
	}
	b.Post("/settings/data").Is(t, http.StatusTooManyRequests, "exports of your data")
}

func TestTokens(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Member(t, "ann", members.RoleMember)
	b := s.SignedIn(t, "ann")
	b.Post("/settings/tokens", "label", "").Is(t, http.StatusUnprocessableEntity, "1 to 100 letters")
	a := b.Post("/settings/tokens", "label", "plots", "admin", "yes").Is(t, http.StatusOK, "laurel_", "It will not be shown again", "plots")
	_, token, _ := strings.Cut(a.Text, `readonly value="`)
	token, _, _ = strings.Cut(token, `"`)
	m, err := members.ByToken(t.Context(), s.DB.DB, token)
	if err != nil || m.Name != "ann" {
		t.Fatal(m.Name, err)
	}
	if err := accounts.SetRole(t.Context(), s.DB.DB, m.ID, members.RoleAdmin); err != nil {
		t.Fatal(err)
	}
	if m, _ := members.ByToken(t.Context(), s.DB.DB, token); m.Role != members.RoleMember {
		t.Error("a token that a member made becomes an admin's")
	}
	if strings.Contains(b.Get("/settings/data").Text, token) {
		t.Error("a token is shown twice")
	}
	b.Post("/settings/tokens/x/revoke").Is(t, http.StatusNotFound)
	b.Post("/settings/tokens/99/revoke").Is(t, http.StatusNotFound)
	b.Post("/settings/tokens/1/revoke").LeadsTo(t, "/settings/data?done=revoked")
	if _, err := members.ByToken(t.Context(), s.DB.DB, token); err == nil {
		t.Error("a revoked token works")
	}
}

func TestLeave(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Member(t, "ada", members.RoleAdmin)
	s.Member(t, "ann", members.RoleMember)
	ada, ann := s.SignedIn(t, "ada"), s.SignedIn(t, "ann")
	ann.Post("/settings/leave", "current_password", "wrong horse").Is(t, http.StatusUnprocessableEntity, "not your password")
	ann.Post("/settings/leave", "current_password", "wrong horse", "confirm", "ann").Is(t, http.StatusUnprocessableEntity, "not your password")
	ann.Post("/settings/leave", "current_password", handlerstest.Password).Is(t, http.StatusUnprocessableEntity, "ype ann as it is written")
	ann.Post("/settings/leave", "current_password", handlerstest.Password, "confirm", "ada").Is(t, http.StatusUnprocessableEntity, "nothing was deleted")
	ann.Get("/settings").Is(t, http.StatusOK)
	ann.Post("/settings/leave", "current_password", handlerstest.Password, "confirm", "ann").LeadsTo(t, "/?done=left")
	ann.Get("/settings").LeadsTo(t, "/sign-in?next=%2Fsettings")
	s.Browser(t).Get("/u/ann").Is(t, http.StatusNotFound)
	ada.Post("/settings/leave", "current_password", handlerstest.Password, "confirm", "ada").Is(t, http.StatusUnprocessableEntity, "only admin")
}

func TestFollow(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Member(t, "ann", members.RoleMember)
	b := s.SignedIn(t, "ann")
	b.Get("/custom").Is(t, http.StatusOK, "Add a person without an account")
	b.Post("/custom", "name", "star", "time_zone", "UTC", "accounts.uva", "a b").Is(t, http.StatusUnprocessableEntity, "cannot be a handle on UVa", `value="star"`, `value="a b"`)
	b.Post("/custom", "name", "star", "display_name", "Star", "time_zone", "UTC", "accounts.uva", "star").LeadsTo(t, "/u/star?done=followed")
	b.Get("/following").Is(t, http.StatusOK, "Star", "UVa: star", `href="/custom/star"`)
	b.Get("/custom/star").Is(t, http.StatusOK, "Followed by ann")
	b.Get("/custom/ann").Is(t, http.StatusNotFound)
	b.Post("/custom/star", "display_name", "Star", "time_zone", "UTC", "accounts.codeforces", "?").Is(t, http.StatusUnprocessableEntity, "cannot be a handle on Codeforces")
	b.Post("/custom/star", "display_name", "Sol", "time_zone", "UTC", "accounts.codeforces", "sol").LeadsTo(t, "/custom/star?done=saved")
	b.Get("/following").Is(t, http.StatusOK, "Codeforces: sol, UVa: star")
	b.Post("/custom/star", "display_name", "Sol", "time_zone", "UTC", "accounts.codeforces", " ").
		Is(t, http.StatusUnprocessableEntity, "This was sol; to remove it, tick", `name="remove"`)
	b.Post("/u/star/accounts/uva/pause").LeadsTo(t, "/custom/star?done=paused")
	b.Post("/custom/star/delete").LeadsTo(t, "/following?done=unfollowed")
	b.Get("/custom/star").Is(t, http.StatusNotFound)
}

func TestAdmin(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Member(t, "ada", members.RoleAdmin)
	s.Member(t, "ann", members.RoleMember)
	ada, ann := s.SignedIn(t, "ada"), s.SignedIn(t, "ann")
	ada.Get("/admin/members?q=an").Is(t, http.StatusOK, `href="/admin/members/ann"`)
	ada.Get("/admin/members?q=%00%ff%25").Is(t, http.StatusOK)
	ada.Post("/admin/sign-up", "sign_up", "perhaps").Is(t, http.StatusUnprocessableEntity, "Choose who may sign up")
	ada.Post("/admin/members/ada/role", "role", "member").Is(t, http.StatusUnprocessableEntity, "only admin")
	ada.Post("/admin/members/ann/role", "role", "admin").LeadsTo(t, "/admin/members/ann?done=saved")
	ann.Get("/admin").Is(t, http.StatusOK) // At once, in the session that is open.
	ann.Post("/admin/members/ada/role", "role", "member").LeadsTo(t, "/admin/members/ada?done=saved")
	ada.Get("/admin").Is(t, http.StatusForbidden, "for admins", "ada")
	ann.Post("/admin/members/ada/delete", "confirm", "yes").Is(t, http.StatusUnprocessableEntity, "Type the name ada exactly")
	ann.Post("/admin/members/nobody/delete", "confirm", "nobody").Is(t, http.StatusNotFound)
	ann.Post("/admin/members/ada/delete", "confirm", "ada").LeadsTo(t, "/admin/members?done=deleted")
	ada.Get("/settings").LeadsTo(t, "/sign-in?next=%2Fsettings")
}

// There is no mail: an admin's link is the way out for who forgot the password.
func TestForgottenPassword(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Member(t, "ada", members.RoleAdmin)
	s.Member(t, "ann", members.RoleMember)
	ada, before := s.SignedIn(t, "ada"), s.SignedIn(t, "ann")
	link := newLink(t, ada.Post("/admin/members/ann/password"))
	ann := s.Browser(t)
	ann.Get(link).Is(t, http.StatusOK, "Choose a password for ann")
	ann.Post("/sign-up", "code", strings.TrimPrefix(link, "/sign-up?code="), "password", "short").Is(t, http.StatusUnprocessableEntity, "Choose a password for ann", "at least 8 characters")
	ann.Post("/sign-up", "code", strings.TrimPrefix(link, "/sign-up?code="), "password", handlerstest.Password+"2").LeadsTo(t, "/settings?done=welcome")
	ann.Get("/settings").Is(t, http.StatusOK)
	before.Get("/settings").LeadsTo(t, "/sign-in?next=%2Fsettings")
	ada.Get("/admin/invitations").Is(t, http.StatusOK, "ann, to choose a password", "by ann")
	other := newLink(t, ada.Post("/admin/members/ann/password"))
	_, id, _ := strings.Cut(ada.Get("/admin/invitations").Text, `action="/admin/invitations/`)
	id, _, _ = strings.Cut(id, "/")
	ada.Post("/admin/invitations/zz/revoke").Is(t, http.StatusNotFound)
	ada.Post("/admin/invitations/"+id+"/revoke").LeadsTo(t, "/admin/invitations?done=revoked")
	s.Browser(t).Get(other).Is(t, http.StatusOK, "was revoked")
}

// The address of a profile names the site and the handle.
func TestAddHandle(t *testing.T) {
	t.Parallel()
	s, _, bob := handlerstest.NewWithMembers(t)
	for i := range s.BuiltIn {
		home := "https://" + s.BuiltIn[i].Name + ".example/"
		s.BuiltIn[i].HandleIn = func(text string) string { return strings.TrimPrefix(text, home) }
	}
	for _, bad := range []string{"", "bob", "https://elsewhere.example/bob", "https://uva.example/b b"} {
		bob.Post("/settings/handles/add", "address", bad).Is(t, http.StatusUnprocessableEntity, "profile page of no site")
	}
	bob.Post("/settings/handles/add", "address", " https://uva.example/bob ").LeadsTo(t, "/u/bob?done=handles")
	bob.Get("/settings").Is(t, http.StatusOK, `value="bob"`)
	bob.Post("/settings/handles/add", "address", "https://uva.example/rob").Is(t, http.StatusUnprocessableEntity, "You are bob on UVa now")
}

// A member sees where they are signed in, and ends all but the session that asks.
func TestSessions(t *testing.T) {
	t.Parallel()
	s, _, bob := handlerstest.NewWithMembers(t)
	other := s.Browser(t)
	const agent = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36 Edg/130.0"
	other.Do("POST", "/sign-in", strings.NewReader("name=bob&password="+strings.ReplaceAll(handlerstest.Password, " ", "+")),
		"Content-Type", "application/x-www-form-urlencoded", "Sec-Fetch-Site", "same-origin", "User-Agent", agent).LeadsTo(t, "/u/bob")
	bob.Get("/settings/security").Is(t, http.StatusOK, "Edge on Windows", "this one", "Sign out everywhere else")
	bob.Post("/settings/sessions/end").LeadsTo(t, "/settings/security?done=signed-out-else")
	other.Get("/settings").LeadsTo(t, "/sign-in?next=%2Fsettings")
	if strings.Contains(bob.Get("/settings/security").Is(t, http.StatusOK, "this one").Text, "Edge") {
		t.Error("a session that was ended is listed")
	}
}
