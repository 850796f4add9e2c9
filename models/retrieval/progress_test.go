package retrieval_test

import (
	"testing"
	"time"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

func TestProgressOf(t *testing.T) {
	t.Parallel()
	now, later, asked := modelstest.Noon, ptr(modelstest.Noon.Add(time.Minute)), ptr(modelstest.Noon.Add(-time.Second))
	waiting := members.Account{Site: "w", Schedule: members.Schedule{RequestedAt: asked, Outcome: pg.OutcomeServerError, Message: "of the fetch before"}}
	running := members.Account{Site: "r", Schedule: members.Schedule{RequestedAt: asked, LeasedUntil: later, Page: 3, Outcome: pg.OutcomeOK}, Stats: members.Stats{NewRows: 14}}
	done := members.Account{Site: "d", Schedule: members.Schedule{Outcome: pg.OutcomeOK, Page: 2}, Stats: members.Stats{LastNew: 5}}
	failed := members.Account{Site: "f", Schedule: members.Schedule{Outcome: pg.OutcomeBlocked, Message: "why"}, Stats: members.Stats{NewRows: 7}}
	routine := members.Account{Site: "x", Schedule: members.Schedule{LeasedUntil: later, Outcome: pg.OutcomeOK}}
	paused := members.Account{Site: "p", Schedule: members.Schedule{State: members.StatePaused}}
	for _, tt := range []struct {
		name     string
		accounts []members.Account
		phase    string
	}{
		{"nothing", nil, retrieval.PhaseDone},
		{"a routine fetch is no part of a request", []members.Account{routine}, retrieval.PhaseDone},
		{"all wait", []members.Account{waiting, paused}, retrieval.PhaseWaiting},
		{"one waits, one is done", []members.Account{waiting, done}, retrieval.PhaseRunning},
		{"one runs", []members.Account{running, done, failed}, retrieval.PhaseRunning},
		{"all done", []members.Account{done, failed, paused}, retrieval.PhaseDone},
	} {
		if r := retrieval.ProgressOf(&members.Member{RequestedAt: asked}, tt.accounts, nil, now); r.Phase != tt.phase {
			t.Errorf("%s: %s, want %s", tt.name, r.Phase, tt.phase)
		}
	}
	r := retrieval.ProgressOf(&members.Member{}, []members.Account{waiting, running, done, failed}, nil, now)
	want := []retrieval.SiteProgress{
		{Site: "w", Phase: retrieval.PhaseWaiting}, // Not with what came of the fetch before.
		{Site: "r", Phase: retrieval.PhaseRunning, Page: 3, New: 14},
		{Site: "d", Phase: retrieval.PhaseDone, Page: 2, New: 5, Outcome: pg.OutcomeOK},
		{Site: "f", Phase: retrieval.PhaseDone, New: 7, Outcome: pg.OutcomeBlocked, Message: "why"},
	}
	for i := range want {
		if r.Sites[i] != want[i] {
			t.Errorf("got %+v, want %+v", r.Sites[i], want[i])
		}
	}
}

// A row from the future, as a site with a wrong clock gives it, must not make
// everything until then seem covered.
func TestARowFromTheFutureCoversNothing(t *testing.T) {
	t.Parallel()
	tx, now := modelstest.Tx(t), modelstest.Noon
	modelstest.Member(t, tx, "ada", map[string]string{"s": "ada"}, now)
	due, err := retrieval.ClaimDue(t.Context(), tx, "s", pg.Lease{ID: "l", For: time.Minute}, 1, now)
	if err != nil || len(due) != 1 {
		t.Fatal(due, err)
	}
	rows := []retrieval.Found{{ID: "1", At: now.AddDate(70, 0, 0), ProblemKey: "p", Status: "AC"}, {ID: "2", At: now.Add(-time.Hour), ProblemKey: "p", Status: "AC"}}
	if _, err := retrieval.StorePage(t.Context(), tx, &due[0].Account, retrieval.Page{Rows: rows, Next: 1, Lease: time.Minute}, now); err != nil {
		t.Fatal(err)
	}
	if err := retrieval.Finish(t.Context(), tx, &due[0], retrieval.Result{Outcome: pg.OutcomeOK, Requests: 1}, retrieval.Rule{Rate: 1, Overlap: 24 * time.Hour}, now); err != nil {
		t.Fatal(err)
	}
	accounts, err := members.AccountsOf(t.Context(), tx, due[0].MemberID)
	if err != nil {
		t.Fatal(err)
	}
	if a := accounts[0]; a.CoveredAt == nil || !a.CoveredAt.Equal(now.Add(-24*time.Hour)) {
		t.Errorf("covered until %v, want a day before now", a.CoveredAt)
	}
}
