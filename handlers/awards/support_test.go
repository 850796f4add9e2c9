package awards_test

import (
	"net/http"
	"strings"
	"testing"

	"laurel/handlers/handlerstest"
	"laurel/models/members"
)

// Support finds out why, also of a member who lets nobody see them, and grants and revokes with a note, under its own name.
func TestSupport(t *testing.T) {
	t.Parallel()
	s := handlerstest.NewAwardSite(t)
	agent := s.Member(t, "sue", members.RoleSupport)
	s.Member(t, "ann", members.RoleMember)
	ada := s.Member(t, "ada", members.RoleMember)
	if err := s.DB.DB.Exec(`UPDATE members SET seen_by = 'self' WHERE id = ?`, ada.ID).Error; err != nil {
		t.Fatal(err)
	}
	s.Activate(t, "explorer", seedAward(seedStrategy))
	sue, ann := s.SignedIn(t, "sue"), s.SignedIn(t, "ann")
	sue.Get("/admin/support").Is(t, http.StatusOK, "Awards of a member")
	if a := sue.Get("/awards").Is(t, http.StatusOK); !strings.Contains(a.Text, "href=/admin/support") {
		t.Error("the menu does not lead to it")
	}
	sue.Get("/admin/support?member=nobody").Is(t, http.StatusUnprocessableEntity, "No member is named nobody.")
	if a := sue.Get("/admin/support?member=ADA").Is(t, http.StatusSeeOther); a.Header.Get("Location") != "/u/ada/awards" {
		t.Errorf("leads to %s", a.Header.Get("Location"))
	}
	ann.Get("/u/ada/awards").Is(t, http.StatusNotFound)
	if a := sue.Get("/u/ada/awards").Is(t, http.StatusOK, "/admin/awards/explorer/members/ada", "Ban from awards"); strings.Contains(a.Text, "ban-note") {
		t.Error("support can ban")
	}
	page := "/admin/awards/explorer/members/ada"
	if a := sue.Get(page).Is(t, http.StatusOK, "Reason (required)"); strings.Contains(a.Text, "recompute") {
		t.Error("support can have it evaluated")
	}
	sue.Post(page+"/by-hand", "what", "grant").Is(t, http.StatusUnprocessableEntity)
	sue.Post(page+"/by-hand", "what", "grant", "note", "the photos were hidden by mistake").Is(t, http.StatusSeeOther)
	s.Program(t, agent).Call("POST", "/admin/members/ada/awards/explorer/revoke", `{"note":"given to the wrong one"}`).Is(t, http.StatusOK)
	sue.Get(page).Is(t, http.StatusOK, "the photos were hidden by mistake", "given to the wrong one", ">sue<")
	if a := sue.Get("/admin/events").Is(t, http.StatusOK, "Failed events"); strings.Contains(a.Text, `action="/admin/events`) {
		t.Error("support can change sources")
	}
	sue.Get("/admin/awards/explorer").Is(t, http.StatusForbidden, "This is for admins")
	ann.Get(page).Is(t, http.StatusForbidden, "This is for support and admins")
}

// An admin decides who is support, on the page and by the API; nobody else does.
func TestWhoIsSupport(t *testing.T) {
	t.Parallel()
	s := handlerstest.NewAwardSite(t)
	bob := s.Member(t, "bob", members.RoleMember)
	s.Member(t, "ann", members.RoleAdmin)
	role := func() string {
		m, err := members.ByName(t.Context(), s.DB.DB, "bob")
		if err != nil {
			t.Fatal(err)
		}
		return m.Role
	}
	ann := s.SignedIn(t, "ann")
	ann.Get("/admin/members/bob").Is(t, http.StatusOK, "Make support")
	ann.Post("/admin/members/bob/role", "role", "support").Is(t, http.StatusSeeOther)
	if role() != members.RoleSupport {
		t.Errorf("bob is %s", role())
	}
	ann.Get("/admin/members/bob").Is(t, http.StatusOK, "Remove support rights")
	bob.Role = members.RoleSupport
	own := s.Program(t, bob)
	own.Call("PATCH", "/members/bob", `{"role":"admin"}`).Is(t, http.StatusForbidden, "Only admins decide")
	s.Boss.Call("PATCH", "/members/bob", `{"role":"king"}`).Is(t, http.StatusUnprocessableEntity, "member, support or admin")
	s.Boss.Call("PATCH", "/members/bob", `{"role":"member"}`).Is(t, http.StatusOK)
	if role() != members.RoleMember {
		t.Errorf("bob is %s", role())
	}
	own.Call("GET", "/admin/sources", "").Is(t, http.StatusForbidden)
}
