package retrieval_test

import (
	"context"
	"errors"
	"fmt"
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

// canary declares somebody of the stand-in who has a history on the site.
func (w *world) canary(t *testing.T, site string) (handle string, rows int) {
	t.Helper()
	reader := jobstest.SiteNamed(site)
	info := reader.Info()
	for _, p := range w.out.People() {
		if rows = len(w.out.Submissions(site, p.Handles[site])); p.Handles[site] == "" || rows < 10 || rows > 400 {
			continue
		}
		if _, err := retrieval.SetCanary(t.Context(), w.DB.DB, members.Site{Name: site, Title: info.Title, Handle: info.Handle, Hint: info.Hint}, p.Handles[site], 5, w.Now()); err != nil {
			t.Fatal(err)
		}
		return p.Handles[site], rows
	}
	t.Fatalf("nobody on %s has a history of a good length", site)
	return "", 0
}

// readCanaries reads what is due and returns the only canary.
func (w *world) readCanaries(t *testing.T, site string) retrieval.Canary {
	t.Helper()
	reader := jobstest.SiteNamed(site)
	if err := w.ReadCanaries(t.Context(), reader); err != nil {
		t.Fatal(err)
	}
	all, err := retrieval.Canaries(t.Context(), w.DB.DB)
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	return all[0]
}

func (w *world) canaryAlarms(t *testing.T) int {
	t.Helper()
	return jobstest.Count(t, w.DB, `SELECT count(*) FROM site_alarms WHERE kind = 'canary' AND closed_at IS NULL`)
}

// A page that changes or loses its rows is known by the canary of each site, with
// nobody here on that site; when it is back the alarm ends.
func TestCanaryOfEachSite(t *testing.T) {
	t.Parallel()
	for _, reader := range jobstest.Sites() {
		site := reader.Info().Name
		t.Run(site, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, standin.Options{Seed: 5, People: 40, Start: modelstest.Noon.AddDate(0, -4, 0)})
			_, rows := w.canary(t, site)
			c := w.readCanaries(t, site)
			if !c.AsKnown() || c.Seen == 0 || w.canaryAlarms(t) != 0 {
				t.Fatalf("%d rows, first retrieval: %+v", rows, c)
			}
			if w.requests(t, site) == 0 {
				t.Error("its requests are not counted")
			}
			for _, kind := range []string{"markup", "emptied"} {
				w.clock.Pass(25 * time.Hour)
				if err := w.out.SetFault(site, standin.Fault{Kind: kind}); err != nil {
					t.Fatal(err)
				}
				if c = w.readCanaries(t, site); c.AsKnown() || w.canaryAlarms(t) != 1 {
					t.Errorf("%s: %+v, %d alarms", kind, c, w.canaryAlarms(t))
				}
				w.out.ClearFaults("")
				w.clock.Pass(90 * time.Minute)
				if c = w.readCanaries(t, site); !c.AsKnown() || w.canaryAlarms(t) != 0 {
					t.Errorf("after %s: %+v, %d alarms", kind, c, w.canaryAlarms(t))
				}
			}
			if s := w.circuit(t, site); s.State != retrieval.CircuitClosed || s.Suspects != 0 {
				t.Errorf("the circuit is left as %+v", s)
			}
			if n := jobstest.Count(t, w.DB, `SELECT count(*) FROM submissions`) + jobstest.Count(t, w.DB, `SELECT count(*) FROM archive_retrievals`); n != 0 {
				t.Errorf("%d things of it are stored, and it is nobody's here", n)
			}
		})
	}
}

// A canary and the accounts of a broken site open its circuit together, and then
// it is left alone with them.
func TestCanaryOfABrokenSite(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Seed: 5, People: 12, Start: modelstest.Noon.AddDate(0, -4, 0)})
	handle, _ := w.canary(t, "codeforces")
	for _, p := range w.out.People()[:2] {
		modelstest.Member(t, w.DB.DB, p.Name, map[string]string{"codeforces": p.Handles["codeforces"]}, w.Now())
	}
	w.round(t)
	w.readCanaries(t, "codeforces")
	w.clock.Pass(49 * time.Hour)
	if err := w.out.SetFault("codeforces", standin.Fault{Kind: "markup"}); err != nil {
		t.Fatal(err)
	}
	w.readCanaries(t, "codeforces")
	w.round(t)
	if c := w.circuit(t, "codeforces"); !c.Broken() {
		t.Fatalf("three failures, one of them the canary's: %+v", c)
	}
	w.out.Forget()
	w.clock.Pass(25 * time.Hour)
	w.readCanaries(t, "codeforces")
	for _, x := range w.out.Log() {
		if x.Handle == handle {
			t.Errorf("asked for the canary while the circuit is open: %s", x.URI)
		}
	}
	w.out.ClearFaults("")
	w.round(t)
	if c := w.readCanaries(t, "codeforces"); !c.AsKnown() || w.canaryAlarms(t) != 0 {
		t.Errorf("when it is back: %+v, %d alarms", c, w.canaryAlarms(t))
	}
}

// A worker that is stopped gives the canary back; one that is removed while
// it is read is not read on.
func TestCanaryInterrupted(t *testing.T) {
	t.Parallel()
	var during func()
	site := &fakeSite{submissions: func(ctx context.Context, get sites.Getter, _ sites.Account) ([]sites.Submission, error) {
		during()
		if _, err := get.Get(ctx, "https://fake.example/"); errors.Is(err, pg.ErrLeaseLost) || ctx.Err() != nil {
			return nil, fmt.Errorf("page 1: %w", errors.Join(err, ctx.Err()))
		}
		return []sites.Submission{made("1", time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))}, nil
	}}
	w, _ := newFake(t, site)
	fake := members.Site{Name: "fake", Title: "Fake", Handle: site.Info().Handle}
	set := func() {
		if _, err := retrieval.SetCanary(t.Context(), w.DB.DB, fake, "ada", 1, w.Now()); err != nil {
			t.Fatal(err)
		}
	}
	set()
	ctx, stop := context.WithCancel(t.Context())
	during = stop
	if err := w.ReadCanaries(ctx, site); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	retrievals := 0
	during = func() {
		if retrievals++; retrievals == 1 {
			set() // An admin declares it anew.
		}
	}
	if err := w.ReadCanaries(t.Context(), site); err != nil {
		t.Fatal(err)
	}
	all, err := retrieval.Canaries(t.Context(), w.DB.DB)
	if err != nil || len(all) != 1 || !all[0].AsKnown() || retrievals != 2 {
		t.Errorf("%+v, %v after %d retrievals", all, err, retrievals)
	}
}

// A process that is killed while it reads a canary loses nothing: another one reads it.
func TestKilledAtACanary(t *testing.T) {
	t.Parallel()
	url := modelstest.URL(t)
	db, err := pg.Open(t.Context(), url, 4)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	out, address := outside(t, standin.Options{Seed: 5, People: 12, Start: modelstest.Noon.AddDate(0, -4, 0)})
	w := &world{Jobs: &jobstest.NewRunner(db, jobstest.NewClock(), address).Retrieval, out: out}
	handle, _ := w.canary(t, "spoj")
	if err := out.SetFault("spoj", standin.Fault{Kind: "slow", Delay: time.Minute, Skip: 1, Count: 1}); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	first := jobstest.Worker{DB: url, Outside: address, Rate: 1000, Clock: jobstest.KilledRate, Start: start}.Run(t)
	jobstest.Until(t, "the canary is being read", 5*time.Minute, func() bool { return len(out.Log()) > 1 })
	_ = first.Process.Kill()
	_ = first.Wait()
	if n := jobstest.Count(t, db, `SELECT count(*) FROM site_canaries WHERE lease_id <> '' AND checked_at IS NULL`); n != 1 {
		t.Fatalf("%d canaries are leased by the dead", n)
	}
	second := jobstest.Worker{DB: url, Outside: address, Rate: 1000, Clock: jobstest.KilledRate, Start: jobstest.LeaseEnds(start)}.Run(t)
	jobstest.Until(t, "the canary is read", 5*time.Minute, func() bool {
		return jobstest.Count(t, db, `SELECT count(*) FROM site_canaries WHERE outcome = 'ok' AND seen > 0`) == 1
	})
	_ = second.Process.Kill()
	_ = second.Wait()
	if want := len(out.Submissions("spoj", handle)); jobstest.Count(t, db, `SELECT seen FROM site_canaries`) != want {
		t.Errorf("it read other than the %d submissions there are", want)
	}
}
