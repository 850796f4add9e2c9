package retrieval_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

func claimFeed(t *testing.T, db *pg.DB, who string, now time.Time) *retrieval.Stream {
	t.Helper()
	if err := db.Exec(`INSERT INTO site_streams (site, kind, enabled) VALUES ('codeforces', 'stream', true) ON CONFLICT (site, kind) DO NOTHING`).Error; err != nil {
		t.Fatal(err)
	}
	f, err := retrieval.ClaimStream(t.Context(), db.DB, "codeforces", retrieval.KindStream, pg.Lease{ID: who, For: 5 * time.Minute}, now)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// One process at a time reads a stream; one that slept past its lease moves nothing,
// and one that died after it stored a page costs nothing but that page.
func TestStreamIsReadByOne(t *testing.T) {
	t.Parallel()
	p := newBulkWorld(t, 6, nil)
	f := claimFeed(t, p.db, "one", p.now)
	if f == nil || claimFeed(t, p.db, "two", p.now) != nil {
		t.Fatalf("%+v", f)
	}
	rows := []retrieval.StreamRow{{Handle: "H2", Found: retrieval.Found{ID: "77", At: p.now.Add(-time.Minute), ProblemKey: "p", Status: "AC", Verdict: "OK"}}, {Handle: "stranger"}}
	store := func() retrieval.Stored {
		t.Helper()
		s, err := retrieval.StoreStream(t.Context(), p.db.DB, retrieval.StreamSource{Site: "codeforces", Address: "https://codeforces.com/all"}, rows, p.now)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if s := store(); s.Inserted != 1 {
		t.Errorf("%+v", s)
	}
	late := p.now.Add(6 * time.Minute) // It dies here.
	g := claimFeed(t, p.db, "two", late)
	if g == nil || g.CursorAt != nil {
		t.Fatalf("%+v", g)
	}
	if s := store(); s.Inserted != 0 || s.Revised != 0 {
		t.Errorf("the page again: %+v", s)
	}
	err := retrieval.MoveStream(t.Context(), p.db.DB, f, retrieval.StreamStep{CursorAt: &late, Until: &late, Since: &late}, time.Minute, late)
	if !errors.Is(err, pg.ErrLeaseLost) {
		t.Errorf("who slept moved it: %v", err)
	}
	if a := p.account(2); a.Delay != 0 || a.NewRows != 1 || a.Submissions != 1 || a.Accepted != 1 || !a.NewestAt.Equal(rows[0].At) || !a.CompleteUntil.Before(p.now) {
		t.Errorf("%+v", a)
	}
}

// What was read without a gap replaces fetches, for those of whom everything
// was known before.
func TestStreamReplacesFetches(t *testing.T) {
	t.Parallel()
	now := modelstest.Noon
	long, leased := now.Add(-31*24*time.Hour), now.Add(time.Minute)
	p := newBulkWorld(t, 10, func(i int, a *members.Account) {
		known := now.Add(-100 * time.Minute)
		a.CompleteUntil, a.DueAt = &known, now.Add(30*time.Minute)
		switch i {
		case 1: // Not due until the next pass.
			today := now.Add(-2 * time.Hour)
			a.LastRetrievedAt = &today
		case 2: // Before coverage began.
			before := now.Add(-3 * time.Hour)
			a.CompleteUntil = &before
		case 3:
			a.LastAttemptAt = &long
		case 4:
			a.Failures = 1
		case 5:
			a.LeasedUntil, a.LeaseID = &leased, "somebody"
		case 6:
			a.RequestedAt = &now
		case 7: // Rows came: it is retrieved.
			a.NewRows, a.Delay = 3, 0
		case 9: // Its verdict may have changed after the last retrieval.
			open := now.Add(-46 * time.Hour)
			a.OpenAt = &open
		}
	})
	waiting := []retrieval.StreamRow{{Handle: "h8", Found: retrieval.Found{ID: "1", At: now.Add(-time.Hour), ProblemKey: "p", Status: "PENDING"}}}
	if _, err := retrieval.StoreStream(t.Context(), p.db.DB, retrieval.StreamSource{Site: "codeforces", Address: "https://codeforces.com/all"}, waiting, now); err != nil {
		t.Fatal(err)
	}
	f := claimFeed(t, p.db, "one", now)
	since, until := now.Add(-2*time.Hour), now.Add(-time.Minute)
	if err := retrieval.MoveStream(t.Context(), p.db.DB, f, retrieval.StreamStep{CursorAt: &until, Until: &until, Since: &since}, time.Minute, now); err != nil {
		t.Fatal(err)
	}
	counted, err := retrieval.FinishStream(t.Context(), p.db.DB, f, retrieval.StreamPass{Requests: 2, Outcome: pg.OutcomeOK, Pause: time.Hour}, retrieval.Rule{Rate: 1}, now)
	if err != nil || counted != 1 {
		t.Errorf("it stands for %d fetches, %v", counted, err)
	}
	for i := range 10 {
		a := p.account(i)
		fetched := a.LastRetrievedAt.Equal(now)
		covered := a.CompleteUntil.Equal(until)
		if fetched != (i == 0) || covered != (i != 2 && i != 4 && i != 5) {
			t.Errorf("account %d: fetched %t, covered %t", i, fetched, covered)
		}
	}
	if a := p.account(0); a.Delay != 5 || !a.DueAt.After(now.Add(12*time.Hour)) {
		t.Errorf("quiet: delay %d, due %s", a.Delay, a.DueAt)
	}
	if claimFeed(t, p.db, "two", now.Add(59*time.Minute)) != nil || claimFeed(t, p.db, "two", now.Add(time.Hour)) == nil {
		t.Error("the next pass is not after the pause")
	}
}

// A stream that is behind replaces no fetches, and one that fails waits longer each time.
func TestStreamThatIsBehind(t *testing.T) {
	t.Parallel()
	now := modelstest.Noon
	known := now.Add(-8 * time.Hour)
	p := newBulkWorld(t, 3, func(_ int, a *members.Account) { a.CompleteUntil = &known })
	f := claimFeed(t, p.db, "one", now)
	until := now.Add(-390 * time.Minute)
	if err := retrieval.MoveStream(t.Context(), p.db.DB, f, retrieval.StreamStep{CursorAt: &until, Until: &until, Since: &known}, time.Minute, now); err != nil {
		t.Fatal(err)
	}
	counted, err := retrieval.FinishStream(t.Context(), p.db.DB, f, retrieval.StreamPass{Requests: 1, Outcome: pg.OutcomeOK, Pause: time.Hour}, retrieval.Rule{Rate: 1}, now)
	if a := p.account(0); err != nil || counted != 0 || !a.CompleteUntil.Equal(until) {
		t.Errorf("counts as %d, complete until %s (%v)", counted, a.CompleteUntil, err)
	}
	now = now.Add(time.Hour)
	var pauses []string
	for range 3 {
		f = claimFeed(t, p.db, fmt.Sprint(now), now)
		if _, err := retrieval.FinishStream(t.Context(), p.db.DB, f, retrieval.StreamPass{Requests: 1, Outcome: pg.OutcomeParseError, Message: "?"}, retrieval.Rule{Rate: 1}, now); err != nil {
			t.Fatal(err)
		}
		var due time.Time
		if err := p.db.Raw(`SELECT due_at FROM site_streams`).Row().Scan(&due); err != nil {
			t.Fatal(err)
		}
		pauses, now = append(pauses, due.Sub(now).String()), due
		if err := p.db.Exec(`DELETE FROM site_circuits`).Error; err != nil { // It opens: not the subject here.
			t.Fatal(err)
		}
	}
	if fmt.Sprint(pauses) != "[1m0s 5m0s 15m0s]" {
		t.Errorf("pauses %v", pauses)
	}
}
