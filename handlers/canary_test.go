package handlers

import (
	"strings"
	"testing"
	"time"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/retrieval"
)

// looksAtCanary ends a look at the canary that is due.
func looksAtCanary(t *testing.T, s *site, on string, rows ...retrieval.KnownRow) {
	t.Helper()
	due, err := retrieval.ClaimCanary(t.Context(), s.DB.DB, on, pg.Lease{ID: "test", For: time.Minute}, s.now)
	if err != nil || len(due) != 1 {
		t.Fatal(due, err)
	}
	res := retrieval.Result{Outcome: pg.OutcomeOK, Requests: 1}
	if err := retrieval.FinishCanary(t.Context(), s.DB.DB, &due[0], res, retrieval.CanaryList{Rows: rows}, 1, s.now); err != nil {
		t.Fatal(err)
	}
}

// An admin declares a canary and removes it; everybody sees how it does, and only
// admins whose history it is.
func TestCanariesPage(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	s.member(t, "boss", members.RoleAdmin)
	s.member(t, "ada", members.RoleMember)
	b, visitor := s.signedIn(t, "boss"), s.browser(t)
	if page := visitor.get("/sites").is(t, 200); strings.Contains(page.body, "Test handles") {
		t.Error("a list of canaries where there are none")
	}
	s.signedIn(t, "ada").post("/admin/canaries", "site", "codeforces", "handle", "tourist", "least", "2").is(t, 403)
	b.post("/admin/canaries", "site", "nowhere", "handle", "tourist", "least", "2").is(t, 422, "No site is named")
	b.post("/admin/canaries", "site", "codeforces", "handle", "no handle!", "least", "2").is(t, 422, "This cannot be a handle on Codeforces: want 3 to 24", `value="no handle!"`)
	b.post("/admin/canaries", "site", "codeforces", "handle", "tourist", "least", "many").is(t, 422, "Say how many submissions", `value="tourist"`)
	b.post("/admin/canaries", "site", "codeforces", "handle", "tourist", "least", "2").leads(t, "/sites?done=canary")
	b.get("/sites").is(t, 200, "not checked yet", "tourist")
	visitor.get("/sites").is(t, 200, "Test handles", "not checked yet")
	row := retrieval.KnownRow{ID: "1", At: s.now.AddDate(-1, 0, 0), Status: "AC"}
	looksAtCanary(t, s, "codeforces", row, retrieval.KnownRow{ID: "2", At: s.now, Status: "AC"})
	visitor.get("/sites").is(t, 200, "as expected")
	s.now = s.now.AddDate(0, 0, 1)
	looksAtCanary(t, s, "codeforces", row)
	b.get("/sites").is(t, 200, "not as expected: 1 of at least 2 submissions", "<q>tourist</q>")
	page := visitor.get("/sites").is(t, 200, "not as expected", "a known history is not what it was")
	if strings.Contains(page.body, "tourist") {
		t.Error("a visitor reads whose history it is")
	}
	s.signedIn(t, "ada").post("/admin/sites/codeforces/canaries/remove", "handle", "tourist").is(t, 403)
	b.post("/admin/sites/codeforces/canaries/remove", "handle", "nobody").is(t, 404)
	b.post("/admin/sites/codeforces/canaries/remove", "handle", "tourist").leads(t, "/sites?done=no-canary")
	if page := visitor.get("/sites").is(t, 200, "Alarms"); strings.Contains(page.body, "Test handles") {
		t.Error("it is still there")
	}
}

func TestCanariesAPI(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	boss, ada := s.member(t, "boss", members.RoleAdmin), s.member(t, "ada", members.RoleMember)
	p, other := s.program(t, boss), s.program(t, ada)
	other.call("PUT", "/sites/codeforces/canaries/tourist", `{"least":2}`).refused(t, 403, "")
	other.call("DELETE", "/sites/codeforces/canaries/tourist", "").refused(t, 403, "")
	p.call("PUT", "/sites/nowhere/canaries/tourist", `{"least":2}`).refused(t, 404, "")
	p.call("PUT", "/sites/codeforces/canaries/t", `{"least":2}`).refused(t, 422, "handle")
	p.call("PUT", "/sites/codeforces/canaries/tourist", `{}`).refused(t, 422, "least")
	p.call("PUT", "/sites/codeforces/canaries/tourist", `{"least":"2"}`).refused(t, 422, "least")
	p.call("PUT", "/sites/codeforces/canaries/tourist", `{"least":2,"most":3}`).refused(t, 422, "most")
	if c := read[apiCanary](t, p.call("PUT", "/sites/codeforces/canaries/tourist", `{"least":2}`), 200); c.Handle != "tourist" || c.Least != 2 || c.CheckedAt != nil || c.AsKnown != nil || c.NextDueAt == nil {
		t.Errorf("%+v", c)
	}
	looksAtCanary(t, s, "codeforces")
	canaries := func(p program) []apiCanary {
		t.Helper()
		for _, x := range read[List[apiSite]](t, p.call("GET", "/sites", ""), 200).Items {
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
	p.call("DELETE", "/sites/codeforces/canaries/nobody", "").refused(t, 404, "")
	if got := p.call("DELETE", "/sites/codeforces/canaries/tour%69st", ""); got.StatusCode != 204 {
		t.Errorf("removed with %d", got.StatusCode)
	}
	if all := canaries(p); len(all) != 0 {
		t.Errorf("still there: %+v", all)
	}
}
