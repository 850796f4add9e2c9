package jobs_test

import (
	"math/rand/v2"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"laurel/jobs/sites"
	"laurel/jobs/standin"
	"laurel/models"
	"laurel/models/modelstest"
)

// Workers that are killed while they read a round store every row of it once: the
// next one reads the round again from its head, and finds most of it stored.
func TestKilledWorkersReadTheRound(t *testing.T) {
	address := modelstest.URL(t)
	db, err := models.Open(t.Context(), address, 4)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var passed atomic.Int64
	out := standin.New(standin.Options{Seed: 5, People: 120, Strangers: 25_000, Begin: modelstest.Noon.AddDate(0, -1, 0), Now: func() time.Time { return modelstest.Noon.Add(time.Duration(passed.Load())) }})
	srv := httptest.NewServer(out)
	t.Cleanup(srv.Close)
	t.Cleanup(out.Close)
	w := &fedWorld{world: &world{newRunner(db, &clock{start: time.Now()}, srv.URL), out, nil}, t: t, members: map[string]models.Member{}}
	w.site, _ = sites.ByName("codeforces")
	for _, p := range out.People() {
		w.members[p.Handles["codeforces"]] = modelstest.Member(t, db.DB, p.Name, map[string]string{"codeforces": p.Handles["codeforces"]}, modelstest.Noon)
	}
	w.look()
	behind := roundEnds.Add(16 * time.Minute).Sub(modelstest.Noon)
	passed.Store(int64(behind))
	for _, q := range []string{ // No looks and no probes: the round is alone, and worth it. The pass before was two days ago.
		`UPDATE accounts SET due_at = now() + interval '10 years', last_retrieved_at = now() + interval '3649 days', probed_at = now() + interval '10 years'`,
		`INSERT INTO site_feeds (site, cursor_at, until) VALUES ('codeforces', CAST('2026-11-24 00:00Z' AS timestamptz), CAST('2026-11-24 00:00Z' AS timestamptz))`,
	} {
		if err := db.Exec(q).Error; err != nil {
			t.Fatal(err)
		}
	}
	out.Forget()
	const clockRate = 75 // A lease of five minutes ends within four seconds; a page takes one.
	start := time.Now().Add(-behind / clockRate)
	done := func() bool { at := w.feed().CursorAt; return at != nil && !at.Before(roundEnds) }
	kills := 0
	for ; kills < 3 || !done(); kills++ {
		if kills == 10 {
			t.Fatalf("the round is not read: %+v", w.feed())
		}
		live := time.Duration(500+rand.IntN(1500)) * time.Millisecond // The moment is random; nothing is awaited.
		if kills >= 3 {
			live = 30 * time.Second
		}
		cmd := startWorker(t, address, srv.URL, 1000, clockRate, start)
		for end := time.Now().Add(live); time.Now().Before(end) && (kills < 3 || !done()); {
			<-time.After(20 * time.Millisecond)
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		<-time.After(4100 * time.Millisecond) // The lease of the dead ends.
	}
	made, stored, people := w.rowsOf()
	t.Logf("%d kills, %d rows of %d people: %v", kills, made, people, w.questions())
	if people < 15 || stored != made {
		t.Errorf("%d rows of %d are stored", stored, made)
	}
	for _, q := range []string{
		`SELECT count(*) FROM accounts a WHERE submissions <> (SELECT count(*) FROM submissions s WHERE s.account_id = a.id)`,
		`SELECT (SELECT count(*) FROM submissions) - count(*) FROM events WHERE source = 'submissions'`,
	} {
		if n := count(t, db, q); n != 0 {
			t.Errorf("%d: %s", n, q)
		}
	}
}
