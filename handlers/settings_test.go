package handlers

import (
	"net/http"
	"strings"
	"testing"

	"laurel/models/accounts"
	"laurel/models/members"
)

func TestHandles(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	s.member(t, "ann", members.RoleMember)
	b := s.signedIn(t, "ann")
	b.get("/settings").is(t, http.StatusOK, "Codeforces", "3 to 24 letters", "UVa")
	b.post("/settings/handles", "accounts.codeforces", "a/../b", "accounts.uva", "x y").
		is(t, http.StatusUnprocessableEntity, "cannot be a handle on Codeforces", "cannot be a handle on UVa", `value="a/../b"`, `value="x y"`, `aria-describedby="handle-accounts.uva-error handle-accounts.uva-hint"`)
	b.post("/settings/handles", "accounts.codeforces", "ann_c", "accounts.uva", "ann").leads(t, "/u/ann?done=handles")
	b.get("/settings").is(t, http.StatusOK, `value="ann_c"`, "loading", `action="/u/ann/accounts/uva/pause"`)
	b.post("/u/ann/accounts/uva/pause").leads(t, "/settings?done=paused")
	b.get("/settings?done=paused").is(t, http.StatusOK, "Paused until you resume", `action="/u/ann/accounts/uva/resume"`)
	b.post("/u/ann/accounts/uva/resume").leads(t, "/settings?done=resumed")
	b.post("/u/ann/accounts/topcoder/pause").is(t, http.StatusNotFound)
	b.post("/settings/handles", "accounts.uva", "").leads(t, "/u/ann?done=handles")
	if as, err := members.AccountsOf(t.Context(), s.DB.DB, 1); err != nil || len(as) != 1 || as[0].Site != "codeforces" {
		t.Errorf("accounts %+v, error %v; want Codeforces alone, for the form did not name it", as, err)
	}
}

func TestPerson(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	s.member(t, "ann", members.RoleMember)
	b := s.signedIn(t, "ann")
	b.post("/settings/person", "display_name", "Ann", "time_zone", "Mars/Base").is(t, http.StatusUnprocessableEntity, "No time zone is named", `value="Mars/Base"`)
	b.post("/settings/person", "display_name", strings.Repeat("x", 201), "time_zone", "UTC").is(t, http.StatusUnprocessableEntity, "at most 200 bytes")
	b.post("/settings/person", "display_name", "Ann\x00\xff", "time_zone", "Asia/Kolkata").leads(t, "/settings?done=person")
	b.get("/settings").is(t, http.StatusOK, `value="Ann"`, `value="Asia/Kolkata"`)
}

func TestTokens(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	s.member(t, "ann", members.RoleMember)
	b := s.signedIn(t, "ann")
	b.post("/settings/tokens", "label", "").is(t, http.StatusUnprocessableEntity, "what the token is for")
	a := b.post("/settings/tokens", "label", "plots", "admin", "yes").is(t, http.StatusOK, "laurel_", "It will not be shown again", "plots")
	_, token, _ := strings.Cut(a.body, `readonly value="`)
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
	if strings.Contains(b.get("/settings").body, token) {
		t.Error("a token is shown twice")
	}
	b.post("/settings/tokens/x/revoke").is(t, http.StatusNotFound)
	b.post("/settings/tokens/99/revoke").is(t, http.StatusNotFound)
	b.post("/settings/tokens/1/revoke").leads(t, "/settings?done=revoked")
	if _, err := members.ByToken(t.Context(), s.DB.DB, token); err == nil {
		t.Error("a revoked token works")
	}
}

func TestLeave(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	s.member(t, "ada", members.RoleAdmin)
	s.member(t, "ann", members.RoleMember)
	ada, ann := s.signedIn(t, "ada"), s.signedIn(t, "ann")
	ann.post("/settings/leave", "current_password", "wrong horse").is(t, http.StatusUnprocessableEntity, "not your password")
	ann.post("/settings/leave", "current_password", good).leads(t, "/?done=left")
	ann.get("/settings").leads(t, "/sign-in?next=%2Fsettings")
	s.browser(t).get("/u/ann").is(t, http.StatusNotFound)
	ada.post("/settings/leave", "current_password", good).is(t, http.StatusUnprocessableEntity, "only admin")
}

func TestFollow(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	s.member(t, "ann", members.RoleMember)
	b := s.signedIn(t, "ann")
	b.get("/custom").is(t, http.StatusOK, "Nobody yet")
	b.post("/custom", "name", "star", "time_zone", "UTC", "accounts.uva", "a b").is(t, http.StatusUnprocessableEntity, "cannot be a handle on UVa", `value="star"`, `value="a b"`)
	b.post("/custom", "name", "star", "display_name", "Star", "time_zone", "UTC", "accounts.uva", "star").leads(t, "/u/star?done=followed")
	b.get("/custom").is(t, http.StatusOK, "Star", "UVa: star", `href="/custom/star"`)
	b.get("/custom/star").is(t, http.StatusOK, "Followed by ann")
	b.get("/custom/ann").is(t, http.StatusNotFound)
	b.post("/custom/star", "display_name", "Star", "time_zone", "UTC", "accounts.codeforces", "?").is(t, http.StatusUnprocessableEntity, "cannot be a handle on Codeforces")
	b.post("/custom/star", "display_name", "Sol", "time_zone", "UTC", "accounts.codeforces", "sol").leads(t, "/custom/star?done=saved")
	b.get("/custom").is(t, http.StatusOK, "Codeforces: sol, UVa: star")
	b.post("/u/star/accounts/uva/pause").leads(t, "/custom/star?done=paused")
	b.post("/custom/star/delete").leads(t, "/custom?done=unfollowed")
	b.get("/custom/star").is(t, http.StatusNotFound)
}

func TestAdmin(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	s.member(t, "ada", members.RoleAdmin)
	s.member(t, "ann", members.RoleMember)
	ada, ann := s.signedIn(t, "ada"), s.signedIn(t, "ann")
	ada.get("/admin?q=an").is(t, http.StatusOK, `href="/u/ann"`)
	ada.get("/admin?q=%00%ff%25").is(t, http.StatusOK)
	ada.post("/admin/sign-up", "sign_up", "perhaps").is(t, http.StatusUnprocessableEntity, "Choose who may sign up")
	ada.post("/admin/members/ada/role", "role", "member").is(t, http.StatusUnprocessableEntity, "only admin")
	ada.post("/admin/members/ann/role", "role", "admin").leads(t, "/admin?done=saved")
	ann.get("/admin").is(t, http.StatusOK) // At once, in the session that is open.
	ann.post("/admin/members/ada/role", "role", "member").leads(t, "/admin?done=saved")
	ada.get("/admin").is(t, http.StatusForbidden, "for admins", "ada")
	ann.post("/admin/members/ada/delete", "confirm", "yes").is(t, http.StatusUnprocessableEntity, "type the name ada exactly")
	ann.post("/admin/members/nobody/delete", "confirm", "nobody").is(t, http.StatusNotFound)
	ann.post("/admin/members/ada/delete", "confirm", "ada").leads(t, "/admin?done=deleted")
	ada.get("/settings").leads(t, "/sign-in?next=%2Fsettings")
}

// There is no mail: an admin's link is the way out for who forgot the password.
func TestForgottenPassword(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	s.member(t, "ada", members.RoleAdmin)
	s.member(t, "ann", members.RoleMember)
	ada, before := s.signedIn(t, "ada"), s.signedIn(t, "ann")
	link := newLink(t, ada.post("/admin/members/ann/password"))
	ann := s.browser(t)
	ann.get(link).is(t, http.StatusOK, "Choose a password for ann")
	ann.post("/sign-up", "code", strings.TrimPrefix(link, "/sign-up?code="), "password", "short").is(t, http.StatusUnprocessableEntity, "Choose a password for ann", "at least 8 characters")
	ann.post("/sign-up", "code", strings.TrimPrefix(link, "/sign-up?code="), "password", good+"2").leads(t, "/settings?done=welcome")
	ann.get("/settings").is(t, http.StatusOK)
	before.get("/settings").leads(t, "/sign-in?next=%2Fsettings")
	ada.get("/admin").is(t, http.StatusOK, "ann, to choose a password", "by ann")
	other := newLink(t, ada.post("/admin/members/ann/password"))
	_, id, _ := strings.Cut(ada.get("/admin").body, "/admin/invitations/")
	id, _, _ = strings.Cut(id, "/")
	ada.post("/admin/invitations/zz/revoke").is(t, http.StatusNotFound)
	ada.post("/admin/invitations/"+id+"/revoke").leads(t, "/admin?done=revoked")
	s.browser(t).get(other).is(t, http.StatusOK, "was revoked")
}
