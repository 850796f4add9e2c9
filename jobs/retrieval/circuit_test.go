package retrieval_test

import (
	"context"
	"fmt"
	"strings"
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

func (w *world) circuit(t testing.TB, site string) retrieval.Circuit {
	t.Helper()
	c, err := retrieval.CircuitOf(t.Context(), w.DB.DB, site)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// requests counts how often a site was asked.
func (w *world) requests(t *testing.T, site string) int {
	t.Helper()
	return jobstest.Count(t, w.DB, fmt.Sprintf(`SELECT coalesce(sum(requests), 0) FROM site_hours WHERE site = '%s'`, site))
}

// A site changes its pages, so that they cannot be read or seem empty: within
// three retrievals it is known, no row is lost, no delay and no next retrieval moves,
// nobody is asked for but one handle now and then, and when the pages are back
// all goes on by itself.
func TestAChangedSite(t *testing.T) {
	t.Parallel()
	for _, s := range jobstest.Sites() {
		site := s.Info().Name
		for _, kind := range []string{"markup", "emptied"} {
			t.Run(site+" "+kind, func(t *testing.T) {
				t.Parallel()
				changedSite(t, site, standin.Fault{Kind: kind}, 5)
			})
		}
	}
	t.Run("with one handle", func(t *testing.T) { t.Parallel(); changedSite(t, "codeforces", standin.Fault{Kind: "markup"}, 1) })
	t.Run("that blocks", func(t *testing.T) { t.Parallel(); changedSite(t, "atcoder", standin.Fault{Kind: "cloudflare"}, 2) })
	t.Run("that denies whom it knew", func(t *testing.T) { t.Parallel(); changedSite(t, "codeforces", standin.Fault{Kind: "notfound"}, 4) })
}

func changedSite(t *testing.T, site string, fault standin.Fault, people int) {
	w := newWorld(t, standin.Options{Seed: 5, People: 36, Begin: modelstest.Noon.AddDate(0, -4, 0)})
	var everybody []members.Member
	handles := map[int64]string{}
	for _, p := range w.out.People() {
		if p.Handles[site] != "" && len(everybody) < people && len(w.out.Submissions(site, p.Handles[site])) < 500 { // Long ones take long.
			m := modelstest.Member(t, w.DB.DB, p.Name, map[string]string{site: p.Handles[site]}, w.Now())
			everybody, handles[m.ID] = append(everybody, m), p.Handles[site]
		}
	}
	w.round(t)
	w.clock.Pass(49 * time.Hour)
	w.round(t)
	w.clock.Pass(49 * time.Hour)
	if err := w.DB.Exec(`UPDATE account_schedule SET due_at = ?`, w.Now()).Error; err != nil {
		t.Fatal(err)
	}
	before, rows := map[int64]members.Account{}, map[int64]int{}
	for _, m := range everybody {
		before[m.ID], rows[m.ID] = w.account(t, m.ID, site), len(w.stored(t, m.ID, site))
	}
	if err := w.out.SetFault(site, fault); err != nil {
		t.Fatal(err)
	}
	for i := 0; !ptr(w.circuit(t, site)).Broken(); i++ {
		if i > 3 {
			t.Fatal("after three retrievals it is not known that the site is broken")
		}
		w.round(t)
		w.clock.Pass(20 * time.Minute)
	}
	if n := jobstest.Count(t, w.DB, `SELECT sum(retrievals) FROM site_hours WHERE outcome <> 'ok'`); n > 3+2 { // Two workers may be reading when it opens.
		t.Errorf("%d retrievals failed before the site was left alone", n)
	}
	same := func(when string) {
		t.Helper()
		for _, m := range everybody {
			a, b := w.account(t, m.ID, site), before[m.ID]
			if b.Submissions == 0 { // An empty list is nothing new of them.
				continue
			}
			if a.Delay != b.Delay || a.Failures != 0 || a.FailingSince != nil || a.NotFound != 0 || a.State != b.State || a.DueAt.After(b.DueAt) || !sameTime(a.CoveredAt, b.CoveredAt) || !sameTime(a.CompleteUntil, b.CompleteUntil) {
				t.Errorf("%s, what the site did moved the account:\nbefore %+v\nafter  %+v", when, b, a)
			}
			if n := len(w.stored(t, m.ID, site)); n != rows[m.ID] {
				t.Errorf("%s, %d rows of %d", when, n, rows[m.ID])
			}
		}
	}
	same("when it opened")
	retrievals := func() int {
		return jobstest.Count(t, w.DB, fmt.Sprintf(`SELECT sum(retrievals) FROM site_hours WHERE site = '%s'`, site))
	}
	asked := retrievals()
	for range 6 { // An hour and a half of trials: 1, 2, 4, 8, 16, 32 minutes.
		w.clock.Pass(15 * time.Minute)
		w.round(t)
		w.round(t) // One handle at a time.
	}
	if n := retrievals() - asked; n < 3 || n > 6 {
		t.Errorf("%d trials in 90 minutes, want one each after 1, 2, 4, 8, 16, 32 minutes as far as rounds came", n)
	}
	same("after the trials")
	if n := jobstest.Count(t, w.DB, `SELECT count(*) FROM site_alarms WHERE kind = 'circuit' AND closed_at IS NULL`); n != 1 {
		t.Errorf("%d alarms of the circuit", n)
	}
	w.out.ClearFaults("")
	w.clock.Pass(time.Hour)
	w.round(t)
	w.round(t)
	if c := w.circuit(t, site); c.State != retrieval.CircuitClosed || c.Suspects != 0 {
		t.Errorf("the site answers again: %+v", c)
	}
	if n := jobstest.Count(t, w.DB, `SELECT count(*) FROM site_alarms WHERE closed_at IS NULL AND kind IN ('circuit', 'emptied')`) + jobstest.Count(t, w.DB, `SELECT count(*) FROM site_suspects`); n != 0 {
		t.Errorf("%d alarms or suspects are left", n)
	}
	for _, m := range everybody {
		if a := w.account(t, m.ID, site); a.Outcome != pg.OutcomeOK {
			t.Errorf("%s: %s (%s)", a.Handle, a.Outcome, a.Message)
		}
		w.sameAsTruth(t, m.ID, site, handles[m.ID])
	}
}

func sameTime(a, b *time.Time) bool { return a == b || a != nil && b != nil && a.Equal(*b) }

func ptr[T any](v T) *T { return &v }

// One handle whose page is odd opens nothing while others are well, and a list
// that stays empty while the site is well is believed after three days.
func TestOneOddHandle(t *testing.T) {
	t.Parallel()
	empty := ""
	site := &fakeSite{submissions: func(ctx context.Context, get sites.Getter, a sites.Account) ([]sites.Submission, error) {
		_, _ = get.Get(ctx, "https://fake.example/") // Nobody is there, but somebody was asked.
		switch a.Handle {
		case "odd":
			return nil, sites.ErrFormat
		case empty:
			return nil, nil
		}
		return []sites.Submission{made("1", time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))}, nil
	}}
	w, members := newFake(t, site, "odd", "hidden", "fine")
	w.round(t)
	empty = "hidden"
	var outcomes []string
	for range 12 {
		w.clock.Pass(24 * time.Hour)
		w.round(t)
		a := w.account(t, members["hidden"].ID, "fake")
		if a.Submissions != 1 || len(outcomes) > 2 && !strings.Contains(a.Message, "none of the 1 submissions") {
			t.Errorf("%s (%s), %d rows", a.Outcome, a.Message, a.Submissions)
		}
		if outcomes = append(outcomes, a.Outcome); a.Outcome == pg.OutcomeParseError && a.Delay > 1 {
			t.Errorf("its delay is %d", a.Delay)
		}
	}
	if got := strings.TrimPrefix(strings.TrimPrefix(strings.Join(outcomes, " "), "ok "), "ok "); !strings.HasPrefix(got, "parse_error parse_error parse_error ") || !strings.HasSuffix(got, " ok") {
		t.Errorf("an empty list was taken for %q", outcomes)
	}
	if c := w.circuit(t, "fake"); c.Broken() {
		t.Errorf("it opened: %+v", c)
	}
	if a := w.account(t, members["odd"].ID, "fake"); a.Failures < 5 {
		t.Errorf("its own failure counts against it: %d", a.Failures)
	}
	empty = ""
	w.clock.Pass(5 * 24 * time.Hour)
	w.round(t)
	if n := jobstest.Count(t, w.DB, `SELECT count(*) FROM site_alarms WHERE kind = 'emptied' AND closed_at IS NULL`); n != 0 {
		t.Error("the alarm is open, and the rows are back")
	}
}
