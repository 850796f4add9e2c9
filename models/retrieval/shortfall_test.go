package retrieval_test

import (
	"fmt"
	"testing"
	"time"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/profiles"
	"laurel/models/retrieval"
)

// gapRows are so many submissions of a day, from noon on.
func gapRows(day time.Time, from, n int) (rows []retrieval.Found) {
	for i := from; i < from+n; i++ {
		at := day.Add(12*time.Hour + time.Duration(i)*time.Minute)
		rows = append(rows, retrieval.Found{ID: fmt.Sprint(at.Unix()), At: at, ProblemKey: fmt.Sprint("p", i), Status: "AC", Verdict: "Accepted"})
	}
	return rows
}

// What a site counts and does not list any more makes an account incomplete, fetch
// for fetch, until somebody brings it; then streaks are those of the whole history.
func TestShortfall(t *testing.T) {
	tx := modelstest.Tx(t)
	m := modelstest.Member(t, tx, "ada", map[string]string{"leetcode": "ada"}, modelstest.Noon)
	day := func(n int) time.Time { return pg.CivilDay(modelstest.Noon, time.UTC).AddDate(0, 0, n) }
	now := modelstest.Noon
	fetch := func(reported retrieval.Counted, rows ...retrieval.Found) members.Account {
		t.Helper()
		now = now.Add(time.Minute)
		if err := retrieval.RequestAccounts(t.Context(), tx, m.ID, "", now); err != nil {
			t.Fatal(err)
		}
		due, err := retrieval.ClaimMember(t.Context(), tx, m.ID, pg.Lease{ID: fmt.Sprint(now.Unix()), For: time.Hour}, now)
		if err != nil || len(due) != 1 {
			t.Fatalf("%d claimed, error %v", len(due), err)
		}
		if _, err := retrieval.StorePage(t.Context(), tx, &due[0].Account, retrieval.Page{Rows: rows, Next: 1, Lease: time.Hour}, now); err != nil {
			t.Fatal(err)
		}
		res := retrieval.Result{Outcome: pg.OutcomeOK, Requests: 1, Reported: &reported}
		if err := retrieval.Finish(t.Context(), tx, &due[0], res, retrieval.Rule{Rate: 1, Overlap: time.Hour}, now); err != nil {
			t.Fatal(err)
		}
		as, err := members.AccountsOf(t.Context(), tx, m.ID)
		if err != nil {
			t.Fatal(err)
		}
		return as[0]
	}
	says := func(a members.Account) string {
		text := fmt.Sprint(a.Missing)
		for _, at := range []*time.Time{a.MissingFrom, a.MissingUntil} {
			if at == nil {
				text += " -"
				continue
			}
			text += " " + at.UTC().Format("02")
		}
		if a.CompleteUntil == nil {
			return text + " nothing"
		}
		if a.CompleteUntil.Equal(*a.StartedAt) {
			return text + " now"
		}
		return text + " " + a.CompleteUntil.UTC().Format("02 15:04")
	}
	streak := func() int {
		p, err := profiles.Of(t.Context(), tx, "ada", day(-30), 1)
		if err != nil {
			t.Fatal(err)
		}
		return p.Stats.BestDayStreak
	}
	counted := map[time.Time]int{day(-5): 2, day(-4): 3, day(-3): 25, day(-2): 4}
	name := func(n int) string { return day(n).Format("02") }
	for _, tt := range []struct {
		what     string
		reported retrieval.Counted
		rows     []retrieval.Found
		want     string
	}{
		{"everything", retrieval.Counted{Total: 2, Days: map[time.Time]int{day(-5): 2}}, gapRows(day(-5), 0, 2), "0 - - now"},
		{"a busy time", retrieval.Counted{Total: 34, Days: counted}, append(gapRows(day(-3), 9, 16), gapRows(day(-2), 0, 4)...), "12 " + name(-4) + " " + name(-3) + " " + name(-4) + " 00:00"},
		{"again", retrieval.Counted{Total: 34, Days: counted}, nil, "12 " + name(-4) + " " + name(-3) + " " + name(-4) + " 00:00"},
		{"older ones", retrieval.Counted{Total: 100, Days: counted}, nil, "78 - " + name(-3) + " nothing"},
		{"fewer than are here", retrieval.Counted{Total: 3}, nil, "0 - - now"},
		{"half of it is brought", retrieval.Counted{Total: 34, Days: counted}, gapRows(day(-4), 0, 3), "9 " + name(-3) + " " + name(-3) + " " + name(-3) + " 00:00"},
		{"all of it", retrieval.Counted{Total: 34, Days: counted}, gapRows(day(-3), 0, 9), "0 - - now"},
	} {
		if got := says(fetch(tt.reported, tt.rows...)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.what, got, tt.want)
		}
		want := map[string]int{"everything": 1, "half of it is brought": 4, "all of it": 4}[tt.what]
		if want > 0 && streak() != want {
			t.Errorf("%s: a streak of %d, want %d", tt.what, streak(), want)
		}
	}
	for hours, want := range map[int]time.Duration{1: 30 * time.Minute, 20: 10 * time.Hour} {
		a := fetch(retrieval.Counted{Total: 34, Days: counted, Oldest: now.Add(time.Minute - time.Duration(hours)*time.Hour)})
		if pause := a.DueAt.Sub(now); pause != want {
			t.Errorf("a list filled in %d hours: the next fetch in %s, want %s", hours, pause, want)
		}
	}
	if a := fetch(retrieval.Counted{Total: 34, Days: counted, Oldest: now.AddDate(-1, 0, 0)}); a.DueAt.Sub(now) < 20*time.Hour/2 {
		t.Errorf("a list of a year: the next fetch in %s", a.DueAt.Sub(now))
	}
}
