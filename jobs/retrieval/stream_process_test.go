package retrieval_test

import (
	"math/rand/v2"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"laurel/jobs/jobstest"
	"laurel/jobs/sites"
	"laurel/jobs/standin"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
)

// Workers that are killed while they read a long stream lose no row and read no page
// again that was stored: the next one goes on where it was.
func TestKilledWorkersReadTheStreamOn(t *testing.T) {
	t.Parallel()
	url := modelstest.URL(t)
	db, err := pg.Open(t.Context(), url, 4)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var passed atomic.Int64
	out := standin.New(standin.Options{Seed: 7, People: 40, Strangers: 5_000, Begin: modelstest.Noon.AddDate(0, -4, 0), Now: func() time.Time { return modelstest.Noon.Add(time.Duration(passed.Load())) }})
	srv := httptest.NewServer(out)
	t.Cleanup(srv.Close)
	t.Cleanup(out.Close)
	w := &streamWorld{world: &world{Jobs: &jobstest.NewRunner(db, jobstest.NewClock(), srv.URL).Retrieval, out: out}, t: t, members: map[string]members.Member{}}
	w.site, _ = sites.ByName("atcoder")
	w.streamer = w.site.(sites.Streamer)
	w.enable(true)
	for _, p := range out.People() {
		if handle := p.Handles["atcoder"]; handle != "" {
			w.members[handle] = modelstest.Member(t, db.DB, p.Name, map[string]string{"atcoder": handle}, modelstest.Noon)
		}
	}
	w.retrieve()
	w.read()
	const behind = 40 * time.Hour
	passed.Store(int64(behind))
	if err := db.Exec(`UPDATE account_schedule SET due_at = ?, last_retrieved_at = ?`, modelstest.Noon.AddDate(1, 0, 1), modelstest.Noon.AddDate(1, 0, 0)).Error; err != nil { // No retrievals: the stream is alone.
		t.Fatal(err)
	}
	out.Forget()
	start := time.Now().Add(-behind / jobstest.KilledRate)
	done := func() bool {
		f := w.stream()
		return f.Outcome == pg.OutcomeOK && f.Until != nil && f.Until.After(modelstest.Noon.Add(behind-time.Hour)) && f.LateAt.After(modelstest.Noon.Add(-10*time.Hour))
	}
	if err := out.SetFault("atcoder", standin.Fault{Kind: "slow", Delay: 20 * time.Millisecond}); err != nil { // So that nobody is done before it is killed.
		t.Fatal(err)
	}
	kills := 0
	for early := true; early && kills < 5; kills++ { // A worker asks for the stream when it starts.
		cmd := jobstest.Worker{DB: url, Outside: srv.URL, Rate: 1000, Clock: jobstest.KilledRate, Start: start}.Run(t)
		early = jobstest.KillWhen(t, cmd, out, 1+rand.IntN(3), done)
		start = jobstest.LeaseEnds(start)
	}
	if kills < 3 {
		t.Errorf("all was read after %d kills", kills)
	}
	last := jobstest.Worker{DB: url, Outside: srv.URL, Rate: 1000, Clock: jobstest.KilledRate, Start: start}.Run(t)
	jobstest.Until(t, "the stream is read", 5*time.Minute, done)
	_ = last.Process.Kill()
	_ = last.Wait()
	w.Now, w.since = func() time.Time { return modelstest.Noon.Add(behind) }, modelstest.Noon // Late ones of before are read in two days.
	if n := w.missing(6 * time.Minute); n > 0 {
		t.Errorf("%d rows are missing", n)
	}
	stream, _ := w.asked()
	if pages := 2 * (int(behind.Hours()*5_000/24/1000) + 2); stream > pages+2*kills+10 { // The same stretch is read for late rows, too; and some passes at its end.
		t.Errorf("%d requests for %d pages and %d kills", stream, pages, kills)
	}
	if n := jobstest.Count(t, db, `SELECT count(*) FROM account_details a WHERE submissions <> (SELECT count(*) FROM submissions s WHERE s.account_id = a.id)`); n > 0 {
		t.Errorf("the sums of %d accounts are not those of their rows", n)
	}
}
