package community_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"laurel/handlers/handlerstest"
	"laurel/models/members"
)

// A report reaches the admins, who resolve it with a note. Whom it is about sees nothing.
func TestReports(t *testing.T) {
	t.Parallel()
	s, ann, bob := handlerstest.NewWithMembers(t)
	s.Member(t, "cyd", members.RoleMember)
	s.Member(t, "ghost", members.RoleMember)
	if err := s.DB.Exec(`UPDATE members SET seen_by = 'self' WHERE name = 'ghost'`).Error; err != nil {
		t.Fatal(err)
	}
	bob.Get("/u/cyd").Is(t, http.StatusOK, `href="/report?member=cyd"`)
	bob.Get("/report?member=cyd").Is(t, http.StatusOK, "the profile of cyd")
	bob.Post("/report?member=cyd", "text", "").Is(t, http.StatusUnprocessableEntity, "rite a reason")
	bob.Post("/report?member=cyd", "text", "insults people").LeadsTo(t, "/u/cyd?done=reported")
	bob.Post("/report?member=cyd", "text", "insults <b>everybody</b>").LeadsTo(t, "/u/cyd?done=reported")
	bob.Post("/report?member=bob", "text", "me").Is(t, http.StatusUnprocessableEntity, "his is your own profile")
	for _, path := range []string{"/report", "/report?member=ghost", "/report?member=nobody", "/report?message=999", "/report?message=x"} {
		bob.Get(path).Is(t, http.StatusNotFound)
		bob.Post(path, "text", "x").Is(t, http.StatusNotFound)
	}
	bob.Get("/admin/reports").Is(t, http.StatusForbidden)
	page := ann.Get("/admin/reports").Is(t, http.StatusOK, "insults &lt;b&gt;everybody", `href="/u/cyd"`, "bob ·")
	if strings.Contains(page.Text, "insults people") || strings.Contains(page.Text, "<h2>Resolved") {
		t.Errorf("reporting again is another report:\n%s", page.Text)
	}
	resolve := regexp.MustCompile(`/admin/reports/[0-9]+/resolve`).FindString(page.Text)
	ann.Post(resolve, "note", "").Is(t, http.StatusUnprocessableEntity, "rite a reason")
	ann.Post(resolve, "note", "talked to them").LeadsTo(t, "/admin/reports?done=resolved")
	ann.Post(resolve, "note", "again").Is(t, http.StatusNotFound)
	ann.Get("/admin/reports").Is(t, http.StatusOK, "No reports wait", "talked to them", "ann,")
	bob.Post("/report?member=cyd", "text", "once more").LeadsTo(t, "/u/cyd?done=reported") // A new one.
	for range 7 {
		bob.Post("/report?member=cyd", "text", "x")
	}
	bob.Post("/report?member=cyd", "text", "x").Is(t, http.StatusTooManyRequests)
	if cyd := s.SignedIn(t, "cyd").Get("/notices").Text; strings.Contains(cyd, "eport") {
		t.Error("who is reported is told")
	}
}

// A visitor reports what they see, a few times a day; their reports are a list of their own.
func TestReportsOfVisitors(t *testing.T) {
	t.Parallel()
	s, ann, bob := handlerstest.NewWithMembers(t)
	s.Member(t, "inside", members.RoleMember)
	if err := s.DB.Exec(`UPDATE members SET seen_by = 'members' WHERE name = 'inside'`).Error; err != nil {
		t.Fatal(err)
	}
	visitor := s.Browser(t)
	visitor.Get("/u/bob").Is(t, http.StatusOK, `href="/report?member=bob"`)
	visitor.Get("/report?member=bob").Is(t, http.StatusOK, "the profile of bob", "You are not signed in")
	visitor.Get("/report?member=inside").Is(t, http.StatusNotFound)
	visitor.Post("/report?member=inside", "text", "x").Is(t, http.StatusNotFound)
	visitor.Post("/report?member=bob", "text", "").Is(t, http.StatusUnprocessableEntity, "rite a reason")
	for _, text := range []string{"first", "again", "this is not bob"} {
		visitor.Post("/report?member=bob", "text", text).LeadsTo(t, "/u/bob?done=reported")
	}
	bob.Post("/report?member=ann", "text", "of a member").LeadsTo(t, "/u/ann?done=reported")
	if page := ann.Get("/admin/reports").Is(t, http.StatusOK, "of a member", "From visitors (1)"); strings.Contains(page.Text, "this is not bob") {
		t.Error("reports of visitors stand among those of members")
	}
	page := ann.Get("/admin/reports?from=visitors").Is(t, http.StatusOK, "this is not bob", "a visitor ·", `href="/u/bob"`)
	if strings.Contains(page.Text, "of a member") || strings.Contains(page.Text, "again") {
		t.Errorf("the visitors' list has others, or a report twice:\n%s", page.Text)
	}
	resolve := regexp.MustCompile(`/admin/reports/[0-9]+/resolve[^"]*`).FindString(page.Text)
	ann.Post(resolve, "note", "asked bob").LeadsTo(t, "/admin/reports?done=resolved&from=visitors")
	var kept int
	if err := s.DB.Raw(`SELECT count(*) FROM reports WHERE visitor <> ''`).Scan(&kept).Error; err != nil || kept > 0 {
		t.Errorf("%d addresses are kept of what is resolved; %v", kept, err)
	}
	for range 2 {
		visitor.Post("/report?member=ann", "text", "x").LeadsTo(t, "/u/ann?done=reported")
	}
	visitor.Post("/report?member=ann", "text", "x").Is(t, http.StatusTooManyRequests)
	bob.Post("/report?member=ann", "text", "of a member from the same address").LeadsTo(t, "/u/ann?done=reported")
}

// Programs report with a token, and admins read and resolve.
func TestReportsByTheAPI(t *testing.T) {
	t.Parallel()
	s, admin := handlerstest.NewWithAdmin(t)
	cyd, ghost := s.Member(t, "cyd", members.RoleMember), s.Member(t, "ghost", members.RoleMember)
	if err := members.SetVisibility(t.Context(), s.DB.DB, ghost.ID, members.SeenBySelf, false); err != nil {
		t.Fatal(err)
	}
	p := s.Program(t, s.Member(t, "bob", members.RoleMember))
	for body, field := range map[string]string{`{"text":"x"}`: "member", `{"member":"cyd","message":1,"text":"x"}`: "member", `{"member":"cyd"}`: "text"} {
		p.Call("POST", "/reports", body).Refused(t, http.StatusUnprocessableEntity, field)
	}
	p.Call("POST", "/reports", `{"member":"ghost","text":"x"}`).Is(t, http.StatusNotFound)
	p.Call("POST", "/reports", `{"message":99,"text":"x"}`).Is(t, http.StatusNotFound)
	p.Call("POST", "/reports", `{"member":"cyd","text":"insults people"}`).Is(t, http.StatusNoContent)
	admin.Call("POST", "/reports", `{"member":"cyd","text":"me, too"}`).Is(t, http.StatusNoContent)
	p.Call("GET", "/admin/reports", "").Is(t, http.StatusForbidden)
	type report struct {
		ID         int64  `json:"id"`
		Member     string `json:"member"`
		By, Text   string
		ResolvedAt *string `json:"resolved_at"`
		Note       string
	}
	list := handlerstest.All[report](t, admin, "/admin/reports", "1")
	if len(list) != 2 || list[0].Text != "me, too" || list[1].By != "bob" || list[1].Member != cyd.Name {
		t.Fatalf("the waiting ones: %+v", list)
	}
	path := fmt.Sprintf("/admin/reports/%d/resolve", list[1].ID)
	admin.Call("POST", path, `{"note":""}`).Refused(t, http.StatusUnprocessableEntity, "note")
	admin.Call("POST", path, `{"note":"talked to them"}`).Is(t, http.StatusNoContent)
	admin.Call("POST", path, `{"note":"again"}`).Is(t, http.StatusNotFound)
	if done := handlerstest.All[report](t, admin, "/admin/reports?state=resolved", "9"); len(done) != 1 || done[0].Note != "talked to them" || done[0].ResolvedAt == nil {
		t.Errorf("the resolved ones: %+v", done)
	}
	if none := handlerstest.All[report](t, admin, "/admin/reports?from=visitors", "9"); len(none) != 0 {
		t.Errorf("of visitors: %+v", none)
	}
	admin.Call("GET", "/admin/reports?state=x", "").Refused(t, http.StatusUnprocessableEntity, "state")
	admin.Call("GET", "/admin/reports?cursor=x", "").Refused(t, http.StatusUnprocessableEntity, "cursor")
}
