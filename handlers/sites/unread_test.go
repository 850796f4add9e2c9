package sites_test

import (
	"strings"
	"testing"
	"time"

	"laurel/handlers/handlerstest"
	"laurel/models/accounts"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

// Rows that could not be read are shown to admins, with their text as it is, and counted for
// everybody.
func TestUnreadRowsAreShown(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Member(t, "boss", members.RoleAdmin)
	ada := s.Member(t, "ada", members.RoleMember)
	if err := accounts.SetHandles(t.Context(), s.DB.DB, s.BuiltIn, ada.ID, map[string]string{"uva": "ada_l"}, s.Time); err != nil {
		t.Fatal(err)
	}
	due := modelstest.Take(t, s.DB.DB, ada, "uva", s.Time)
	page := retrieval.Page{Next: 2, Lease: time.Minute, Unread: []retrieval.Unread{
		{Key: "77", Text: "<td><script>alert(1)</script>", Why: "no <time>", Since: new(s.Time.AddDate(0, -1, 0))}, {Key: "#0a", Text: "<td>", Why: "without a number"}}}
	if _, err := retrieval.StorePage(t.Context(), s.DB.DB, &due.Account, page, s.Time); err != nil {
		t.Fatal(err)
	}
	res := retrieval.Result{Outcome: "ok", Requests: 1}
	if err := retrieval.Finish(t.Context(), s.DB.DB, due, res, retrieval.Rule{Rate: 1, Overlap: time.Hour}, s.Time); err != nil {
		t.Fatal(err)
	}
	boss := s.SignedIn(t, "boss").Get("/sites").Is(t, 200, ": 2 rows", "ada_l", "submission 77", "no &lt;time&gt;",
		"&lt;td&gt;&lt;script&gt;alert(1)&lt;/script&gt;", "without a number")
	if strings.Contains(boss.Text, "<script>alert") {
		t.Error("the text of a row is part of the page")
	}
	if page := s.SignedIn(t, "ada").Get("/sites").Is(t, 200); strings.Contains(page.Text, "without a number") {
		t.Error("members see rows of others")
	}
	s.SignedIn(t, "ada").Get("/u/ada").Is(t, 200, "2 submissions could not be read; the admin sees them")
	s.Browser(t).Get("/api/v1/members/ada").Is(t, 200, `"unread":2`, `"complete_until":null`)
}
