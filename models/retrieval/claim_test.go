package retrieval_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

func TestClaims(t *testing.T) {
	t.Parallel()
	before, after := noon.Add(-time.Second), noon.Add(time.Second)
	for _, tt := range []struct {
		name       string
		account    members.Account
		due, asked bool // Who may take it.
	}{
		{"due now", members.Account{Schedule: members.Schedule{DueAt: noon}}, true, false},
		{"overdue", members.Account{Schedule: members.Schedule{DueAt: before}}, true, false},
		{"due in a second", members.Account{Schedule: members.Schedule{DueAt: after}}, false, false},
		{"asked for and not due", members.Account{Schedule: members.Schedule{DueAt: after, RequestedAt: &before}}, false, true},
		{"asked for and due", members.Account{Schedule: members.Schedule{DueAt: noon, RequestedAt: &noon}}, false, true},
		{"leased by another", members.Account{Schedule: members.Schedule{DueAt: noon, LeasedUntil: &after, LeaseID: "other"}}, false, false},
		{"asked for and leased by another", members.Account{Schedule: members.Schedule{DueAt: noon, RequestedAt: &noon, LeasedUntil: &after, LeaseID: "other"}}, false, false},
		{"its lease has ended", members.Account{Schedule: members.Schedule{DueAt: noon, LeasedUntil: &noon, LeaseID: "other"}}, true, false},
		{"asked for, its lease has ended", members.Account{Schedule: members.Schedule{DueAt: after, RequestedAt: &before, LeasedUntil: &before, LeaseID: "other"}}, false, true},
		{"paused", members.Account{Schedule: members.Schedule{DueAt: noon, State: members.StatePaused}}, false, false},
		{"paused and asked for", members.Account{Schedule: members.Schedule{DueAt: noon, State: members.StatePaused, RequestedAt: &noon}}, false, false},
		{"invalid and due", members.Account{Schedule: members.Schedule{DueAt: noon, State: members.StateInvalid}}, true, false},
		{"on another site", members.Account{Site: "other", Schedule: members.Schedule{DueAt: noon}}, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ctx, tx := t.Context(), modelstest.Tx(t)
			m := members.Member{Name: "ada", TimeZone: "Asia/Kolkata"}
			if err := members.Create(ctx, tx, &m, noon); err != nil {
				t.Fatal(err)
			}
			a := tt.account
			a.MemberID, a.Handle, a.Page = m.ID, "x", 7
			if a.Site == "" {
				a.Site = "judge"
			}
			modelstest.Account(t, tx, &a)
			due, err := retrieval.ClaimDue(ctx, tx, "judge", pg.Lease{ID: "due", For: time.Minute}, 10, noon)
			if err != nil || len(due) == 1 != tt.due {
				t.Errorf("claimed %d as due (%v), want %t", len(due), err, tt.due)
			}
			asked, err := retrieval.ClaimRequested(ctx, tx, "judge", pg.Lease{ID: "asked", For: time.Minute}, 10, noon)
			if err != nil || len(asked) == 1 != tt.asked {
				t.Errorf("claimed %d as asked (%v), want %t", len(asked), err, tt.asked)
			}
			for _, d := range append(due, asked...) {
				if !equal(d.StartedAt, &noon) || !equal(d.LeasedUntil, ptr(noon.Add(time.Minute))) || d.LeaseID == "other" || d.Page != 0 || d.TimeZone != "Asia/Kolkata" {
					t.Errorf("claimed as %+v", d)
				}
			}
		})
	}
}

// Who asked first and who is longest overdue goes first.
func TestClaimOrder(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	for i, a := range []members.Account{
		{Handle: "d3", Schedule: members.Schedule{DueAt: noon.Add(-1 * time.Minute)}}, {Handle: "a2", Schedule: members.Schedule{DueAt: noon.Add(-9 * time.Hour), RequestedAt: ptr(noon.Add(-2 * time.Minute))}},
		{Handle: "d1", Schedule: members.Schedule{DueAt: noon.Add(-2 * time.Hour)}}, {Handle: "a1", Schedule: members.Schedule{DueAt: noon.Add(time.Hour), RequestedAt: ptr(noon.Add(-3 * time.Minute))}},
		{Handle: "d2", Schedule: members.Schedule{DueAt: noon.Add(-1 * time.Hour)}}, {Handle: "a3", Schedule: members.Schedule{DueAt: noon, RequestedAt: ptr(noon.Add(-2 * time.Minute))}},
	} {
		m := modelstest.Member(t, tx, fmt.Sprint("m", i), nil, noon)
		a.MemberID, a.Site = m.ID, "judge"
		modelstest.Account(t, tx, &a)
	}
	var got []string
	for range 4 {
		asked, err := retrieval.ClaimRequested(ctx, tx, "judge", modelstest.Lease, 1, noon)
		if err != nil {
			t.Fatal(err)
		}
		due, err := retrieval.ClaimDue(ctx, tx, "judge", modelstest.Lease, 1, noon)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range append(asked, due...) {
			got = append(got, d.Handle)
		}
	}
	if s, want := strings.Join(got, " "), "a1 d1 a2 d2 a3 d3"; s != want {
		t.Errorf("claimed %s, want %s", s, want)
	}
}

// A site that asked us to stay away is left alone until shortly before its time.
func TestClosedSite(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	modelstest.Member(t, tx, "ada", map[string]string{"closed": "x", "open": "y"}, noon)
	until := noon.Add(time.Hour)
	for _, stmt := range []string{`INSERT INTO request_slots (key, next_at) VALUES ('source:closed', ?)`, `INSERT INTO request_slots (key, next_at) VALUES ('host:open', ?)`} {
		if err := tx.Exec(stmt, until).Error; err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		site string
		at   time.Time
		want bool
	}{{"closed", noon, false}, {"closed", until.Add(-11 * time.Second), false}, {"open", noon, true}, {"closed", until.Add(-10 * time.Second), true}} {
		due, err := retrieval.ClaimDue(ctx, tx, tt.site, modelstest.Lease, 1, tt.at)
		if err != nil || len(due) == 1 != tt.want {
			t.Errorf("%s at %s: claimed %d (%v), want %t", tt.site, tt.at, len(due), err, tt.want)
		}
	}
}

func TestReleaseLease(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	m := modelstest.Member(t, tx, "ada", map[string]string{"judge": "x"}, noon)
	before := modelstest.AccountOn(t, tx, m.ID, "judge")
	d := modelstest.Claim(t, tx, "judge", noon)
	stale := d.Account
	stale.LeaseID = "somebody else"
	if err := retrieval.ReleaseLease(ctx, tx, &stale); err != nil || !ptr(modelstest.AccountOn(t, tx, m.ID, "judge")).Leased(noon) {
		t.Errorf("a lease was given back by somebody who has it not (%v)", err)
	}
	if err := retrieval.ReleaseLease(ctx, tx, &d.Account); err != nil {
		t.Fatal(err)
	}
	a := modelstest.AccountOn(t, tx, m.ID, "judge")
	if a.Leased(noon) || a.LeaseID != "" || !a.DueAt.Equal(before.DueAt) || a.Outcome != "" || a.Delay != 0 {
		t.Errorf("given back as %+v", a)
	}
	if _, err := retrieval.StorePage(ctx, tx, &d.Account, retrieval.Page{Rows: []retrieval.Found{found("1", noon, "AC")}, Next: 2, Lease: time.Minute}, noon); !errors.Is(err, pg.ErrLeaseLost) {
		t.Errorf("storing after giving back: got %v, want ErrLeaseLost", err)
	}
}

// Many workers on many connections empty the queue, and nobody gets what another has.
func TestTwoWorkersNeverClaimTheSameAccount(t *testing.T) {
	t.Parallel()
	db := modelstest.DB(t)
	const n = 60
	for i := range n {
		m := modelstest.Member(t, db, fmt.Sprint("m", i), map[string]string{"judge": "x"}, noon.Add(-time.Hour))
		if i%3 == 0 {
			if _, err := retrieval.Request(t.Context(), db, m.ID, 0, noon); err != nil {
				t.Fatal(err)
			}
		}
	}
	var mu sync.Mutex
	by := map[int64]string{}
	var wg sync.WaitGroup
	for w := range 6 {
		wg.Go(func() {
			claims := retrieval.ClaimDue
			if w%2 == 0 {
				claims = retrieval.ClaimRequested
			}
			for i := 0; ; i++ {
				id := fmt.Sprintf("worker %d, claim %d", w, i)
				due, err := claims(t.Context(), db, "judge", pg.Lease{ID: id, For: time.Hour}, 1+w%3, noon)
				if err != nil {
					t.Error(err)
				}
				if len(due) == 0 {
					return
				}
				mu.Lock()
				for _, d := range due {
					if by[d.ID] != "" {
						t.Errorf("account %d was claimed by %s and %s", d.ID, by[d.ID], id)
					}
					by[d.ID] = id
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	// SKIP LOCKED may pass over what another is claiming at this instant, which
	// then has it: nothing is left.
	if len(by) != n {
		t.Errorf("%d accounts were claimed, want %d", len(by), n)
	}
}

// A routine fetch that waits in line when the button is pressed is taken over;
// one that has read pages goes on (and is hurried by StorePage).
func TestTheButtonTakesOverWhatWaits(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		page int
		want int
	}{{0, 1}, {1, 1}, {2, 0}} {
		tx, now := modelstest.Tx(t), modelstest.Noon
		m := modelstest.Member(t, tx, "ada", map[string]string{"s": "ada"}, now)
		due, err := retrieval.ClaimDue(t.Context(), tx, "s", pg.Lease{ID: "routine", For: time.Minute}, 1, now)
		if err != nil || len(due) != 1 {
			t.Fatal(due, err)
		}
		if tt.page > 0 {
			if s, err := retrieval.StorePage(t.Context(), tx, &due[0].Account, retrieval.Page{Next: tt.page, Lease: time.Minute}, now); err != nil || s.Requested {
				t.Fatal(s, err)
			}
		}
		if _, err := retrieval.Request(t.Context(), tx, m.ID, 0, now.Add(time.Second)); err != nil {
			t.Fatal(err)
		}
		asked, err := retrieval.ClaimRequested(t.Context(), tx, "s", pg.Lease{ID: "asked", For: time.Minute}, 1, now.Add(2*time.Second))
		if err != nil || len(asked) != tt.want {
			t.Errorf("on page %d: %d claimed (%v), want %d", tt.page, len(asked), err, tt.want)
		}
		again, err := retrieval.ClaimRequested(t.Context(), tx, "s", pg.Lease{ID: "again", For: time.Minute}, 1, now.Add(3*time.Second))
		if err != nil || len(again) != 0 {
			t.Errorf("on page %d: claimed twice (%v)", tt.page, err)
		}
		s, err := retrieval.StorePage(t.Context(), tx, &due[0].Account, retrieval.Page{Next: 3, Lease: time.Minute}, now)
		if lost := errors.Is(err, pg.ErrLeaseLost); lost != (tt.want == 1) || !lost && !s.Requested {
			t.Errorf("on page %d: the routine fetch gets %+v, %v", tt.page, s, err)
		}
	}
}
