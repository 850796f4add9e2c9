package retrieval_test

import (
	"testing"
	"time"

	"laurel/jobs/jobstest"
	"laurel/jobs/standin"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

// faults are what the outside world does wrong, and what we must make of it.
var faults = []struct {
	fault   standin.Fault
	outcome string
}{
	{standin.Fault{Kind: "429"}, pg.OutcomeRateLimited},
	{standin.Fault{Kind: "429", RetryAfter: "30"}, pg.OutcomeRateLimited},
	{standin.Fault{Kind: "limit"}, pg.OutcomeRateLimited},
	{standin.Fault{Kind: "503"}, pg.OutcomeServerError},
	{standin.Fault{Kind: "503", RetryAfter: "30"}, pg.OutcomeServerError},
	{standin.Fault{Kind: "500"}, pg.OutcomeServerError},
	{standin.Fault{Kind: "timeout"}, pg.OutcomeUnreachable},
	{standin.Fault{Kind: "cut"}, pg.OutcomeUnreachable},
	{standin.Fault{Kind: "cutjson"}, pg.OutcomeParseError},
	{standin.Fault{Kind: "html"}, pg.OutcomeParseError},
	{standin.Fault{Kind: "empty"}, pg.OutcomeParseError},
	{standin.Fault{Kind: "huge", Size: 3 << 20}, pg.OutcomeParseError},
	{standin.Fault{Kind: "cloudflare"}, pg.OutcomeBlocked},
	{standin.Fault{Kind: "redirect"}, pg.OutcomeUnreachable},
	{standin.Fault{Kind: "redirect", Location: "loop"}, pg.OutcomeUnreachable},
	{standin.Fault{Kind: "redirect", Location: "http://169.254.169.254/latest/meta-data/"}, pg.OutcomeUnreachable},
}

// Each fault on each site, in the middle of a member's life: the right outcome,
// no row lost, neither delay nor cursor moved, a retry later, and the next good
// answer brings what was missed.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, f := range faults {
		t.Run(f.fault.Kind+f.fault.RetryAfter+f.fault.Location, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, standin.Options{Seed: 5, People: 1, Begin: modelstest.Noon.AddDate(0, -3, 0)})
			w.Client.MaxBytes = 2 << 20
			p := w.out.People()[0]
			m := modelstest.Member(t, w.DB.DB, p.Name, p.Handles, w.Now())
			w.round(t)
			w.clock.Pass(80 * time.Hour) // Long enough for news on every site.
			before := map[string]members.Account{}
			rows := map[string]int{}
			for site := range p.Handles {
				before[site], rows[site] = w.account(t, m.ID, site), len(w.stored(t, m.ID, site))
			}
			if err := w.out.SetFault("", f.fault); err != nil {
				t.Fatal(err)
			}
			timeout := w.Client.HTTP.Timeout
			if f.fault.Kind == "timeout" { // No answer comes, however long one waits.
				w.Client.HTTP.Timeout = 100 * time.Millisecond
			}
			w.round(t)
			w.Client.HTTP.Timeout = timeout
			for site := range p.Handles {
				checkFailed(t, before[site], w.account(t, m.ID, site), f.outcome)
				if n := len(w.stored(t, m.ID, site)); n < rows[site] {
					t.Errorf("%s: %d rows after the fault, %d before", site, n, rows[site])
				}
			}
			w.out.ClearFaults("")
			w.clock.Pass(25 * time.Hour)
			w.round(t)
			for site, handle := range p.Handles {
				if a := w.account(t, m.ID, site); a.Outcome != pg.OutcomeOK || a.Failures != 0 || a.FailingSince != nil || a.Delay != 0 {
					t.Errorf("%s did not recover: outcome %s (%s), %d failures, delay %d", site, a.Outcome, a.Message, a.Failures, a.Delay)
				}
				w.sameAsTruth(t, m.ID, site, handle)
			}
		})
	}
}

func checkFailed(t *testing.T, before, after members.Account, outcome string) {
	t.Helper()
	if after.Outcome != outcome || after.Message == "" {
		t.Errorf("%s: outcome %s (%s), want %s and why", after.Site, after.Outcome, after.Message, outcome)
	}
	if after.Delay != before.Delay || !after.CoveredAt.Equal(*before.CoveredAt) || after.CoveredID != before.CoveredID ||
		!sameTime(after.CompleteUntil, before.CompleteUntil) || after.Missing != before.Missing || !after.LastRetrievedAt.Equal(*before.LastRetrievedAt) || after.State != before.State {
		t.Errorf("%s: the failure moved what only ok may move:\nbefore %+v\nafter  %+v", after.Site, before, after)
	}
	if after.Failures != 1 || !after.DueAt.After(*after.LastAttemptAt) || after.LeasedUntil != nil {
		t.Errorf("%s: %d failures, due %s, want one failure and a retry later", after.Site, after.Failures, after.DueAt)
	}
}

// Page two fails: what page one had stays, the cursor does not move, and the
// rows count as news for the retrieval that completes.
func TestFaultInTheMiddle(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Seed: 5, People: 6})
	p := w.out.People()[5] // Thousands of rows.
	m := modelstest.Member(t, w.DB.DB, p.Name, map[string]string{"codeforces": p.Handles["codeforces"]}, w.Now())
	if err := w.out.SetFault("codeforces", standin.Fault{Kind: "503", Skip: 2}); err != nil {
		t.Fatal(err)
	}
	w.round(t)
	a := w.account(t, m.ID, "codeforces")
	if a.Outcome != pg.OutcomeServerError || a.CoveredAt != nil || a.State != members.StateNew || a.Submissions < 1000 || a.NewRows != a.Submissions {
		t.Errorf("after page two failed: outcome %s, covered %v, state %s, %d rows, %d new", a.Outcome, a.CoveredAt, a.State, a.Submissions, a.NewRows)
	}
	w.out.ClearFaults("")
	w.clock.Pass(time.Hour)
	w.round(t)
	a = w.account(t, m.ID, "codeforces")
	if a.Outcome != pg.OutcomeOK || a.LastNew != a.Submissions || a.Delay != 0 {
		t.Errorf("after the retry: outcome %s, %d new of %d, delay %d", a.Outcome, a.LastNew, a.Submissions, a.Delay)
	}
	w.sameAsTruth(t, m.ID, "codeforces", p.Handles["codeforces"])
}

// A wrong handle: proved twice it is invalid and asked again ever less often;
// the button asks too; and it becomes valid when somebody registers under it.
func TestInvalidHandle(t *testing.T) {
	t.Parallel()
	for _, s := range jobstest.Sites() {
		site := s.Info().Name
		t.Run(site, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, standin.Options{Seed: 6, People: 1, Begin: modelstest.Noon.AddDate(0, -3, 0)})
			p := w.out.People()[0]
			if err := w.out.SetFault(site, standin.Fault{Kind: "notfound"}); err != nil {
				t.Fatal(err)
			}
			m := modelstest.Member(t, w.DB.DB, p.Name, map[string]string{site: p.Handles[site]}, w.Now())
			w.round(t)
			if a := w.account(t, m.ID, site); a.Outcome != pg.OutcomeNotFound || a.State != members.StateNew || a.NotFound != 1 {
				t.Errorf("after one proof: outcome %s (%s), state %s", a.Outcome, a.Message, a.State)
			}
			if _, err := retrieval.Request(t.Context(), w.DB.DB, m.ID, time.Hour, w.Now()); err != nil {
				t.Fatal(err)
			}
			w.round(t)
			if a := w.account(t, m.ID, site); a.State != members.StateInvalid || a.RequestedAt != nil {
				t.Errorf("the button brought the second proof; state %s, want invalid", a.State)
			}
			w.out.ClearFaults("")
			w.clock.Pass(23 * time.Hour)
			w.round(t)
			if a := w.account(t, m.ID, site); a.State != members.StateInvalid {
				t.Errorf("asked again within a day; state %s", a.State)
			}
			w.clock.Pass(2 * time.Hour)
			w.round(t)
			if a := w.account(t, m.ID, site); a.State != members.StateActive || a.NotFound != 0 || a.Submissions == 0 {
				t.Errorf("the handle exists now; state %s, %d submissions", a.State, a.Submissions)
			}
		})
	}
}

// A handle that was read before becomes invalid by three proofs over a day, and only where the
// site answers about others meanwhile.
func TestKnownHandleNeedsThreeProofs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Seed: 6, People: 2, Begin: modelstest.Noon.AddDate(0, -3, 0)})
	var ids []int64
	for _, p := range w.out.People() {
		ids = append(ids, modelstest.Member(t, w.DB.DB, p.Name, map[string]string{"hackerrank": p.Handles["hackerrank"]}, w.Now()).ID)
	}
	w.round(t)
	ask := func(id int64, missing bool) members.Account {
		t.Helper()
		w.out.ClearFaults("")
		if missing {
			if err := w.out.SetFault("hackerrank", standin.Fault{Kind: "notfound"}); err != nil {
				t.Fatal(err)
			}
		}
		w.clock.Pass(time.Minute)
		if _, err := w.RetrieveMember(t.Context(), id, "hackerrank", false); err != nil {
			t.Fatal(err)
		}
		return w.account(t, id, "hackerrank")
	}
	for i := range 2 {
		if a := ask(ids[0], true); a.Outcome != pg.OutcomeNotFound || a.State != members.StateActive {
			t.Errorf("after %d proofs within minutes: outcome %s, state %s", i+1, a.Outcome, a.State)
		}
	}
	w.clock.Pass(25 * time.Hour)
	if a := ask(ids[0], true); a.State == members.StateInvalid {
		t.Error("invalid though the site gave no good answer")
	}
	if a := ask(ids[1], false); a.Outcome != pg.OutcomeOK {
		t.Fatalf("the other: %s %s", a.Outcome, a.Message)
	}
	if a := ask(ids[0], true); a.State != members.StateInvalid {
		t.Errorf("after %d proofs since %v with a good answer between: state %s", a.NotFound, a.FailingSince, a.State)
	}
	if a := ask(ids[0], false); a.State != members.StateActive || a.NotFound != 0 {
		t.Errorf("found again: state %s", a.State)
	}
}
