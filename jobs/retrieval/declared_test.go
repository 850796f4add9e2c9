package retrieval_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel/jobs/jobstest"
	"laurel/jobs/sites"
	"laurel/jobs/standin"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

// newHostWorld is a world whose stand-in is a host that an admin may declare, at its own address.
func newHostWorld(t *testing.T, token string) (w *world, base string) {
	t.Helper()
	w = newWorld(t, standin.Options{Seed: 5, People: 4, Begin: modelstest.Noon.AddDate(0, -4, 0), Token: token})
	w.Sites = sites.All() // Only the database knows hosts.
	return w, w.Client.Mirrors["codeforces"].String()
}

// check asks a host before it is stored, as an admin's form has it done.
func (w *world) check(t *testing.T, s *members.DeclaredSite, token string) string {
	t.Helper()
	if _, err := s.TakeToken(t.Context(), w.DB.DB, &token, w.Secret); err != nil {
		t.Fatal(err)
	}
	id, err := retrieval.RequestSiteCheck(t.Context(), w.DB.DB, s, w.Now())
	if err == nil {
		err = w.CheckSites(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	c, err := retrieval.SiteCheckByID(t.Context(), w.DB.DB, id)
	if err != nil || c.AnsweredAt == nil || c.Token != nil {
		t.Fatalf("%+v, %v", c, err)
	}
	return c.Message
}

// A host is asked once, and says in plain words what is wrong.
func TestHostsAreChecked(t *testing.T) {
	t.Parallel()
	w, base := newHostWorld(t, "sesame")
	for _, tt := range []struct {
		base, token string
		fault       standin.Fault
		want        string
	}{
		{base, "sesame", standin.Fault{}, ""},
		{base, "", standin.Fault{}, base + " does not answer as DMOJ does: the site turns us away: " + base + " refuses access (403 login required); give it a token of an account there"},
		{base, "old", standin.Fault{}, base + " does not answer as DMOJ does: the site turns us away: " + base + " refuses access (401); its token may have ended"},
		{base + "/elsewhere", "", standin.Fault{}, base + "/elsewhere does not answer as DMOJ does: page not understood: status 404"},
		{base, "sesame", standin.Fault{Kind: "html"}, "no answer of DMOJ's interface"},
		{base, "sesame", standin.Fault{Kind: "redirect", Location: "http://169.254.169.254/latest"}, "redirects to another host"},
		{"http://10.0.0.7", "sesame", standin.Fault{}, "http://10.0.0.7 does not answer as DMOJ does: 10.0.0.7: 10.0.0.7:80 is not a public address"},
	} {
		w.out.ClearFaults("")
		if tt.fault.Kind != "" {
			if err := w.out.SetFault("dmoj", tt.fault); err != nil {
				t.Fatal(err)
			}
		}
		n := len(w.out.Log())
		got := w.check(t, &members.DeclaredSite{Kind: "dmoj", Name: "school", Title: "School", Home: tt.base}, tt.token)
		if got != tt.want && (tt.want == "" || !strings.Contains(got, tt.want)) {
			t.Errorf("%s with %q, %s: %q, want %q", tt.base, tt.token, tt.fault.Kind, got, tt.want)
		}
		if asked := len(w.out.Log()) - n; asked > 1 {
			t.Errorf("%s: %d requests", tt.base, asked)
		}
	}
	if n := jobstest.Count(t, w.DB, `SELECT count(*) FROM outside_sites`); n != 0 {
		t.Errorf("%d sites are stored", n)
	}
}

// declare stores a site on a host.
func (w *world) declare(t *testing.T, name, base, token string) members.DeclaredSite {
	t.Helper()
	s := members.DeclaredSite{Kind: "dmoj", Name: name, Title: "School " + name, Home: base}
	_, err := s.TakeToken(t.Context(), w.DB.DB, &token, w.Secret)
	if err == nil {
		_, err = members.DeclareSite(t.Context(), w.DB.DB, &s, w.Now())
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// While the jobs run, hosts come, change and go: their accounts are read without a restart, as those of any
// site, and left alone afterwards.
func TestHostsComeAndGo(t *testing.T) {
	t.Parallel()
	w, base := newHostWorld(t, "sesame")
	w.runner.Retrieval.Sites = nil // The others are not needed here.
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() {
		if err := w.runner.Start(ctx); err != nil {
			t.Error(err)
		}
	})
	defer running.Wait()
	defer stop()
	p := w.out.People()[0]
	read := func(m members.Member, site string) func() bool {
		return func() bool { return w.account(t, m.ID, site).Outcome != "" }
	}

	w.declare(t, "school", base, "sesame")
	ada := modelstest.Member(t, w.DB.DB, "ada", map[string]string{"school": p.Handles["dmoj"]}, w.Now())
	jobstest.Until(t, "a new host is read", time.Minute, read(ada, "school"))
	a := w.account(t, ada.ID, "school")
	want := w.out.Submissions("dmoj", p.Handles["dmoj"])
	if a.Outcome != pg.OutcomeOK || len(want) == 0 || a.Submissions != len(want) || a.ReportedSubmissions == nil || *a.ReportedSubmissions != len(want) {
		t.Errorf("%s (%s): %d rows, reported %v; want %d", a.Outcome, a.Message, a.Submissions, a.ReportedSubmissions, len(want))
	}
	if n := jobstest.Count(t, w.DB, `SELECT count(*) FROM ratings r JOIN accounts a ON a.id = r.account_id WHERE a.site = 'school'`); n == 0 {
		t.Error("no ratings")
	}
	for _, s := range w.stored(t, ada.ID, "school") {
		if want := base + "/problem/" + s.ProblemKey; s.ProblemURL != want {
			t.Fatalf("a problem is at %q, want %q", s.ProblemURL, want)
		}
	}

	// Without its token the host refuses, and the page says why.
	w.declare(t, "school", base, "")
	bob := modelstest.Member(t, w.DB.DB, "bob", map[string]string{"school": w.out.People()[1].Handles["dmoj"]}, w.Now())
	jobstest.Until(t, "a changed host is asked as it is now", time.Minute, read(bob, "school"))
	if a := w.account(t, bob.ID, "school"); a.Outcome != pg.OutcomeBlocked || !strings.Contains(a.Message, "give it a token") {
		t.Errorf("%s (%s)", a.Outcome, a.Message)
	}

	// A second host of the kind beside it, and the first one is gone.
	w.declare(t, "club", base, "sesame")
	if err := w.DB.Exec(`DELETE FROM outside_sites WHERE name = 'school'`).Error; err != nil {
		t.Fatal(err)
	}
	if err := pg.Wake(t.Context(), w.DB.DB, members.WakeSites); err != nil {
		t.Fatal(err)
	}
	eve := modelstest.Member(t, w.DB.DB, "eve", map[string]string{"club": p.Handles["dmoj"]}, w.Now())
	jobstest.Until(t, "a second host is read", time.Minute, read(eve, "club"))
	dan := modelstest.Member(t, w.DB.DB, "dan", map[string]string{"school": p.Handles["dmoj"], "club": "nobody_here"}, w.Now())
	jobstest.Until(t, "the second host is read on", time.Minute, read(dan, "club"))
	if a := w.account(t, dan.ID, "school"); a.Outcome != "" {
		t.Errorf("a host that is gone was asked: %s", a.Outcome)
	}
	if a := w.account(t, dan.ID, "club"); a.Outcome != pg.OutcomeNotFound {
		t.Errorf("nobody on the second host: %s", a.Outcome)
	}
}

// The command line and rereading know hosts, too.
func TestHostsAreKnownByName(t *testing.T) {
	t.Parallel()
	w, base := newHostWorld(t, "")
	w.declare(t, "school", base, "")
	all, err := w.AllSites(t.Context())
	if err != nil || len(all) != len(sites.All())+1 {
		t.Fatalf("%d sites, %v", len(all), err)
	}
	ada := modelstest.Member(t, w.DB.DB, "ada", map[string]string{"school": w.out.People()[0].Handles["dmoj"]}, w.Now())
	list, err := w.RetrieveMember(t.Context(), ada.ID, "school", false)
	if err != nil || len(list) != 1 || list[0].Outcome != pg.OutcomeOK {
		t.Fatalf("%+v, %v", list, err)
	}
	for _, site := range []string{"codeforces", "school", "nowhere"} {
		s, ok, err := w.SiteNamed(t.Context(), site)
		if got := err == nil && ok && s.Info().Name == site; got != (site != "nowhere") {
			t.Errorf("%s is known: %t, %v", site, got, err)
		}
	}
}
