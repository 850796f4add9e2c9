package sites_test

import (
	"strings"
	"testing"
	"time"

	"laurel/handlers/handlerstest"
	handlers "laurel/handlers/sites"
	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/retrieval"
)

// looksAtCanary ends a check of the canary that is due.
func looksAtCanary(t *testing.T, s *handlerstest.Site, on string, rows ...retrieval.KnownRow) {
	t.Helper()
	due, err := retrieval.ClaimCanary(t.Context(), s.DB.DB, on, pg.Lease{ID: "test", For: time.Minute}, s.Time)
	if err != nil || len(due) != 1 {
		t.Fatal(due, err)
	}
	res := retrieval.Result{Outcome: pg.OutcomeOK, Requests: 1}
	if err := retrieval.FinishCanary(t.Context(), s.DB.DB, &due[0], retrieval.CanaryRead{Result: res, List: retrieval.CanaryList{Rows: rows}}, 1, s.Time); err != nil {
		t.Fatal(err)
	}
}

// An admin declares a canary and removes it; everybody sees how it does, and only
// admins whose history it is.
func TestCanariesPage(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Member(t, "boss", members.RoleAdmin)
	s.Member(t, "ada", members.RoleMember)
	b, visitor := s.SignedIn(t, "boss"), s.Browser(t)
	if page := visitor.Get("/sites").Is(t, 200); strings.Contains(page.Text, "Test handles") {
		t.Error("a list of canaries where there are none")
	}
	s.SignedIn(t, "ada").Post("/admin/canaries", "site", "codeforces", "handle", "tourist", "least", "2").Is(t, 403)
	b.Post("/admin/canaries", "site", "nowhere", "handle", "tourist", "least", "2").Is(t, 422, "No site is named")
	b.Post("/admin/canaries", "site", "codeforces", "handle", "no handle!", "least", "2").Is(t, 422, "This cannot be a handle on Codeforces: want 3 to 24", `value="no handle!"`)
	b.Post("/admin/canaries", "site", "codeforces", "handle", "tourist", "least", "many").Is(t, 422, "Say how many submissions", `value="tourist"`)
	b.Post("/admin/canaries", "site", "codeforces", "handle", "tourist", "least", "2").LeadsTo(t, "/sites?done=canary")
	b.Get("/sites").Is(t, 200, "not checked yet", "tourist")
	visitor.Get("/sites").Is(t, 200, "Test handles", "not checked yet")
	row := retrieval.KnownRow{ID: "1", At: s.Time.AddDate(-1, 0, 0), Status: "AC"}
	looksAtCanary(t, s, "codeforces", row, retrieval.KnownRow{ID: "2", At: s.Time, Status: "AC"})
	visitor.Get("/sites").Is(t, 200, "as expected")
	s.Time = s.Time.AddDate(0, 0, 1)
	looksAtCanary(t, s, "codeforces", row)
	b.Get("/sites").Is(t, 200, "not as expected: 1 of at least 2 submissions", "<q>tourist</q>")
	page := visitor.Get("/sites").Is(t, 200, "not as expected", "a known history is not what it was")
	if strings.Contains(page.Text, "tourist") {
		t.Error("a visitor reads whose history it is")
	}
	s.SignedIn(t, "ada").Post("/admin/sites/codeforces/canaries/remove", "handle", "tourist").Is(t, 403)
	b.Post("/admin/sites/codeforces/canaries/remove", "handle", "nobody").Is(t, 404)
	b.Post("/admin/sites/codeforces/canaries/remove", "handle", "tourist").LeadsTo(t, "/sites?done=no-canary")
	if page := visitor.Get("/sites").Is(t, 200, "Alarms"); strings.Contains(page.Text, "Test handles") {
		t.Error("it is still there")
	}
}

func TestCanariesAPI(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	boss, ada := s.Member(t, "boss", members.RoleAdmin), s.Member(t, "ada", members.RoleMember)
	p, other := s.Program(t, boss), s.Program(t, ada)
	other.Call("PUT", "/sites/codeforces/canaries/tourist", `{"least":2}`).Refused(t, 403, "")
	other.Call("DELETE", "/sites/codeforces/canaries/tourist", "").Refused(t, 403, "")
	p.Call("PUT", "/sites/nowhere/canaries/tourist", `{"least":2}`).Refused(t, 404, "")
	p.Call("PUT", "/sites/codeforces/canaries/t", `{"least":2}`).Refused(t, 422, "handle")
	p.Call("PUT", "/sites/codeforces/canaries/tourist", `{}`).Refused(t, 422, "least")
	p.Call("PUT", "/sites/codeforces/canaries/tourist", `{"least":"2"}`).Refused(t, 422, "least")
	p.Call("PUT", "/sites/codeforces/canaries/tourist", `{"least":2,"most":3}`).Refused(t, 422, "most")
	if c := handlerstest.Read[handlers.APICanary](t, p.Call("PUT", "/sites/codeforces/canaries/tourist", `{"least":2}`), 200); c.Handle != "tourist" || c.Least != 2 || c.CheckedAt != nil || c.AsKnown != nil || c.NextDueAt == nil {
		t.Errorf("%+v", c)
	}
	looksAtCanary(t, s, "codeforces")
	canaries := func(p handlerstest.Program) []handlers.APICanary {
		t.Helper()
		for _, x := range handlerstest.Read[web.List[handlers.APISite]](t, p.Call("GET", "/sites", ""), 200).Items {
			if x.Site == "codeforces" {
				return x.Canaries
			}
		}
		return nil
	}
	if all := canaries(p); len(all) != 1 || all[0].Handle != "tourist" || all[0].AsKnown == nil || *all[0].AsKnown || !strings.HasPrefix(all[0].Message, "0 of at least 2 submissions") {
		t.Errorf("admins read %+v", all)
	}
	if all := canaries(other); len(all) != 1 || all[0].Handle != "" || all[0].Message != "" || all[0].Least != 0 || all[0].CheckedAt == nil || all[0].AsKnown == nil || *all[0].AsKnown {
		t.Errorf("members read %+v", all)
	}
	p.Call("DELETE", "/sites/codeforces/canaries/nobody", "").Refused(t, 404, "")
	if got := p.Call("DELETE", "/sites/codeforces/canaries/tour%69st", ""); got.StatusCode != 204 {
		t.Errorf("removed with %d", got.StatusCode)
	}
	if all := canaries(p); len(all) != 0 {
		t.Errorf("still there: %+v", all)
	}
}
