package retrieval_test

import (
	"testing"
	"time"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

// The next retrieval is at the usual hour of UTC, or at the hour of joining, on the day
// that the rule says.
func TestNextFetchAtTheUsualHour(t *testing.T) {
	t.Parallel()
	joined := time.Date(2026, 1, 1, 3, 20, 0, 0, time.UTC)
	for id := int64(1); id <= 500; id++ {
		hour := int(id % 24)
		last := time.Date(2026, 3, 10, 0, 0, 0, 0, time.UTC).Add(time.Duration(id) * 173 * time.Minute)
		a := members.Account{ID: id, CreatedAt: joined, Schedule: members.Schedule{Delay: int(id % 30), LastRetrievedAt: &last}}
		if next, _ := retrieval.Plan(&a, nil, policy(last)); next.Hour() != 3 {
			t.Errorf("nobody knows its hour, and it is due at %s", next)
		}
		a.UsualHour = &hour
		next, _ := retrieval.Plan(&a, nil, policy(last))
		if want := pg.CivilDay(last, time.UTC).AddDate(0, 0, a.Delay/5+1); next.Hour() != hour || !pg.CivilDay(next, time.UTC).Equal(want) {
			t.Errorf("delay %d, last %s: due %s, want hour %d of %s", a.Delay, last, next, hour, want)
		}
	}
}

// What was found in the last year shows the hour.
func TestHourIsLearned(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	m := modelstest.Member(t, tx, "ada", map[string]string{"codeforces": "ada", "uva": "ada"}, noon)
	day := func(d, hour int) time.Time {
		return noon.UTC().Truncate(24*time.Hour).AddDate(0, 0, -d).Add(time.Duration(hour)*time.Hour + 30*time.Minute)
	}
	now := day(0, 23)
	retrieve := func(site string, times ...time.Time) members.Account {
		t.Helper()
		due := modelstest.Claim(t, tx, site, now)
		var rows []retrieval.Found
		for i, at := range times {
			rows = append(rows, retrieval.Found{ID: string(rune('a' + i)), At: at, ProblemKey: "1A", Status: "AC"})
		}
		if _, err := retrieval.StorePage(t.Context(), tx, &due.Account, retrieval.Page{Rows: rows, Next: 1, Lease: time.Minute}, now); err != nil {
			t.Fatal(err)
		}
		if err := retrieval.Finish(t.Context(), tx, due, retrieval.Result{Outcome: pg.OutcomeOK, Requests: 1}, modelstest.Rule, now); err != nil {
			t.Fatal(err)
		}
		return modelstest.AccountOn(t, tx, m.ID, site)
	}
	a := retrieve("codeforces", day(40, 19), day(1, 19), day(2, 20), day(2, 21), day(3, 20), day(800, 3), day(801, 3), day(802, 3))
	if a.UsualHour == nil || *a.UsualHour != 22 || a.DueAt.Hour() != 22 {
		t.Errorf("hour %v, due %s, want 22", a.UsualHour, a.DueAt)
	}
	if b := retrieve("uva", day(800, 3), day(801, 3), day(802, 3), day(803, 3), day(804, 3), day(1, 3)); b.UsualHour != nil || b.DueAt.Hour() != noon.Hour() {
		t.Errorf("one row of the last year: hour %v, due %s, want the hour of joining", b.UsualHour, b.DueAt)
	}
}
