package models_test

import (
	"math"
	"testing"
	"time"

	"laurel/models"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
)

var byRhythm = models.Rule{Divisor: 5, Rhythm: true, Rate: 1}

// The pause is 0.8 days by the root of the days with news per day, at the usual hour.
func TestNextLookByRhythm(t *testing.T) {
	t.Parallel()
	last := time.Date(2026, 3, 10, 15, 0, 0, 0, time.UTC)
	days := func(d float64) *time.Time { return ptr(last.Add(-time.Duration(d * 24 * float64(time.Hour)))) }
	for _, tt := range []struct {
		name string
		a    models.Account
		rule models.Rule
		want float64 // Days.
	}{
		{"every day", models.Account{Delay: 99, NewestAt: days(0), Activity: 1, ActivityAt: days(0)}, byRhythm, 0.9},
		{"every fourth day", models.Account{Delay: 99, NewestAt: days(2), Activity: 0.25, ActivityAt: days(0)}, byRhythm, 0.8 / math.Sqrt(0.25+0.3/3)},
		{"the same, fifty days ago", models.Account{Delay: 99, NewestAt: days(52), Activity: 0.25, ActivityAt: days(50)}, byRhythm, 0.8 / math.Sqrt(0.25/math.E+0.3/53)},
		{"rarely, and last some weeks ago", models.Account{Delay: 99, NewestAt: days(59), Activity: 0.01, ActivityAt: days(59)}, byRhythm, 2.7},
		{"half a year ago", models.Account{Delay: 99, NewestAt: days(180), Activity: 0.01, ActivityAt: days(180)}, byRhythm, 8.1},
		{"not for years", models.Account{Delay: 99, NewestAt: days(2000)}, byRhythm, 12},
		{"never, and new here", models.Account{Delay: 99, CreatedAt: last}, byRhythm, 0.8 / math.Sqrt(0.3)},
		{"never, and here for long", models.Account{Delay: 99, CreatedAt: *days(500)}, byRhythm, 12},
		{"a delay that was reset", models.Account{Delay: 0, NewestAt: days(2000)}, byRhythm, 1},
		{"two looks later", models.Account{Delay: 2, NewestAt: days(2000)}, byRhythm, 3},
		{"an admin's limit", models.Account{Delay: 99, NewestAt: days(2000)}, models.Rule{Rhythm: true, MaxWait: 5}, 5},
		{"a row from the future", models.Account{Delay: 99, NewestAt: days(-9)}, byRhythm, 0.8 / math.Sqrt(0.3)},
	} {
		tt.a.LastRetrievedAt = &last
		got := tt.a.NextLook(tt.rule, time.UTC, last).Sub(last).Hours() / 24
		if math.Abs(got-tt.want) > 1e-6 {
			t.Errorf("%s: after %.3f days, want %.3f", tt.name, got, tt.want)
		}
	}
}

// Looks come when the day of the account is usually over, and neither twice a day nor never.
func TestNextLookAtTheUsualHour(t *testing.T) {
	t.Parallel()
	for id := int64(1); id <= 500; id++ {
		hour := int(id % 24)
		last := time.Date(2026, 3, 10, 0, 0, 0, 0, time.UTC).Add(time.Duration(id) * 173 * time.Minute)
		a := models.Account{ID: id, Delay: 9, LastRetrievedAt: &last, NewestAt: &last, Activity: 1, ActivityAt: &last, UsualHour: &hour}
		next := a.NextLook(byRhythm, time.UTC, last)
		if next.Hour() != hour {
			t.Errorf("the look is at %s, want hour %d", next, hour)
		}
		if pause := next.Sub(last).Hours(); pause < 0.4*24 || pause > 1.5*24 {
			t.Errorf("account %d is looked at again after %.1f hours", id, pause)
		}
	}
}

// What was found tells the rhythm: four evenings of the last weeks, and nothing for
// a year and a day.
func TestRhythmIsLearned(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	m := modelstest.Member(t, tx, "ada", map[string]string{"codeforces": "ada", "uva": "ada"}, noon)
	day := func(d, hour int) time.Time {
		return noon.UTC().Truncate(24*time.Hour).AddDate(0, 0, -d).Add(time.Duration(hour)*time.Hour + 30*time.Minute)
	}
	now := day(0, 23)
	rows := func(times ...time.Time) (found []models.Found) {
		for i, at := range times {
			found = append(found, models.Found{ID: string(rune('a' + i)), At: at, ProblemKey: "1A", Status: "AC"})
		}
		return found
	}
	look := func(site string, found []models.Found) models.Account {
		t.Helper()
		due := modelstest.Claim(t, tx, site, now)
		if _, err := models.StorePage(t.Context(), tx, &due.Account, found, 1, time.Minute, now); err != nil {
			t.Fatal(err)
		}
		if err := models.FinishRetrieval(t.Context(), tx, due, models.Result{Outcome: pg.OutcomeOK, Requests: 1}, byRhythm, time.Hour, now); err != nil {
			t.Fatal(err)
		}
		return modelstest.AccountOn(t, tx, m.ID, site)
	}
	a := look("codeforces", rows(day(40, 19), day(1, 19), day(2, 20), day(2, 21), day(3, 20), day(800, 3), day(801, 3), day(802, 3)))
	activity := 0.0
	for _, ago := range []float64{40 + 3.5/24, 1 + 3.5/24, 2 + 2.5/24, 3 + 2.5/24} {
		activity += math.Exp(-(ago+0.0)/50) / 50
	}
	if math.Abs(a.Activity-activity) > 0.0005 || a.UsualHour == nil || *a.UsualHour != 22 || a.Delay != 0 {
		t.Errorf("activity %.4f, hour %v, delay %d, want %.4f, 22 and 0", a.Activity, a.UsualHour, a.Delay, activity)
	}
	if a.DueAt.Hour() != 22 || a.DueAt.Sub(now) > 36*time.Hour {
		t.Errorf("due %s", a.DueAt)
	}
	b := look("uva", rows(day(800, 3), day(801, 3), day(802, 3), day(803, 3), day(804, 3)))
	if b.Activity != 0 || b.UsualHour != nil || b.Delay != 11 || b.DueAt.Sub(now) != 12*24*time.Hour {
		t.Errorf("who has left long ago: activity %.4f, hour %v, delay %d, due after %s", b.Activity, b.UsualHour, b.Delay, b.DueAt.Sub(now))
	}
}

// Who was away for weeks and submits something is looked at on all sites, once; but not
// who was there all the time, nor an account that somebody is at.
func TestWhoComesBack(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	read, later, leased := noon.AddDate(0, 0, -5), noon.AddDate(0, 0, 9), noon.Add(time.Minute)
	member := func(name string, history ...time.Time) members.Member {
		m := modelstest.Member(t, tx, name, nil, noon.AddDate(-1, 0, 0))
		for i, site := range []string{"codeforces", "spoj", "uva"} {
			a := models.Account{MemberID: m.ID, Site: site, Handle: name, State: models.StateActive, Outcome: pg.OutcomeOK, Delay: 9,
				LastRetrievedAt: &read, LastAttemptAt: &read, CompleteUntil: &read, DueAt: later, CreatedAt: noon.AddDate(-1, 0, 0)}
			if i == 0 {
				a.DueAt = noon
			}
			if i == 2 {
				a.LeasedUntil, a.LeaseID = &leased, "somebody"
			}
			modelstest.Account(t, tx, &a)
		}
		due := modelstest.Claim(t, tx, "codeforces", noon)
		var rows []models.Found
		for i, at := range history {
			rows = append(rows, models.Found{ID: name + string(rune('a'+i)), At: at, ProblemKey: "1A", Status: "AC"})
		}
		if _, err := models.StorePage(t.Context(), tx, &due.Account, rows, 1, time.Minute, noon); err != nil {
			t.Fatal(err)
		}
		if err := models.FinishRetrieval(t.Context(), tx, due, models.Result{Outcome: pg.OutcomeOK, Requests: 1}, byRhythm, time.Hour, noon); err != nil {
			t.Fatal(err)
		}
		return m
	}
	hour, long := noon.Add(-time.Hour), noon.AddDate(0, 0, -100)
	for _, tt := range []struct {
		name    string
		history []time.Time
		due     time.Time // Of the account on SPOJ.
	}{
		{"back", []time.Time{long, hour}, noon}, {"new", []time.Time{hour}, noon}, {"always", []time.Time{long, noon.AddDate(0, 0, -10), hour}, later}, {"gone", []time.Time{long}, later},
		{"earlier", []time.Time{long, noon.AddDate(0, 0, -6), hour}, later},
	} {
		m := member(tt.name, tt.history...)
		if got := modelstest.AccountOn(t, tx, m.ID, "spoj").DueAt; !got.Equal(tt.due) {
			t.Errorf("%s: the other account is due %s, want %s", tt.name, got, tt.due)
		}
		if got := modelstest.AccountOn(t, tx, m.ID, "uva").DueAt; !got.Equal(later) {
			t.Errorf("%s: the account that somebody is at is due %s", tt.name, got)
		}
	}
}
