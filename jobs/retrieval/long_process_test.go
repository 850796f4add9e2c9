package retrieval_test

import (
	"testing"
	"time"

	"laurel/jobs/jobstest"
	"laurel/jobs/standin"
	pg "laurel/models/db"
	"laurel/models/modelstest"
)

// A process is killed in the middle of a first history of 2,000 submissions (10,000
// with LAUREL_SOAK), which are a hundred pages; the next one goes on where it was: no
// page is read again but the ones at the seam, and every row is there once.
func TestLongHistorySurvivesARestart(t *testing.T) {
	t.Parallel()
	const site = "spoj"
	rows, begin := 2000, modelstest.Noon.AddDate(0, -7, 0)
	if jobstest.Soak() {
		rows, begin = 10_000, time.Time{}
	}
	url := modelstest.URL(t)
	db, err := pg.Open(t.Context(), url, 4)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	out, address := outside(t, standin.Options{Seed: 9, People: 6, Start: modelstest.Noon.AddDate(-1, -2, 0), Begin: begin})
	handle := out.People()[5].Handles[site] // Who submits all day long.
	truth := len(out.Submissions(site, handle))
	if truth < rows {
		t.Fatalf("a history of %d submissions", truth)
	}
	m := modelstest.Member(t, db.DB, "ada", map[string]string{site: handle}, modelstest.Noon)
	start := time.Now()
	first := jobstest.Worker{DB: url, Outside: address, Rate: 1000, Clock: jobstest.KilledRate, Start: start}.Run(t)
	jobstest.Until(t, "the middle", 5*time.Minute, func() bool {
		return jobstest.Count(t, db, `SELECT count(*) FROM submissions`) > rows/3
	})
	_ = first.Process.Kill()
	_ = first.Wait()
	stored, pages := jobstest.Count(t, db, `SELECT count(*) FROM submissions`), len(out.Log())
	if stored >= truth {
		t.Fatalf("killed too late: %d rows of %d", stored, truth)
	}
	second := jobstest.Worker{DB: url, Outside: address, Rate: 1000, Clock: jobstest.KilledRate, Start: jobstest.LeaseEnds(start)}.Run(t)
	jobstest.Until(t, "the end", 5*time.Minute, func() bool {
		return jobstest.Count(t, db, `SELECT count(*) FROM account_details WHERE state = 'active' AND pending_from IS NULL`) == 1
	})
	_ = second.Process.Kill()
	_ = second.Wait()
	const page = 20
	if asked, most := len(out.Log())-pages, (truth-stored)/page+6; asked > most {
		t.Errorf("%d of %d rows were there, and %d more questions were asked, want at most %d", stored, truth, asked, most)
	}
	(&world{Jobs: &jobstest.NewRunner(db, jobstest.NewClock(), address).Retrieval, out: out}).sameAsTruth(t, m.ID, site, handle)
	if n := jobstest.Count(t, db, `SELECT submissions FROM account_details`); n != truth {
		t.Errorf("%d rows are counted of %d", n, truth)
	}
}
