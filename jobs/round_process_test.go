package jobs_test

import (
	"math/rand/v2"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"laurel/jobs/jobstest"
	"laurel/jobs/sites"
	"laurel/jobs/standin"
	"laurel/models"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
)

// Workers that are killed while they read a round store every row of it once: the
// next one reads the round again from its head, and finds most of it stored.
func TestKilledWorkersReadTheRound(t *testing.T) {
	t.Parallel()
	address := modelstest.URL(t)
	db, err := pg.Open(t.Context(), address, 4)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var passed atomic.Int64
	o := standin.Options{Seed: 5, People: 90, Strangers: 2500, Page: 400, Begin: modelstest.Noon.AddDate(0, -1, 0), Now: func() time.Time { return modelstest.Noon.Add(time.Duration(passed.Load())) }}
	if jobstest.Soak() { // Pages as long as on the real site.
		o.Strangers, o.Page = 25_000, 0
	}
	out := standin.New(o)
	srv := httptest.NewServer(out)
	t.Cleanup(srv.Close)
	t.Cleanup(out.Close)
	w := &fedWorld{world: &world{jobstest.NewRunner(db, jobstest.NewClock(), srv.URL), out, nil}, t: t, members: map[string]members.Member{}}
	w.site, _ = sites.ByName("codeforces")
	for _, p := range out.People() {
		w.members[p.Handles["codeforces"]] = modelstest.Member(t, db.DB, p.Name, map[string]string{"codeforces": p.Handles["codeforces"]}, modelstest.Noon)
	}
	w.look()
	behind := roundEnds.Add(16 * time.Minute).Sub(modelstest.Noon)
	passed.Store(int64(behind))
	for _, q := range []string{ // No looks and no probes: the round is alone, and worth it. The pass before was two days ago.
		`UPDATE accounts SET due_at = now() + interval '10 years', last_retrieved_at = now() + interval '3649 days', probed_at = now() + interval '10 years'`,
		`INSERT INTO site_feeds (site, kind, cursor_at, until) VALUES ('codeforces', 'rounds', CAST('2026-11-24 00:00Z' AS timestamptz), CAST('2026-11-24 00:00Z' AS timestamptz))`,
	} {
		if err := db.Exec(q).Error; err != nil {
			t.Fatal(err)
		}
	}
	out.Forget()
	start := time.Now().Add(-behind / jobstest.KilledRate)
	done := func() bool { at := w.progress(models.KindRounds).CursorAt; return at != nil && !at.Before(roundEnds) }
	if err := out.SetFault("codeforces", standin.Fault{Kind: "slow", Delay: 20 * time.Millisecond}); err != nil { // So that nobody is done before it is killed.
		t.Fatal(err)
	}
	kills := 0
	for early := true; early && kills < 3; kills++ {
		cmd := jobstest.Worker{DB: address, Outside: srv.URL, Rate: 1000, Clock: jobstest.KilledRate, Start: start}.Run(t)
		early = jobstest.KillWhen(t, cmd, out, 2+rand.IntN(4), done) // The list of rounds, who took part, and pages of rows.
		start = jobstest.LeaseEnds(start)
	}
	if kills < 2 {
		t.Errorf("all was read after %d kills", kills)
	}
	last := jobstest.Worker{DB: address, Outside: srv.URL, Rate: 1000, Clock: jobstest.KilledRate, Start: start}.Run(t)
	jobstest.Until(t, "the round is read", 5*time.Minute, done)
	_ = last.Process.Kill()
	_ = last.Wait()
	made, stored, people := w.rowsOf()
	t.Logf("%d kills, %d rows of %d people: %v", kills, made, people, w.questions())
	if people < 15 || stored != made {
		t.Errorf("%d rows of %d are stored", stored, made)
	}
	for _, q := range []string{
		`SELECT count(*) FROM accounts a WHERE submissions <> (SELECT count(*) FROM submissions s WHERE s.account_id = a.id)`,
		`SELECT (SELECT count(*) FROM submissions) - count(*) FROM events WHERE source = 'submissions'`,
	} {
		if n := jobstest.Count(t, db, q); n != 0 {
			t.Errorf("%d: %s", n, q)
		}
	}
}
