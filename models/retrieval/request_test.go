package retrieval_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gorm.io/gorm"

	"laurel/models/accounts"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

const coolDown = 10 * time.Minute

var threeSites = map[string]string{"a": "x", "b": "y", "c": "z"}

func TestRequestRetrieval(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	m := members.Member{Name: "ada"}
	if err := members.Create(ctx, tx, &m, noon); err != nil {
		t.Fatal(err)
	}
	tomorrow := noon.AddDate(0, 0, 1)
	for site, state := range map[string]string{"new": members.StateNew, "active": members.StateActive, "invalid": members.StateInvalid, "paused": members.StatePaused} {
		modelstest.Account(t, tx, &members.Account{MemberID: m.ID, Site: site, Handle: "x", Schedule: members.Schedule{State: state, Delay: 12, DueAt: tomorrow}})
	}
	other := modelstest.Member(t, tx, "eve", map[string]string{"active": "e"}, tomorrow)
	at, err := retrieval.Request(ctx, tx, m.ID, coolDown, noon)
	if err != nil || !at.Equal(noon) {
		t.Fatalf("got %s, %v; want the time of asking", at, err)
	}
	for _, site := range []string{"new", "active", "invalid", "paused"} {
		a := modelstest.AccountOn(t, tx, m.ID, site)
		if a.Delay != 0 {
			t.Errorf("%s: delay %d right after the press, want 0", site, a.Delay)
		}
		if asked := equal(a.RequestedAt, &noon); asked == (site == "paused") {
			t.Errorf("%s: asked at %v", site, a.RequestedAt)
		}
		if a.State != site {
			t.Errorf("%s became %s", site, a.State)
		}
	}
	if modelstest.AccountOn(t, tx, other.ID, "active").RequestedAt != nil {
		t.Error("somebody else's account was asked, too")
	}
	again, err := retrieval.Request(ctx, tx, m.ID, coolDown, noon.Add(time.Minute))
	if err != nil || !again.Equal(noon) {
		t.Errorf("a second press gives %s, %v; want the running request's time", again, err)
	}
	if a := modelstest.AccountOn(t, tx, m.ID, "active"); !equal(a.RequestedAt, &noon) {
		t.Errorf("a second press moved the request to %s", a.RequestedAt)
	}
}

func TestRequestRetrievalOfNothing(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	m := modelstest.Member(t, tx, "ada", nil, noon)
	if _, err := retrieval.Request(ctx, tx, m.ID, coolDown, noon); modelstest.Field(t, err) != "accounts" {
		t.Errorf("without accounts: got %v", err)
	}
	modelstest.Account(t, tx, &members.Account{MemberID: m.ID, Site: "a", Handle: "x", Schedule: members.Schedule{State: members.StatePaused, DueAt: noon}})
	if _, err := retrieval.Request(ctx, tx, m.ID, coolDown, noon); modelstest.Field(t, err) != "accounts" {
		t.Errorf("with a paused account alone: got %v", err)
	}
	if m, _ = members.ByID(ctx, tx, m.ID); m.RequestedAt != nil {
		t.Error("a press that failed was noted")
	}
	if _, err := retrieval.Request(ctx, tx, -1, coolDown, noon); !errors.Is(err, pg.ErrNotFound) {
		t.Errorf("of nobody: got %v, want ErrNotFound", err)
	}
}

// The cool-down is used up by a retrieval that went well, and by no other.
func TestCoolDown(t *testing.T) {
	t.Parallel()
	const ok, gone, broken = pg.OutcomeOK, pg.OutcomeNotFound, pg.OutcomeServerError
	for _, tt := range []struct {
		name string
		a, b string // Outcomes.
		cool bool
	}{
		{"both well", ok, ok, true}, {"one broken", ok, broken, false}, {"both broken", broken, broken, false},
		{"one unreachable", pg.OutcomeUnreachable, ok, false}, {"nobody there once", gone, gone, false}, {"one not there once", ok, gone, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ctx, tx := t.Context(), modelstest.Tx(t)
			m := modelstest.Member(t, tx, "ada", map[string]string{"a": "x", "b": "y"}, noon)
			if _, err := retrieval.Request(ctx, tx, m.ID, coolDown, noon); err != nil {
				t.Fatal(err)
			}
			now := noon.Add(5 * time.Second)
			modelstest.Finish(t, tx, modelstest.Claim(t, tx, "a", now), retrieval.Result{Outcome: tt.a}, now)
			if at, err := retrieval.Request(ctx, tx, m.ID, coolDown, now); err != nil || !at.Equal(noon) {
				t.Errorf("while one site is still read: %s, %v; want the running request", at, err)
			}
			modelstest.Finish(t, tx, modelstest.Claim(t, tx, "b", now), retrieval.Result{Outcome: tt.b}, now)
			at, err := retrieval.Request(ctx, tx, m.ID, coolDown, now)
			cool, isCool := errors.AsType[*pg.Error](err)
			if isCool != tt.cool || isCool && cool.After != noon.Add(coolDown).Sub(now) || !isCool && !at.Equal(now) {
				t.Errorf("pressed again: %s, %v; want a cool-down = %t, until %s", at, err, tt.cool, noon.Add(coolDown))
			}
			if at, err := retrieval.Request(ctx, tx, m.ID, coolDown, noon.Add(coolDown)); err != nil {
				t.Errorf("pressed after it: %s, %v", at, err)
			}
		})
	}
}

// An invalid handle is an answer: it neither uses up the cool-down nor spares it.
func TestCoolDownWithAnInvalidHandle(t *testing.T) {
	t.Parallel()
	asked := members.Member{RequestedAt: &noon}
	invalid := members.Account{Schedule: members.Schedule{State: members.StateInvalid, Outcome: pg.OutcomeNotFound, LastAttemptAt: &noon}}
	well := members.Account{Schedule: members.Schedule{State: members.StateActive, Outcome: pg.OutcomeOK, LastAttemptAt: &noon}}
	before := well
	before.LastAttemptAt = ptr(noon.Add(-time.Second))
	paused := members.Account{Schedule: members.Schedule{State: members.StatePaused, Outcome: pg.OutcomeServerError, LastAttemptAt: &noon}}
	for _, tt := range []struct {
		name     string
		m        members.Member
		accounts []members.Account
		want     bool
	}{
		{"never pressed", members.Member{}, []members.Account{well}, false}, {"no accounts", asked, nil, false}, {"invalid alone", asked, []members.Account{invalid}, false},
		{"invalid and well", asked, []members.Account{invalid, well}, true}, {"well before the press", asked, []members.Account{before}, false},
		{"paused and broken, and well", asked, []members.Account{paused, well}, true},
	} {
		if until, got := retrieval.CoolsUntil(&tt.m, tt.accounts, coolDown); got != tt.want || got && !until.Equal(noon.Add(coolDown)) {
			t.Errorf("%s: got %t until %s, want %t", tt.name, got, until, tt.want)
		}
	}
}

// An admin's request for one site is no press of the button, which still requests all.
func TestTheButtonBesideARequestOfSingleAccounts(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	m := modelstest.Member(t, tx, "ada", threeSites, noon)
	if _, err := retrieval.Request(ctx, tx, m.ID, coolDown, noon.AddDate(0, 0, -1)); err != nil {
		t.Fatal(err)
	}
	for site := range threeSites {
		modelstest.Finish(t, tx, modelstest.Claim(t, tx, site, noon.Add(-time.Hour)), retrieval.Result{}, noon.Add(-time.Hour))
	}
	if err := retrieval.RequestAccounts(ctx, tx, m.ID, "a", noon); err != nil {
		t.Fatal(err)
	}
	pressed := noon.Add(time.Second)
	if at, err := retrieval.Request(ctx, tx, m.ID, coolDown, pressed); err != nil || !at.Equal(pressed) {
		t.Errorf("got %s, %v; want a request of its own", at, err)
	}
	for site := range threeSites {
		if modelstest.AccountOn(t, tx, m.ID, site).RequestedAt == nil {
			t.Errorf("%s was not asked", site)
		}
	}
}

// Two presses at the same moment on two connections give one request.
func TestTwoPressesAtOnce(t *testing.T) {
	t.Parallel()
	db := modelstest.DB(t)
	for i := range 10 {
		m := modelstest.Member(t, db, "m"+string(rune('a'+i)), threeSites, noon)
		var at [4]time.Time
		var wg sync.WaitGroup
		for j := range at {
			wg.Go(func() {
				var err error
				if at[j], err = retrieval.Request(t.Context(), db, m.ID, coolDown, noon.Add(time.Duration(j)*time.Millisecond)); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		for _, got := range at {
			if !got.Equal(at[0]) || !equal(modelstest.AccountOn(t, db, m.ID, "b").RequestedAt, &got) {
				t.Errorf("presses at once gave the times %s", at)
			}
		}
	}
}

// The button in a loop while the member's three accounts are read on other
// connections: nobody waits in a circle, and nobody's fetch is lost.
func TestTheButtonAndTheWorkersDoNotDeadlock(t *testing.T) {
	t.Parallel()
	db := modelstest.DB(t)
	m := modelstest.Member(t, db, "ada", threeSites, noon)
	ctx, stop := context.WithCancel(t.Context())
	var fetches atomic.Int32
	var wg sync.WaitGroup
	for site := range threeSites {
		wg.Go(func() {
			for ctx.Err() == nil {
				if err := fetchOnce(context.WithoutCancel(ctx), db, site, int(fetches.Add(1))); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for i := 0; i < 30 || fetches.Load() < 10 && i < 3000; i++ { // A worker may come late to a busy processor.
		if _, err := retrieval.Request(t.Context(), db, m.ID, 0, noon.Add(time.Duration(i)*time.Second)); err != nil {
			t.Error(err)
		}
		if err := accounts.EditPerson(t.Context(), db, m.ID, "", []string{"UTC", "Asia/Kolkata"}[i%2], modelstest.Noon); err != nil {
			t.Error(err)
		}
	}
	stop()
	wg.Wait()
	if p := modelstest.Profile(t, db, "ada"); p.Stats.Submissions != 9 || fetches.Load() < 10 {
		t.Errorf("%d submissions after %d fetches, want 9", p.Stats.Submissions, fetches.Load())
	}
}

// fetchOnce fetches the one account of a site if it can be claimed.
func fetchOnce(ctx context.Context, db *gorm.DB, site string, i int) error {
	now := noon.Add(time.Duration(i) * time.Hour)
	due, err := retrieval.ClaimRequested(ctx, db, site, modelstest.Lease, 1, now)
	if err != nil || len(due) == 0 { // Not asked for, or the button holds it at this instant.
		return err
	}
	rows := []retrieval.Found{found(site+"1", now, "AC"), found("2", now, "WA"), found("3", now, "PENDING")}
	if _, err := retrieval.StorePage(ctx, db, &due[0].Account, retrieval.Page{Rows: rows, Next: 2, Lease: modelstest.Lease.For}, now); err != nil {
		return err
	}
	return retrieval.Finish(ctx, db, &due[0], retrieval.Result{Outcome: pg.OutcomeOK}, modelstest.Rule, now)
}
