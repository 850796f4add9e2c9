package community_test

import (
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
	s.Browser(t).Post("/report?member=cyd", "text", "x").Is(t, http.StatusUnauthorized)
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
