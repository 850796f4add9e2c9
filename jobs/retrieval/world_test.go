package retrieval_test

import (
	"net/http/httptest"
	"slices"
	"testing"

	"laurel/jobs"
	"laurel/jobs/jobstest"
	"laurel/jobs/retrieval"
	"laurel/jobs/standin"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/submissions"
)

// A world is a runner whose outside is a stand-in over real HTTP.
type world struct {
	*retrieval.Jobs
	out    *standin.Server
	clock  *jobstest.Clock
	runner *jobs.Runner // Runs them by itself.
}

func newWorld(t testing.TB, o standin.Options) *world {
	t.Helper()
	c := jobstest.NewClock()
	o.Now = c.Outside
	out := standin.New(o)
	srv := httptest.NewServer(out)
	t.Cleanup(srv.Close)
	t.Cleanup(out.Close)
	r := jobstest.NewRunner(modelstest.Open(t), c, srv.URL)
	return &world{&r.Retrieval, out, c, r}
}

// round retrieves everything that is asked for or due. Sites on which nobody is are
// passed over: that nothing is found there takes longer than all the rest.
func (w *world) round(t testing.TB) {
	t.Helper()
	var inhabited []string
	if err := w.DB.WithContext(t.Context()).Raw(`SELECT DISTINCT site FROM account_details`).Scan(&inhabited).Error; err != nil {
		t.Fatal(err)
	}
	for _, s := range w.Sites {
		if !slices.Contains(inhabited, s.Info().Name) {
			continue
		}
		if err := w.RetrieveRequested(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		if err := w.RetrieveDue(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
}

// account reads a member's account on a site.
func (w *world) account(t testing.TB, memberID int64, site string) members.Account {
	t.Helper()
	all, err := members.AccountsOf(t.Context(), w.DB.DB, memberID)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		if a.Site == site {
			return a
		}
	}
	t.Fatalf("member %d has no account on %s", memberID, site)
	return members.Account{}
}

// stored returns what is stored of a member on a site, by the site's id.
func (w *world) stored(t testing.TB, memberID int64, site string) map[string]submissions.Submission {
	t.Helper()
	page, err := submissions.Of(t.Context(), w.DB.DB, submissions.Filter{MemberID: memberID, Site: site}, pg.Cursor{}, false, 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]submissions.Submission{}
	for _, s := range page.Items {
		rows[s.SiteID] = s
	}
	return rows
}
