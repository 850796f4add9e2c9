package admin_test

import (
	"net/http"
	"strings"
	"testing"

	"laurel/handlers/handlerstest"
	"laurel/models/members"
)

// What an admin does with a member, and what becomes of it for the member.
func TestMembers(t *testing.T) {
	t.Parallel()
	s, ann, bob := handlerstest.NewWithMembers(t)
	second := s.SignedIn(t, "bob")
	bob.Get("/admin/members").Is(t, http.StatusForbidden)
	ann.Get("/admin/members?q=bo").Is(t, http.StatusOK, `href="/admin/members/bob"`)
	ann.Get("/admin/members?state=suspended").Is(t, http.StatusOK, "No members found")
	ann.Get("/admin/members/nobody").Is(t, http.StatusNotFound)
	ann.Get("/admin/members/bob").Is(t, http.StatusOK, "Signed in on 2 devices", `name="accounts.uva"`)

	ann.Post("/admin/members/bob", "display_name", "Robert", "time_zone", "Nowhere", "accounts.uva", "b b").
		Is(t, http.StatusUnprocessableEntity, "No time zone has this name", `value="b b"`)
	ann.Post("/admin/members/bob", "display_name", "Robert", "time_zone", "Europe/Riga", "accounts.uva", "robert").
		LeadsTo(t, "/admin/members/bob?done=saved")
	bob.Get("/settings").Is(t, http.StatusOK, `value="robert"`)
	bob.Get("/settings/profile").Is(t, http.StatusOK, `value="Robert"`, `value="Europe/Riga"`)

	ann.Post("/admin/members/bob", "display_name", "Robert", "time_zone", "Europe/Riga", "accounts.uva", "").
		Is(t, http.StatusUnprocessableEntity, "This was robert; to remove it, tick", `name="remove"`)
	ann.Post("/admin/members/bob/sign-out").LeadsTo(t, "/admin/members/bob?done=signed-out")
	bob.Get("/settings").LeadsTo(t, "/sign-in?next=%2Fsettings")
	second.Get("/settings").LeadsTo(t, "/sign-in?next=%2Fsettings")

	bob = s.SignedIn(t, "bob")
	ann.Post("/admin/members/bob/suspend", "what", "suspend").Is(t, http.StatusUnprocessableEntity, "Give a reason")
	ann.Post("/admin/members/bob/suspend", "what", "suspend", "note", "spam <b>").LeadsTo(t, "/admin/members/bob?done=suspended")
	bob.Get("/settings").LeadsTo(t, "/sign-in?next=%2Fsettings")
	bob.Post("/sign-in", "name", "bob", "password", handlerstest.Password).Is(t, http.StatusUnprocessableEntity, "This account is suspended")
	bob.Post("/sign-in", "name", "bob", "password", "wrong").Is(t, http.StatusUnprocessableEntity, "Wrong name or password")
	s.Browser(t).Get("/u/bob").Is(t, http.StatusNotFound)
	ann.Get("/u/bob").Is(t, http.StatusOK)
	ann.Get("/admin/members?state=suspended").Is(t, http.StatusOK, "Robert")
	ann.Get("/admin/members/bob").Is(t, http.StatusOK, "suspended by ann", "spam &lt;b&gt;", "Lift the suspension")
	ann.Post("/admin/members/bob/suspend", "what", "lift", "note", "sorry").LeadsTo(t, "/admin/members/bob?done=lifted")
	s.Browser(t).Get("/u/bob").Is(t, http.StatusOK)

	ann.Post("/admin/members/bob/password").Is(t, http.StatusOK, "http://laurel.test/sign-up?code=", `data-copy="new-link"`, "Send this link to bob")
	ann.Post("/admin/members/ann/role", "role", "member").Is(t, http.StatusUnprocessableEntity, "This is the only admin")
	ann.Post("/admin/members/bob/delete", "confirm", "Bob").Is(t, http.StatusUnprocessableEntity, "Type the name bob exactly")
	ann.Post("/admin/members/bob/delete", "confirm", "bob").LeadsTo(t, "/admin/members?done=deleted")
	ann.Get("/admin/members/bob").Is(t, http.StatusNotFound)
}

// The file that is exported is one that can be imported.
func TestExport(t *testing.T) {
	t.Parallel()
	s, ann, bob := handlerstest.NewWithMembers(t)
	bob.Get("/admin/members.csv").Is(t, http.StatusForbidden)
	file := "name,display_name,time_zone,custom,uva\nfox,=Fox,Asia/Kolkata,,fox_uva\nguest,Guest,UTC,yes,guest_uva\n"
	ann.Post("/admin/import", "text", file).Is(t, http.StatusOK, "2 members added")
	out := ann.Get("/admin/members.csv").Is(t, http.StatusOK, "name,display_name,time_zone,custom,codeforces,uva\n",
		"ann,ann,UTC,,,\n", "fox,'=Fox,Asia/Kolkata,,,fox_uva\n", "guest,Guest,UTC,yes,,guest_uva\n")
	ann.Post("/admin/import", "text", out.Text).Is(t, http.StatusOK, "0 members added, 4 known already; 0 handles added, 0 changed")
	_ = s
}

// Links say for whom they are, in the list and once in the page.
func TestInvitations(t *testing.T) {
	t.Parallel()
	_, ann, _ := handlerstest.NewWithMembers(t)
	ann.Post("/admin/invitations", "guest", strings.Repeat("x", 101)).Is(t, http.StatusUnprocessableEntity, "Use at most 100 letters")
	ann.Post("/admin/invitations", "guest", "Grace <i>").Is(t, http.StatusOK, "Send this link to Grace &lt;i&gt;", "/sign-up?code=")
	if page := ann.Get("/admin/invitations").Is(t, http.StatusOK, "Grace &lt;i&gt;", "Revoke"); strings.Contains(page.Text, "sign-up?code=") {
		t.Error("the link is shown twice")
	}
}

// The first page ticks what is true. Support has a menu of its own pages.
func TestOverview(t *testing.T) {
	t.Parallel()
	s, ann, bob := handlerstest.NewWithMembers(t)
	bob.Get("/admin").Is(t, http.StatusForbidden)
	ann.Get("/admin").Is(t, http.StatusOK, "1 of 7 done", "Done: </span>Invite members", `href="/admin/community">Name the community`, "No alarms", "Accounts to check")
	ann.Post("/admin/community", "name", "Sample College").LeadsTo(t, "/admin/community?done=saved")
	ann.Get("/admin").Is(t, http.StatusOK, "2 of 7 done", "Done: </span>Name the community")
	s.Member(t, "sue", members.RoleSupport)
	sue := s.SignedIn(t, "sue")
	sue.Get("/admin").Is(t, http.StatusForbidden)
	page := sue.Get("/admin/events").Is(t, http.StatusOK, `<a href="/admin/support">By member</a>`, `<a href="/admin/events" aria-current="page">Events</a>`)
	if strings.Contains(page.Text, `href="/admin/members"`) {
		t.Error("support is led to pages of admins")
	}
	if strings.Contains(bob.Get("/sites").Is(t, http.StatusOK).Text, `aria-label="Admin"`) {
		t.Error("a member sees the admins' menu")
	}
}
