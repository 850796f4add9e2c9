package retrieval_test

import (
	"math/rand/v2"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"
	"time"

	"laurel/jobs/jobstest"
	"laurel/jobs/standin"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
)

func TestMain(m *testing.M) { jobstest.Main(m) }

// outside is a stand-in whose time stands still, so that there is one truth.
func outside(t *testing.T, o standin.Options) (*standin.Server, string) {
	t.Helper()
	o.Now = func() time.Time { return modelstest.Noon }
	out := standin.New(o)
	srv := httptest.NewServer(out)
	t.Cleanup(srv.Close)
	t.Cleanup(out.Close)
	return out, srv.URL
}

// A crawl whose workers are killed at random moments ends with the rows of an
// undisturbed one, and none twice.
func TestKilledWorkersLoseNothing(t *testing.T) {
	t.Parallel()
	people, kills := 8, 4
	if jobstest.Soak() {
		people, kills = 200, 50
	}
	url := modelstest.URL(t)
	db, err := pg.Open(t.Context(), url, 4)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	out, address := outside(t, standin.Options{Seed: 7, People: people, Begin: modelstest.Noon.AddDate(0, -2, 0)})
	accounts := 0
	for _, p := range out.People() {
		modelstest.Member(t, db.DB, p.Name, p.Handles, modelstest.Noon)
		accounts += len(p.Handles)
	}
	start := time.Now()
	done := func() bool {
		return jobstest.Count(t, db, `SELECT count(*) FROM account_details WHERE state = 'active' AND pending_from IS NULL`) == accounts
	}
	killed := 0
	for early := true; early && killed < kills; killed++ {
		cmd := jobstest.Worker{DB: url, Outside: address, Rate: 1000, Clock: jobstest.KilledRate, Start: start}.Run(t)
		early = jobstest.KillWhen(t, cmd, out, 1+rand.IntN(accounts/2), done)
		start = jobstest.LeaseEnds(start)
	}
	t.Logf("%d accounts, %d kills, %d requests before the last", accounts, killed, len(out.Log()))
	if killed < kills/2 {
		t.Errorf("all was read after %d kills", killed)
	}
	cmd := jobstest.Worker{DB: url, Outside: address, Rate: 1000, Clock: jobstest.KilledRate, Start: start}.Run(t)
	jobstest.Until(t, "every account is read", 5*time.Minute, done)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	w := &world{Jobs: &jobstest.NewRunner(db, jobstest.NewClock(), address).Retrieval, out: out}
	for _, p := range out.People() {
		m, err := members.ByName(t.Context(), db.DB, p.Name)
		if err != nil {
			t.Fatal(err)
		}
		for site, handle := range p.Handles {
			w.sameAsTruth(t, m.ID, site, handle)
		}
	}
	if n := jobstest.Count(t, db, `SELECT count(*) FROM account_details a WHERE submissions <> (SELECT count(*) FROM submissions s WHERE s.account_id = a.id)`); n > 0 {
		t.Errorf("%d accounts count other submissions than they have", n)
	}
}

// Four processes share one database: no account is retrieved twice in a round,
// and no site is asked faster than its gap. The stand-in's log is the judge.
func TestProcessesShareTheWork(t *testing.T) {
	t.Parallel()
	people, rate := 8, 50.0
	if jobstest.Soak() {
		people, rate = 800, 20 // About 2,000 accounts.
	}
	url := modelstest.URL(t)
	db, err := pg.Open(t.Context(), url, 4)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	out, address := outside(t, standin.Options{Seed: 8, People: people, Instant: true, Start: modelstest.Noon.AddDate(0, 0, -10), Rate: rate}) // Histories of a page or two.
	accounts := 0
	for _, p := range out.People() {
		modelstest.Member(t, db.DB, p.Name, p.Handles, modelstest.Noon)
		accounts += len(p.Handles)
	}
	start := time.Now()
	var workers []*exec.Cmd
	for range 4 {
		workers = append(workers, jobstest.Worker{DB: url, Outside: address, Rate: rate / jobstest.CalmRate, Clock: jobstest.CalmRate, Start: start}.Run(t))
	}
	jobstest.Until(t, "every account is read", 30*time.Minute, func() bool {
		return jobstest.Count(t, db, `SELECT count(*) FROM account_details WHERE state = 'active'`) == accounts
	})
	for _, cmd := range workers {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	if n := jobstest.Count(t, db, `SELECT sum(retrievals) FROM site_hours`); n != accounts {
		var failed []string
		err := db.WithContext(t.Context()).Raw(`SELECT concat_ws(' ', site, outcome, retrievals, message) FROM site_hours WHERE outcome <> 'ok'`).Scan(&failed).Error
		if err != nil {
			t.Fatal(err)
		}
		t.Errorf("%d retrievals of %d accounts; not ok: %q", n, accounts, failed)
	}
	first := map[string]bool{}
	for _, r := range out.Log() { // The first pages of AtCoder's and SPOJ's lists, which nothing else asks for.
		if page := strings.HasSuffix(r.URI, "from_second=0") || strings.HasSuffix(r.URI, "/start=0"); page && first[r.URI] {
			t.Errorf("two retrievals began with %s", r.URI)
		} else if page {
			first[r.URI] = true
		}
	}
	if len(first) < people {
		t.Errorf("%d retrievals of AtCoder and SPOJ are seen", len(first))
	}
	if n := out.Violations(gapOf(rate)); n != 0 {
		t.Errorf("%d requests came faster than their site's gap", n)
	}
}

// gapOf is what a site's own pages say, divided as the workers divide it.
func gapOf(rate float64) func(string) time.Duration {
	return func(name string) time.Duration {
		s := jobstest.SiteNamed(name)
		return time.Duration(float64(s.Info().Gap) / rate)
	}
}
