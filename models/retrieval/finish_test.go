package retrieval_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"laurel/models/accounts"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/profiles"
	"laurel/models/retrieval"
	"laurel/models/submissions"
)

func TestFinishSums(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	modelstest.Member(t, tx, "ada", map[string]string{"a": "x", "b": "y"}, noon)
	twice := found("3", noon, "AC")
	twice.ProblemKey = "p1"
	a := fetch(t, tx, "a", noon, found("1", noon.Add(-time.Hour), "AC"), found("2", noon, "WA"), twice, found("4", noon, "PENDING"))
	if a.Submissions != 4 || a.Accepted != 2 || a.Solved != 1 || !equal(a.NewestAt, &noon) || string(a.Statuses) != `{"AC": 2, "WA": 1, "PENDING": 1}` {
		t.Errorf("sums %d/%d/%d, newest %s, statuses %s", a.Submissions, a.Accepted, a.Solved, a.NewestAt, a.Statuses)
	}
	if a.State != members.StateActive || a.LastNew != 4 || a.NewRows != 0 || a.PendingFrom != nil || a.LeaseID != "" || a.LeasedUntil != nil || a.RatingsAt != nil {
		t.Errorf("stored as %+v", a)
	}
	b := fetch(t, tx, "b", noon, found("1", noon.AddDate(0, 0, -1), "AC"))
	if b.Submissions != 1 || b.Solved != 1 {
		t.Errorf("the other site's sums: %d/%d", b.Submissions, b.Solved)
	}
	s := modelstest.Profile(t, tx, "ada").Stats
	if s.Submissions != 5 || s.Accepted != 3 || s.Solved != 2 || s.DayStreak != 2 || !equal(s.NewestAt, &noon) {
		t.Errorf("the member's sums: %+v", s)
	}
	dueNow(t, tx, "a") // A row that the site revised leaves its old status.
	a = fetch(t, tx, "a", noon, found("4", noon, "CE"))
	if a.LastNew != 0 || a.Delay != 1 || string(a.Statuses) != `{"AC": 2, "CE": 1, "WA": 1}` {
		t.Errorf("after a revision: %d new, delay %d, statuses %s", a.LastNew, a.Delay, a.Statuses)
	}
	dueNow(t, tx, "a")
	d := modelstest.Claim(t, tx, "a", noon)
	modelstest.StorePage(t, tx, d, noon, found("5", noon, "AC"))
	a = modelstest.Finish(t, tx, d, retrieval.Result{Outcome: pg.OutcomeServerError, Message: "broken"}, noon)
	if a.Submissions != 5 || a.NewRows != 1 || a.LastNew != 0 || a.Delay != 1 || a.Outcome != pg.OutcomeServerError || a.Message != "broken" {
		t.Errorf("a failure after a page: %+v", a)
	}
}

// A day is the member's own, whatever the clocks do.
func TestFinishDays(t *testing.T) {
	t.Parallel()
	utc := func(s string) time.Time {
		at, err := time.Parse("2006-01-02 15:04:05", s)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	for _, tt := range []struct {
		zone  string
		times []string // UTC
		want  []string
	}{
		{"UTC", []string{"2026-11-20 23:59:59", "2026-11-21 00:00:00"}, []string{"2026-11-20 1/1", "2026-11-21 1/1"}},
		{"Pacific/Kiritimati", []string{"2026-11-20 09:59:59", "2026-11-20 10:00:00"}, []string{"2026-11-20 1/1", "2026-11-21 1/1"}}, // +14
		{"Pacific/Pago_Pago", []string{"2026-11-21 10:59:59", "2026-11-21 11:00:00"}, []string{"2026-11-20 1/1", "2026-11-21 1/1"}},  // -11
		{"Asia/Kolkata", []string{"2026-11-20 18:29:59", "2026-11-20 18:30:00"}, []string{"2026-11-20 1/1", "2026-11-21 1/1"}},
		{"Europe/Riga", []string{"2026-03-28 22:00:00", "2026-03-29 20:59:59", "2026-03-29 21:00:00"}, []string{"2026-03-29 2/2", "2026-03-30 1/1"}},                              // 23 hours.
		{"Europe/Riga", []string{"2026-10-24 21:00:00", "2026-10-25 21:59:59", "2026-10-25 22:00:00"}, []string{"2026-10-25 2/2", "2026-10-26 1/1"}},                              // 25 hours.
		{"America/Sao_Paulo", []string{"2017-10-15 02:59:59", "2017-10-15 03:00:00"}, []string{"2017-10-14 1/1", "2017-10-15 1/1"}},                                               // No midnight.
		{"America/Sao_Paulo", []string{"2018-02-18 01:59:59", "2018-02-18 02:00:00", "2018-02-18 02:59:59", "2018-02-18 03:00:00"}, []string{"2018-02-17 3/3", "2018-02-18 1/1"}}, // 23:00 twice.
		{"America/St_Johns", []string{"2010-11-07 02:30:30", "2010-11-07 03:00:00", "2010-11-07 04:00:00"}, []string{"2010-11-06 1/1", "2010-11-07 2/2"}},                         // Midnight twice: its first minute comes before an hour of the day before.
	} {
		t.Run(tt.zone+" "+tt.want[0], func(t *testing.T) {
			t.Parallel()
			tx := modelstest.Tx(t)
			m := members.Member{Name: "ada", TimeZone: tt.zone}
			if err := members.Create(t.Context(), tx, &m, noon); err != nil {
				t.Fatal(err)
			}
			modelstest.Account(t, tx, &members.Account{MemberID: m.ID, Site: "a", Handle: "x", Schedule: members.Schedule{DueAt: noon}})
			for i, at := range slices.Backward(tt.times) { // The newest first, and one in each fetch.
				fetch(t, tx, "a", noon, found(string(rune('a'+i)), utc(at), "AC"))
				dueNow(t, tx, "a")
			}
			if got := modelstest.Days(modelstest.Profile(t, tx, "ada")); !slices.Equal(got, tt.want) {
				t.Errorf("days %v, want %v", got, tt.want)
			}
		})
	}
}

func TestFinishStreaks(t *testing.T) {
	t.Parallel()
	day := func(n int) time.Time { return noon.AddDate(0, 0, n) }
	for _, tt := range []struct {
		name                          string
		rows                          []retrieval.Found
		days, bestDays, accepts, best int
	}{
		{"nothing", nil, 0, 0, 0, 0},
		{"one day", []retrieval.Found{found("1", day(0), "WA"), found("2", day(0), "AC")}, 1, 1, 1, 1},
		{"a gap", []retrieval.Found{found("1", day(-5), "AC"), found("2", day(-4), "AC"), found("3", day(-3), "AC"), found("4", day(-1), "AC"), found("5", day(0), "WA")}, 2, 3, 0, 4},
		{"the last ones", []retrieval.Found{found("1", day(-9), "AC"), found("2", day(-2), "WA"), found("3", day(-1), "AC"), found("4", day(0), "AC")}, 3, 3, 2, 2},
		{"pending neither counts nor breaks", []retrieval.Found{found("1", day(0), "AC"), found("2", day(0).Add(1), "PENDING"), found("3", day(0).Add(time.Second), "AC"), found("4", day(1), "PENDING")}, 2, 2, 2, 2},
		{"pending alone", []retrieval.Found{found("1", day(0), "PENDING")}, 1, 1, 0, 0},
		{"a compile error breaks", []retrieval.Found{found("1", day(0), "AC"), found("2", day(0).Add(time.Second), "CE")}, 1, 1, 0, 1},
		{"over the end of a year", []retrieval.Found{found("1", day(40), "AC"), found("2", day(41), "AC")}, 2, 2, 2, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tx := modelstest.Tx(t)
			modelstest.Member(t, tx, "ada", map[string]string{"a": "x"}, noon)
			fetch(t, tx, "a", noon, tt.rows...)
			s := modelstest.Profile(t, tx, "ada").Stats
			if s.DayStreak != tt.days || s.BestDayStreak != tt.bestDays || s.AcStreak != tt.accepts || s.BestAcStreak != tt.best {
				t.Errorf("days %d (best %d), accepted %d (best %d); want %d (%d), %d (%d)",
					s.DayStreak, s.BestDayStreak, s.AcStreak, s.BestAcStreak, tt.days, tt.bestDays, tt.accepts, tt.best)
			}
		})
	}
}

// The zone that counts is the member's at the end of the fetch.
func TestFinishAfterTheZoneChanged(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	m := modelstest.Member(t, tx, "ada", map[string]string{"a": "x"}, noon)
	d := modelstest.Claim(t, tx, "a", noon)
	modelstest.StorePage(t, tx, d, noon, found("1", noon, "AC"))
	if err := accounts.EditPerson(t.Context(), tx, m.ID, "", "Pacific/Kiritimati", modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	modelstest.Finish(t, tx, d, retrieval.Result{}, noon)
	if got := modelstest.Days(modelstest.Profile(t, tx, "ada")); !slices.Equal(got, []string{"2026-11-22 1/1"}) {
		t.Errorf("days %v, want those of the new zone", got)
	}
}

func TestFinishRatings(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	m := modelstest.Member(t, tx, "ada", map[string]string{"a": "x"}, noon)
	r := func(contest string, days, rating int) submissions.RatingFound {
		return submissions.RatingFound{Contest: contest, Name: "Round " + contest, URL: "https://a/" + contest, Rank: 7, Rating: rating, At: noon.AddDate(0, 0, days)}
	}
	for i, tt := range []struct {
		read        bool
		given, want []submissions.RatingFound
	}{
		{true, []submissions.RatingFound{r("1", 1, 1500), r("2", 2, 1600)}, []submissions.RatingFound{r("1", 1, 1500), r("2", 2, 1600)}},
		{false, nil, []submissions.RatingFound{r("1", 1, 1500), r("2", 2, 1600)}}, // Not read: nothing is known of them.
		{true, []submissions.RatingFound{r("2", 2, 1590), r("3", 0, 1400), r("3", 0, 1400)}, []submissions.RatingFound{r("3", 0, 1400), r("2", 2, 1590)}},
		{true, nil, nil}, // Every contest was withdrawn.
	} {
		now := noon.AddDate(0, 0, i)
		dueNow(t, tx, "a")
		a := modelstest.Finish(t, tx, modelstest.Claim(t, tx, "a", now), retrieval.Result{RatingsRead: tt.read, Ratings: tt.given}, now)
		if equal(a.RatingsAt, &now) != tt.read {
			t.Errorf("step %d: ratings read at %v", i, a.RatingsAt)
		}
		got, err := profiles.RatingsOf(t.Context(), tx, m.ID)
		if err != nil {
			t.Fatal(err)
		}
		for j := range got[0].Ratings {
			got[0].Ratings[j].At = got[0].Ratings[j].At.UTC()
		}
		if !reflect.DeepEqual(got[0].Ratings, tt.want) {
			t.Errorf("step %d: ratings %+v, want %+v", i, got[0].Ratings, tt.want)
		}
	}
}

// Who presses the button during a fetch gets a fetch of its own.
func TestFinishLeavesALaterRequest(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	m := modelstest.Member(t, tx, "ada", map[string]string{"a": "x"}, noon)
	d := modelstest.Claim(t, tx, "a", noon)
	pressed := noon.Add(time.Second)
	if _, err := retrieval.Request(t.Context(), tx, m.ID, coolDown, pressed); err != nil {
		t.Fatal(err)
	}
	if a := modelstest.Finish(t, tx, d, retrieval.Result{}, noon.Add(time.Minute)); !equal(a.RequestedAt, &pressed) {
		t.Errorf("after the fetch it is requested at %v, want %s", a.RequestedAt, pressed)
	}
	if a := modelstest.Finish(t, tx, modelstest.Claim(t, tx, "a", noon.Add(time.Hour)), retrieval.Result{}, noon.Add(time.Hour)); a.RequestedAt != nil {
		t.Errorf("its own fetch left it requested at %s", a.RequestedAt)
	}
}

func TestFinishCountsForTheSite(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	modelstest.Member(t, tx, "ada", map[string]string{"a": "x"}, noon)
	for _, step := range []struct {
		at      time.Duration
		outcome string
		rows    int
	}{{0, pg.OutcomeOK, 2}, {time.Minute, pg.OutcomeOK, 1}, {2 * time.Minute, pg.OutcomeBlocked, 1}, {time.Hour, pg.OutcomeOK, 0}} {
		dueNow(t, tx, "a")
		now := noon.Add(step.at)
		d := modelstest.Claim(t, tx, "a", now)
		for i := range step.rows {
			modelstest.StorePage(t, tx, d, now, found(now.String()+string(rune('a'+i)), now, "AC"))
		}
		modelstest.Finish(t, tx, d, retrieval.Result{Outcome: step.outcome, Message: step.outcome, Requests: 3}, now)
	}
	var got string
	err := tx.Raw(`SELECT string_agg(concat_ws(' ', extract(hour FROM hour), outcome, retrievals, requests, new_rows, extract(minute FROM last_at)), ', ' ORDER BY hour, outcome) FROM site_hours`).Scan(&got).Error
	if want := "12 blocked 1 3 0 2, 12 ok 2 6 3 1, 13 ok 1 3 1 0"; err != nil || got != want {
		t.Errorf("counted %q (%v), want %q: rows count with the fetch that completes", got, err, want)
	}
}
