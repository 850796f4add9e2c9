package retrieval_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

func TestCircuitAfter(t *testing.T) {
	t.Parallel()
	at := func(m int) *time.Time { return ptr(noon.Add(time.Duration(m) * time.Minute)) }
	closed := retrieval.Circuit{State: retrieval.CircuitClosed}
	open := retrieval.Circuit{State: retrieval.CircuitOpen, OpenedAt: at(-9), Outcome: "blocked", NextTryAt: at(1), Suspects: 2}
	trial := open
	trial.State, trial.TrialAccount, trial.TrialUntil, trial.Tries = retrieval.CircuitHalfOpen, ptr(int64(7)), at(5), 3
	long := trial
	long.Tries = 40
	bad := retrieval.Answer{Account: 7, Outcome: pg.OutcomeParseError}
	for _, tt := range []struct {
		name  string
		from  retrieval.Circuit
		a     retrieval.Answer
		s     retrieval.Failures
		state string
		next  *time.Time
		tries int
	}{
		{"the first failure", closed, bad, retrieval.Failures{Times: 1, Handles: 1, Accounts: 2}, "closed", nil, 0},
		{"the second, of another", closed, bad, retrieval.Failures{Times: 2, Handles: 2, Accounts: 2}, "closed", nil, 0},
		{"the third, of two", closed, bad, retrieval.Failures{Times: 3, Handles: 2, Accounts: 2}, "open", at(1), 0},
		{"the third, of three", closed, bad, retrieval.Failures{Times: 3, Handles: 3, Accounts: 9}, "open", at(1), 0},
		{"the ninth of one of many", closed, bad, retrieval.Failures{Times: 9, Handles: 1, Accounts: 2}, "closed", nil, 0},
		{"the third, of canaries alone", closed, retrieval.Answer{Outcome: pg.OutcomeParseError}, retrieval.Failures{Times: 9, Handles: 2, Others: 2, Accounts: 0}, "closed", nil, 0},
		{"the third, of a canary and the only one", closed, bad, retrieval.Failures{Times: 3, Handles: 2, Others: 1, Accounts: 1}, "open", at(1), 0},
		{"the third of the only one", closed, bad, retrieval.Failures{Times: 3, Handles: 1, Accounts: 1}, "open", at(1), 0},
		{"a long Retry-After", closed, retrieval.Answer{Outcome: "server_error", RetryAt: *at(30)}, retrieval.Failures{Times: 3, Handles: 3, Accounts: 3}, "open", at(30), 0},
		{"too fast says nothing", closed, retrieval.Answer{Outcome: "rate_limited"}, retrieval.Failures{Times: 9, Handles: 9, Accounts: 9}, "closed", nil, 0},
		{"absence of a stranger says nothing", closed, retrieval.Answer{Outcome: "not_found"}, retrieval.Failures{Times: 9, Handles: 9, Accounts: 9}, "closed", nil, 0},
		{"absence of one that was there", closed, retrieval.Answer{Outcome: "not_found", Known: true}, retrieval.Failures{Times: 3, Handles: 3, Accounts: 9}, "open", at(1), 0},
		{"a good answer", closed, retrieval.Answer{Outcome: "ok"}, retrieval.Failures{}, "closed", nil, 0},
		{"open, one that was under way fails", open, retrieval.Answer{Account: 8, Outcome: "blocked"}, retrieval.Failures{Times: 9, Handles: 9, Accounts: 9}, "open", at(1), 0},
		{"open, one that was under way is well", open, retrieval.Answer{Account: 8, Outcome: "ok"}, retrieval.Failures{}, "closed", nil, 0},
		{"the trial fails", trial, bad, retrieval.Failures{Times: 9, Handles: 9, Accounts: 9}, "open", at(16), 4},
		{"the trial fails for the 41st time", long, bad, retrieval.Failures{Times: 9, Handles: 9, Accounts: 9}, "open", at(60), 41},
		{"the trial is too fast", trial, retrieval.Answer{Account: 7, Outcome: "rate_limited", RetryAt: *at(20)}, retrieval.Failures{}, "open", at(20), 3},
		{"the trial is of a stranger", trial, retrieval.Answer{Account: 7, Outcome: "not_found"}, retrieval.Failures{}, "open", at(8), 3},
		{"the trial says nothing", trial, retrieval.Answer{Account: 7}, retrieval.Failures{}, "open", at(8), 3},
		{"the trial is well", trial, retrieval.Answer{Account: 7, Outcome: "ok"}, retrieval.Failures{}, "closed", nil, 0},
		{"another fails during the trial", trial, retrieval.Answer{Account: 8, Outcome: "blocked"}, retrieval.Failures{Times: 9, Handles: 9, Accounts: 9}, "half_open", at(1), 3},
	} {
		got := tt.from.After(tt.a, tt.s, 1, noon)
		if got.State != tt.state || !equal(got.NextTryAt, tt.next) || got.Tries != tt.tries || (got.State == "closed") != (got.OpenedAt == nil) || (got.State == "half_open") != (got.TrialAccount != nil) {
			t.Errorf("%s: %+v, want %s, next try at %v after %d", tt.name, got, tt.state, tt.next, tt.tries)
		}
	}
	if c := closed.After(bad, retrieval.Failures{Times: 3, Handles: 3}, 60, noon); !c.NextTryAt.Equal(noon.Add(time.Second)) {
		t.Errorf("at 60 times the pace the next try is at %s", c.NextTryAt)
	}
}

// fails lets the next due account of a site fail.
func fails(t testing.TB, db *gorm.DB, site string, now time.Time) members.Account {
	t.Helper()
	return modelstest.Finish(t, db, modelstest.Claim(t, db, site, now), retrieval.Result{Outcome: pg.OutcomeParseError, Message: "page not understood", Requests: 1}, now)
}

// A broken world: handles a, b, c, d of the site judge, of which three failed.
func broken(t testing.TB, db *gorm.DB) members.Member {
	t.Helper()
	var last members.Member
	for i := range 4 {
		last = modelstest.Member(t, db, fmt.Sprint("m", i), map[string]string{"judge": fmt.Sprint("h", i)}, noon.Add(time.Duration(i-60)*time.Minute))
	}
	for range 3 {
		fails(t, db, "judge", noon)
	}
	c, err := retrieval.CircuitOf(t.Context(), db, "judge")
	if err != nil || c.State != retrieval.CircuitOpen {
		t.Fatalf("%+v %v", c, err)
	}
	return last
}

// While a site is not asked, its accounts wait as they were; who presses the
// button reads why, and is fetched first when it is.
func TestAccountsOfASuspendedSite(t *testing.T) {
	t.Parallel()
	for name, hold := range map[string]func(tx *gorm.DB) (release func()){
		"open": func(tx *gorm.DB) func() {
			broken(t, tx)
			return func() {
				due, err := retrieval.ClaimTrial(t.Context(), tx, "judge", modelstest.Lease, noon.Add(time.Minute))
				if err != nil || len(due) != 1 {
					t.Fatal(due, err)
				}
				modelstest.Finish(t, tx, &due[0], retrieval.Result{Requests: 1}, noon.Add(time.Minute))
			}
		},
		"paused": func(tx *gorm.DB) func() {
			if err := retrieval.PauseSite(t.Context(), tx, "judge", retrieval.SitePause{Paused: true, Reason: "the site asked for it", By: "root"}, noon); err != nil {
				t.Fatal(err)
			}
			return func() {
				if err := retrieval.PauseSite(t.Context(), tx, "judge", retrieval.SitePause{Paused: false, Reason: "", By: "root"}, noon); err != nil {
					t.Fatal(err)
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tx := modelstest.Tx(t)
			ada := modelstest.Member(t, tx, "ada", map[string]string{"judge": "ada", "other": "ada"}, noon)
			release := hold(tx)
			later := noon.AddDate(0, 0, 3)
			if err := tx.Exec(`UPDATE account_schedule SET due_at = ? WHERE account_id IN (SELECT id FROM accounts WHERE member_id = ?)`, later, ada.ID).Error; err != nil {
				t.Fatal(err)
			}
			if _, err := retrieval.Request(t.Context(), tx, ada.ID, 0, noon); err != nil {
				t.Fatal(err)
			}
			suspended, err := retrieval.SuspendedCircuits(t.Context(), tx)
			if err != nil || len(suspended) != 1 {
				t.Fatal(suspended, err)
			}
			all, err := members.AccountsOf(t.Context(), tx, ada.ID)
			if err != nil {
				t.Fatal(err)
			}
			r := retrieval.ProgressOf(&ada, all, suspended, noon)
			if s := r.Sites[0]; s.Phase != retrieval.PhaseDone || s.Message == "" || r.Sites[1].Phase != retrieval.PhaseWaiting {
				t.Errorf("the request is shown as %+v", r)
			}
			if a := modelstest.AccountOn(t, tx, ada.ID, "judge"); a.RequestedAt != nil || !a.DueAt.Equal(noon) {
				t.Errorf("asked for at %v, due %s", a.RequestedAt, a.DueAt)
			}
			for _, claim := range []func() ([]retrieval.Due, error){
				func() ([]retrieval.Due, error) {
					return retrieval.ClaimRequested(t.Context(), tx, "judge", modelstest.Lease, 9, noon)
				},
				func() ([]retrieval.Due, error) {
					return retrieval.ClaimDue(t.Context(), tx, "judge", modelstest.Lease, 9, noon)
				},
				func() ([]retrieval.Due, error) {
					return retrieval.ClaimTrial(t.Context(), tx, "judge", modelstest.Lease, noon)
				},
			} {
				if due, err := claim(); err != nil || len(due) > 0 {
					t.Errorf("claimed %v (%v)", due, err)
				}
			}
			release()
			if due, err := retrieval.ClaimDue(t.Context(), tx, "judge", modelstest.Lease, 9, noon.Add(time.Minute)); err != nil || len(due) == 0 {
				t.Errorf("nobody is fetched when the site is asked again (%v)", err)
			}
		})
	}
}

// A request from before the site broke is answered, too.
func TestRequestedBeforeItBroke(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	ada := modelstest.Member(t, tx, "ada", map[string]string{"judge": "ada"}, noon)
	if _, err := retrieval.Request(t.Context(), tx, ada.ID, 0, noon); err != nil {
		t.Fatal(err)
	}
	if err := retrieval.EndSuspendedRequests(t.Context(), tx, "judge", noon); err != nil || ptr(modelstest.AccountOn(t, tx, ada.ID, "judge")).RequestedAt == nil {
		t.Fatal("taken back from a site that is asked", err)
	}
	if err := retrieval.PauseSite(t.Context(), tx, "judge", retrieval.SitePause{Paused: true, Reason: "x", By: "root"}, noon); err != nil {
		t.Fatal(err)
	}
	if err := retrieval.EndSuspendedRequests(t.Context(), tx, "judge", noon); err != nil || ptr(modelstest.AccountOn(t, tx, ada.ID, "judge")).RequestedAt != nil {
		t.Error("still waits", err)
	}
}

// Of processes that come at once one gets the trial; when it dies another does,
// and when it is stopped, at once.
func TestOneTrialAtATime(t *testing.T) {
	t.Parallel()
	db := modelstest.DB(t)
	broken(t, db)
	claimAll := func(now time.Time) (got []retrieval.Due) {
		var mu sync.Mutex
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				due, err := retrieval.ClaimTrial(t.Context(), db, "judge", pg.Lease{ID: fmt.Sprint("p", i), For: time.Minute}, now)
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				got = append(got, due...)
				mu.Unlock()
			})
		}
		wg.Wait()
		return got
	}
	if got := claimAll(noon.Add(59 * time.Second)); len(got) != 0 {
		t.Fatalf("%d trials before it is time", len(got))
	}
	first := claimAll(noon.Add(time.Minute))
	if len(first) != 1 {
		t.Fatalf("%d trials at once", len(first))
	}
	if got := claimAll(noon.Add(2*time.Minute - time.Second)); len(got) != 0 {
		t.Errorf("%d trials beside one that goes on", len(got))
	}
	second := claimAll(noon.Add(2 * time.Minute)) // It died.
	if len(second) != 1 {
		t.Fatalf("%d trials after the first one died", len(second))
	}
	if err := retrieval.ReleaseLease(t.Context(), db, &second[0].Account); err != nil {
		t.Fatal(err)
	}
	third := claimAll(noon.Add(2 * time.Minute))
	if len(third) != 1 {
		t.Fatalf("%d trials after one was given back", len(third))
	}
	modelstest.Finish(t, db, &third[0], retrieval.Result{Outcome: pg.OutcomeBlocked, Requests: 1}, noon.Add(2*time.Minute))
	if got := claimAll(noon.Add(4*time.Minute - time.Second)); len(got) != 0 {
		t.Error("the pause has not doubled")
	}
	if got := claimAll(noon.Add(4 * time.Minute)); len(got) != 1 || got[0].ID == third[0].ID {
		t.Errorf("the next trial: %v", got)
	}
}

// A page that lost its rows seems fine for somebody who never had any: that clears
// nobody while the lists of others cannot be read, and does where nothing else fails.
func TestEmptyListsProveNothing(t *testing.T) {
	t.Parallel()
	for _, outcome := range []string{pg.OutcomeParseError, pg.OutcomeUnreachable} {
		tx := modelstest.Tx(t)
		var due []*retrieval.Due
		for i := range 3 {
			modelstest.Member(t, tx, fmt.Sprint("m", i), map[string]string{"judge": fmt.Sprint("h", i)}, noon.Add(time.Duration(i-9)*time.Minute))
			d := modelstest.Claim(t, tx, "judge", noon)
			if i < 2 {
				modelstest.StorePage(t, tx, d, noon, found(fmt.Sprint(i), noon.AddDate(0, -1, 0), "AC"))
			}
			modelstest.Finish(t, tx, d, retrieval.Result{Requests: 1, Blank: i == 2}, noon)
			due = append(due, d)
		}
		again := func(i int, res retrieval.Result) retrieval.Circuit {
			t.Helper()
			if err := tx.Exec(`UPDATE account_schedule SET due_at = CASE WHEN account_id = ? THEN ? ELSE CAST('2030-01-01' AS timestamptz) END`, due[i].ID, noon).Error; err != nil {
				t.Fatal(err)
			}
			modelstest.Finish(t, tx, modelstest.Claim(t, tx, "judge", noon), res, noon)
			c, err := retrieval.CircuitOf(t.Context(), tx, "judge")
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		bad, empty := retrieval.Result{Outcome: outcome, Requests: 1}, retrieval.Result{Requests: 1, Blank: true}
		again(0, bad)
		again(1, bad)
		if c, want := again(2, empty), map[string]int{pg.OutcomeParseError: 2, pg.OutcomeUnreachable: 0}[outcome]; c.Suspects != want {
			t.Errorf("%s, and after an empty list %d suspects, want %d", outcome, c.Suspects, want)
		}
		if c := again(0, bad); c.Broken() != (outcome == pg.OutcomeParseError) {
			t.Errorf("%s once more: %+v", outcome, c)
		}
	}
}
