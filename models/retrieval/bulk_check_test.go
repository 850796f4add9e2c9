package retrieval_test

import (
	"fmt"
	"testing"
	"time"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

// bulkWorld is a site with accounts that were read two days ago.
type bulkWorld struct {
	*testing.T
	db  *pg.DB
	now time.Time
	ids []int64
}

func newBulkWorld(t *testing.T, n int, change func(int, *members.Account)) *bulkWorld {
	t.Helper()
	p := &bulkWorld{T: t, db: modelstest.Open(t), now: modelstest.Noon}
	read := p.now.Add(-48 * time.Hour)
	for i := range n {
		m := modelstest.Member(t, p.db.DB, fmt.Sprint("m", i), nil, read)
		a := members.Account{
			MemberID:  m.ID,
			Site:      "codeforces",
			Handle:    fmt.Sprint("h", i),
			CreatedAt: read,
			Schedule:  members.Schedule{State: members.StateActive, Outcome: pg.OutcomeOK, Delay: 4, LastRetrievedAt: &read, LastAttemptAt: &read, StartedAt: &read, DueAt: p.now.Add(time.Hour)},
			Coverage:  members.Coverage{CompleteUntil: &read},
		}
		if change != nil {
			change(i, &a)
		}
		modelstest.Account(t, p.db.DB, &a)
		p.ids = append(p.ids, a.ID)
	}
	return p
}

func (p *bulkWorld) claim(limit int) map[int64]bool {
	p.Helper()
	accounts, err := retrieval.ClaimBulkCheck(p.Context(), p.db.DB, "codeforces", limit, p.now)
	if err != nil {
		p.Fatal(err)
	}
	got := map[int64]bool{}
	for i := range accounts {
		got[accounts[i].ID] = true
	}
	return got
}

func (p *bulkWorld) finish(quiet, news []int64) int {
	p.Helper()
	n, err := retrieval.FinishBulkCheck(p.Context(), p.db.DB, retrieval.BulkCheck{Site: "codeforces", Began: p.now, Quiet: quiet, News: news, Requests: 1, Outcome: pg.OutcomeOK}, retrieval.Rule{Rate: 1}, p.now)
	if err != nil {
		p.Fatal(err)
	}
	return n
}

func (p *bulkWorld) account(i int) (a members.Account) {
	p.Helper()
	if err := p.db.WithContext(p.Context()).Raw(`SELECT `+pg.Columns[members.Account]("a")+` FROM account_details a WHERE id = ?`, p.ids[i]).Scan(&a).Error; err != nil {
		p.Fatal(err)
	}
	return a
}

// Who was read completely is asked about, each once in a while, in full requests.
func TestClaimBulkCheck(t *testing.T) {
	t.Parallel()
	leased, asked := modelstest.Noon.Add(time.Minute), modelstest.Noon
	p := newBulkWorld(t, 8, func(i int, a *members.Account) {
		switch i {
		case 4:
			a.LeasedUntil, a.LeaseID = &leased, "somebody"
		case 5:
			a.RequestedAt = &asked
		case 6:
			a.Failures = 1
		case 7:
			a.State, a.LastRetrievedAt, a.CompleteUntil = members.StateNew, nil, nil
		}
	})
	if got := p.claim(3); len(got) != 3 {
		t.Fatalf("claimed %d, want 3", len(got))
	}
	p.now = p.now.Add(4 * time.Hour)
	if got := p.claim(10); len(got) != 5 || !got[p.ids[3]] || !got[p.ids[4]] {
		t.Errorf("claimed %v: want the two that are due, with the three that will be soon", got)
	}
	p.now = p.now.Add(5 * time.Hour)
	if got := p.claim(10); len(got) != 0 {
		t.Errorf("claimed %v after five hours", got)
	}
}

// Who may have news is retrieved at once, but no more often than they are asked about.
func TestBulkCheckFindsNews(t *testing.T) {
	t.Parallel()
	p := newBulkWorld(t, 3, func(i int, a *members.Account) {
		a.LastRetrievedAt = ptr(modelstest.Noon.Add(-time.Hour))
		a.LastAttemptAt = ptr(modelstest.Noon.Add([]time.Duration{-time.Hour, -20 * time.Hour, -time.Hour}[i]))
		if i == 2 {
			a.LastRetrievedAt, a.UsualHour = ptr(modelstest.Noon.Add(-24*time.Hour)), ptr(14) // Its slot.
		}
	})
	p.finish(nil, p.ids)
	for i, want := range []time.Time{p.now.Add(5 * time.Hour), p.now, p.now.Add(2 * time.Hour)} {
		if a := p.account(i); !a.DueAt.Truncate(time.Hour).Equal(want) || a.Delay != 0 {
			t.Errorf("account %d is due %s, with delay %d; want %s", i, a.DueAt, a.Delay, want)
		}
	}
}

// Which fetches a bulk check replaces.
func TestFinishBulkCheck(t *testing.T) {
	t.Parallel()
	fresh, leased, old := modelstest.Noon.Add(-26*time.Hour), modelstest.Noon.Add(time.Minute), modelstest.Noon.Add(-31*24*time.Hour)
	p := newBulkWorld(t, 8, func(i int, a *members.Account) {
		switch i {
		case 1: // It was retrieved today.
			a.LastRetrievedAt = ptr(modelstest.Noon.Add(-time.Hour))
		case 2:
			a.NewestAt, a.OpenAt = &fresh, &fresh // Its verdict may have changed after the last fetch.
		case 3:
			a.LeasedUntil, a.LeaseID = &leased, "somebody"
		case 4:
			a.LastAttemptAt = &old
		case 7:
			a.NewestAt, a.OpenAt = &fresh, &old // That of an old one may have, and did not.
		}
	})
	if n := p.finish(append(p.ids[:5:5], p.ids[7]), p.ids[5:6]); n != 2 {
		t.Errorf("the bulk check counts as %d retrievals, want 2", n)
	}
	if a := p.account(0); a.Delay != 5 || !a.LastRetrievedAt.Equal(p.now) || !a.CompleteUntil.Equal(p.now) || !a.DueAt.After(p.now.Add(30*time.Hour)) {
		t.Errorf("the quiet one that was due: delay %d, read %s, complete until %s, due %s", a.Delay, a.LastRetrievedAt, a.CompleteUntil, a.DueAt)
	}
	for i, complete := range map[int]bool{1: true, 2: true, 3: false, 4: true, 6: false} {
		a := p.account(i)
		if a.Delay != 4 || a.LastRetrievedAt.Equal(p.now) || a.CompleteUntil.Equal(p.now) != complete {
			t.Errorf("account %d: delay %d, read %s, complete until %s", i, a.Delay, a.LastRetrievedAt, a.CompleteUntil)
		}
	}
	if a := p.account(5); a.Delay != 0 || a.DueAt.After(p.now) {
		t.Errorf("the one with news: delay %d, due %s", a.Delay, a.DueAt)
	}
	var requests int
	if err := p.db.Raw(`SELECT requests FROM site_hours WHERE site = 'codeforces' AND outcome = 'ok'`).Row().Scan(&requests); err != nil || requests != 1 {
		t.Errorf("%d requests are counted, %v", requests, err)
	}
}

// Who has submitted nothing for long is asked about once a day.
func TestBulkCheckOfTheDormant(t *testing.T) {
	t.Parallel()
	idle := []int{10, 29, 31, 900, 0} // Days; at last somebody new, without submissions.
	p := newBulkWorld(t, len(idle), func(i int, a *members.Account) {
		if at := modelstest.Noon.AddDate(0, 0, -idle[i]); idle[i] > 0 {
			a.NewestAt = &at
		}
		a.DueAt = modelstest.Noon.Add(10 * time.Hour)
	})
	p.claim(10)
	p.finish(p.ids, nil)
	for i, want := range []time.Duration{6 * time.Hour, 6 * time.Hour, 24 * time.Hour, 24 * time.Hour, 6 * time.Hour} {
		var checked time.Time
		if err := p.db.Raw(`SELECT checked_at FROM account_details WHERE id = ?`, p.ids[i]).Row().Scan(&checked); err != nil {
			t.Fatal(err)
		}
		if got := checked.Add(retrieval.CheckEvery).Sub(p.now); got != want {
			t.Errorf("idle for %d days: asked about again after %s, want %s", idle[i], got, want)
		}
	}
}

// Bulk checks replace fetches for a month.
func TestHowLongBulkChecksReplaceFetches(t *testing.T) {
	t.Parallel()
	for days, want := range map[int]bool{1: true, 29: true, 31: false, 400: false} {
		p := newBulkWorld(t, 1, func(_ int, a *members.Account) { a.LastAttemptAt = ptr(modelstest.Noon.AddDate(0, 0, -days)) })
		if got := p.finish(p.ids, nil) == 1; got != want {
			t.Errorf("retrieved %d days ago: the bulk check replaces a fetch: %t, want %t", days, got, want)
		}
	}
}

// Nobody is asked about while the site is paused or its circuit is open.
func TestNoBulkCheckOfASuspendedSite(t *testing.T) {
	t.Parallel()
	p := newBulkWorld(t, 3, nil)
	pause := func(paused bool) {
		if err := retrieval.PauseSite(t.Context(), p.db.DB, "codeforces", retrieval.SitePause{Paused: paused, Reason: "the site asked for it", By: "root"}, p.now); err != nil {
			t.Fatal(err)
		}
	}
	pause(true)
	if got := p.claim(10); len(got) != 0 {
		t.Errorf("paused, and %d are asked about", len(got))
	}
	pause(false)
	for _, state := range []string{"open", "half_open"} {
		if err := p.db.Exec(`UPDATE site_circuits SET state = ?`, state).Error; err != nil {
			t.Fatal(err)
		}
		if got := p.claim(10); len(got) != 0 {
			t.Errorf("%s, and %d are asked about", state, len(got))
		}
	}
	if err := p.db.Exec(`UPDATE site_circuits SET state = 'closed'`).Error; err != nil {
		t.Fatal(err)
	}
	if got := p.claim(10); len(got) != 3 {
		t.Errorf("closed, and %d are asked about", len(got))
	}
}

// A bulk check that fails is one failure: alone it opens nothing, with
// accounts it does. A good one clears nobody and closes nothing.
func TestBulkCheckFailureCountsAgainstTheSite(t *testing.T) {
	t.Parallel()
	p := newBulkWorld(t, 3, func(_ int, a *members.Account) { a.DueAt = modelstest.Noon.Add(-time.Hour) })
	end := func(outcome string, requests int) retrieval.Circuit {
		t.Helper()
		_, err := retrieval.FinishBulkCheck(t.Context(), p.db.DB, retrieval.BulkCheck{Site: "codeforces", Began: p.now, Outcome: outcome, Message: "no list", Requests: requests}, retrieval.Rule{Rate: 1}, p.now)
		if err != nil {
			t.Fatal(err)
		}
		c, err := retrieval.CircuitOf(t.Context(), p.db.DB, "codeforces")
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	if c := end(pg.OutcomeParseError, 0); c.Suspects != 0 {
		t.Errorf("nobody was asked: %+v", c)
	}
	if c := end(pg.OutcomeRateLimited, 1); c.Suspects != 0 {
		t.Errorf("too fast says nothing: %+v", c)
	}
	for range 4 {
		if c := end(pg.OutcomeParseError, 1); c.State != retrieval.CircuitClosed || c.Suspects != 1 || c.Message != "no list" {
			t.Fatalf("bulk checks alone: %+v", c)
		}
	}
	if c := end(pg.OutcomeOK, 1); c.Suspects != 1 {
		t.Errorf("a good one cleared the bad ones: %+v", c)
	}
	fails(t, p.db.DB, "codeforces", p.now)
	if c := end(pg.OutcomeOK, 1); c.State != retrieval.CircuitOpen {
		t.Errorf("an account failed, too, and after a good bulk check it is %+v", c)
	}
}
