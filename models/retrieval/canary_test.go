package retrieval_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

var judgeSite = members.Site{Name: "judge", Title: "Judge", Handle: regexp.MustCompile(`^[a-z]{1,9}$`), Hint: "1 to 9 letters"}

// history is n submissions, the newest of them two months old.
func history(n int) (l retrieval.CanaryList) {
	for i := range n {
		l.Rows = append(l.Rows, retrieval.KnownRow{ID: fmt.Sprint(1000 + i), At: noon.AddDate(0, -2, i-n), Status: "AC"})
	}
	return l
}

func setCanary(t testing.TB, db *gorm.DB, handle string, least int, now time.Time) {
	t.Helper()
	if _, err := retrieval.SetCanary(t.Context(), db, judgeSite, handle, least, now); err != nil {
		t.Fatal(err)
	}
}

// readCanary claims the canary that is due and finishes the fetch.
func readCanary(t testing.TB, db *gorm.DB, outcome string, l retrieval.CanaryList, now time.Time) retrieval.Canary {
	t.Helper()
	due, err := retrieval.ClaimCanary(t.Context(), db, "judge", modelstest.Lease, now)
	if err != nil || len(due) != 1 {
		t.Fatalf("due at %s: %v, %v", now, due, err)
	}
	res := retrieval.Result{Outcome: outcome, Requests: 1, Message: "users/secret: not understood"}
	if outcome == pg.OutcomeOK {
		res.Message = ""
	}
	if err := retrieval.FinishCanary(t.Context(), db, &due[0], retrieval.CanaryRead{Result: res, List: l}, 1, now); err != nil {
		t.Fatal(err)
	}
	all, err := retrieval.Canaries(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		if c.Handle == due[0].Handle {
			return c
		}
	}
	t.Fatal("the canary is gone")
	return retrieval.Canary{}
}

// What is other than known is said in numbers, with one example.
func TestCompareCanary(t *testing.T) {
	t.Parallel()
	first := history(5).Rows[0].At
	known := retrieval.Canary{Least: 5, EarliestAt: &first, Known: []byte(`[{"id":"1000","at":"` + first.Format(time.RFC3339) + `","status":"AC"},{"id":"1004","at":"` + history(5).Rows[4].At.Format(time.RFC3339) + `","status":"AC"}]`)}
	change := func(f func(l *retrieval.CanaryList)) retrieval.CanaryList {
		l := history(5)
		f(&l)
		return l
	}
	for _, tt := range []struct {
		name          string
		list          retrieval.CanaryList
		want, example string
	}{
		{"as known", history(5), "", ""},
		{"new rows", change(func(l *retrieval.CanaryList) { l.Rows = append(l.Rows, retrieval.KnownRow{ID: "9", At: noon}) }), "", ""},
		{"one dropped", change(func(l *retrieval.CanaryList) { l.Rows = l.Rows[:4] }), "4 of at least 5 submissions; 1 of 2 known submissions missing", "submission 1004"},
		{"begins later", change(func(l *retrieval.CanaryList) { l.Rows = append(l.Rows[1:], retrieval.KnownRow{ID: "9", At: noon}) }),
			"nothing from 2026-09-16, when it began; 1 of 2 known submissions missing", "submission 1000"},
		{"nothing", retrieval.CanaryList{}, "0 of at least 5 submissions; nothing from 2026-09-16, when it began; 2 of 2 known submissions missing", "submission 1000"},
		{"judged otherwise", change(func(l *retrieval.CanaryList) { l.Rows[4].Status = "WA" }), "1 of 2 known submissions judged otherwise", "submission 1004: WA instead of AC"},
		{"all times moved by an hour", change(func(l *retrieval.CanaryList) {
			for i := range l.Rows {
				l.Rows[i].At = l.Rows[i].At.Add(-time.Hour)
			}
		}), "2 of 2 known submissions of another time", "submission 1000: 2026-09-16T11:00:00Z instead of 2026-09-16T12:00:00Z"},
		{"numbers have come", change(func(l *retrieval.CanaryList) { l.Rows[0].ID, l.Rows[0].Formerly = "77", "1000" }), "", ""},
		{"a list that is cut, with a total", change(func(l *retrieval.CanaryList) { l.Rows, l.Oldest, l.Total = l.Rows[3:], l.Rows[3].At, 5 }), "", ""},
		{"a list that is cut lacks one", change(func(l *retrieval.CanaryList) { l.Rows, l.Oldest, l.Total = l.Rows[2:3], l.Rows[2].At, 5 }), "1 of 2 known submissions missing", "submission 1004"},
	} {
		got, example, err := known.Compare(tt.list)
		if err != nil || got != tt.want || example != tt.example {
			t.Errorf("%s: %q (%q), %v\nwant %q (%q)", tt.name, got, example, err, tt.want, tt.example)
		}
	}
}

// The first fetch learns what is final, within bounds; later ones learn more, but
// not while something differs.
func TestCanaryLearns(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	setCanary(t, tx, "ada", 3, noon)
	l := history(200)
	l.Rows = append(l.Rows, retrieval.KnownRow{ID: "fresh", At: noon.Add(-time.Hour), Status: "WA"}, retrieval.KnownRow{ID: "queued", At: noon.AddDate(0, -3, 0), Status: "PENDING"})
	c := readCanary(t, tx, pg.OutcomeOK, l, noon)
	if !c.AsKnown() || c.Seen != 202 || c.Least != 200 || strings.Count(string(c.Known), `"id"`) != 50 || c.EarliestAt == nil || !c.EarliestAt.Equal(l.Rows[0].At) ||
		strings.Contains(string(c.Known), "fresh") || strings.Contains(string(c.Known), "queued") {
		t.Fatalf("learned %+v %s", c, c.Known)
	}
	if !c.DueAt.Equal(noon.AddDate(0, 0, 1)) {
		t.Errorf("next fetch %s", c.DueAt)
	}
	less := l
	less.Rows = less.Rows[:150]
	now := c.DueAt
	for _, wait := range []time.Duration{1, 2, 4, 8, 16, 24, 24} {
		c = readCanary(t, tx, pg.OutcomeOK, less, now)
		if c.AsKnown() || c.Outcome != pg.OutcomeParseError || c.Least != 200 || c.DueAt.Sub(now) != wait*time.Hour {
			t.Fatalf("%+v, next after %s, want %dh", c, c.DueAt.Sub(now), wait)
		}
		now = c.DueAt
	}
	if want := "150 of at least 200 submissions; 25 of 50 known submissions missing (submission 1175)"; c.Message != want {
		t.Errorf("it says %q, want %q", c.Message, want)
	}
	if c = readCanary(t, tx, pg.OutcomeOK, l, now); !c.AsKnown() || c.Message != "" || c.DueAt.Sub(now) != 24*time.Hour {
		t.Errorf("back as known: %+v", c)
	}
	setCanary(t, tx, "ada", 7, now)
	all, err := retrieval.Canaries(t.Context(), tx)
	if err != nil || len(all) != 1 || all[0].Least != 7 || string(all[0].Known) != "[]" || all[0].EarliestAt != nil || all[0].CheckedAt != nil {
		t.Errorf("declared anew: %+v, %v", all, err)
	}
}

// One worker reads a canary; when it dies another does; nobody while the site is suspended.
func TestClaimCanary(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	claim := func(now time.Time) *retrieval.Canary {
		t.Helper()
		due, err := retrieval.ClaimCanary(t.Context(), tx, "judge", modelstest.Lease, now)
		if err != nil || len(due) > 1 {
			t.Fatal(due, err)
		}
		if len(due) == 0 {
			return nil
		}
		return &due[0]
	}
	setCanary(t, tx, "ada", 1, noon)
	if err := retrieval.PauseSite(t.Context(), tx, "judge", retrieval.SitePause{Paused: true, Reason: "x", By: "root"}, noon); err != nil {
		t.Fatal(err)
	}
	if claim(noon) != nil {
		t.Error("read on a paused site")
	}
	if err := retrieval.PauseSite(t.Context(), tx, "judge", retrieval.SitePause{Paused: false, Reason: "", By: "root"}, noon); err != nil {
		t.Fatal(err)
	}
	dead := claim(noon)
	if dead == nil || claim(noon.Add(modelstest.Lease.For-time.Second)) != nil {
		t.Fatal("not one at a time")
	}
	if err := retrieval.RenewCanary(t.Context(), tx, dead, noon.Add(2*modelstest.Lease.For)); err != nil || claim(noon.Add(modelstest.Lease.For)) != nil {
		t.Fatal("taken from one that goes on", err)
	}
	heir := claim(noon.Add(2 * modelstest.Lease.For))
	if heir == nil {
		t.Fatal("lost with the process that died")
	}
	setCanary(t, tx, "ada", 9, noon)
	if err := retrieval.RenewCanary(t.Context(), tx, heir, noon.Add(time.Hour)); !errors.Is(err, pg.ErrLeaseLost) {
		t.Errorf("renewed after it was declared anew: %v", err)
	}
	if err := retrieval.FinishCanary(t.Context(), tx, heir, retrieval.CanaryRead{Result: retrieval.Result{Outcome: pg.OutcomeOK, Requests: 1}, List: retrieval.CanaryList{}}, 1, noon); err != nil || len(alarms(t, tx)) != 0 {
		t.Errorf("one that was declared anew meanwhile was finished: %v, %v", alarms(t, tx), err)
	}
	c := claim(noon)
	if c == nil || c.Least != 9 {
		t.Fatalf("%+v", c)
	}
	if err := retrieval.ReleaseCanary(t.Context(), tx, c); err != nil || claim(noon) == nil {
		t.Errorf("given back and not claimed (%v)", err)
	}
}

// The alarm opens and closes itself and is notified once; it is public but for the handle.
func TestCanaryAlarm(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	boss := modelstest.Admin(t, tx)
	setCanary(t, tx, "ada", 5, noon)
	now := readCanary(t, tx, pg.OutcomeOK, history(9), noon).DueAt
	for _, outcome := range []string{pg.OutcomeUnreachable, pg.OutcomeServerError, pg.OutcomeRateLimited, pg.OutcomeBlocked} {
		if now = readCanary(t, tx, outcome, retrieval.CanaryList{}, now).DueAt; len(alarms(t, tx)) != 0 {
			t.Errorf("%s says nothing of the history: %v", outcome, alarms(t, tx))
		}
	}
	for _, tt := range []struct {
		outcome string
		list    retrieval.CanaryList
		message string
	}{
		{pg.OutcomeOK, history(3), "a known history is not what it was: 3 of at least 9 submissions; "},
		{pg.OutcomeParseError, retrieval.CanaryList{}, "a page of a known history could not be read"},
		{pg.OutcomeNotFound, retrieval.CanaryList{}, "the site says that there is no handle whose history is known"},
	} {
		now = readCanary(t, tx, tt.outcome, tt.list, now).DueAt
		open, err := retrieval.Alarms(t.Context(), tx, now)
		if err != nil || len(open) != 1 || open[0].Kind != retrieval.AlarmCanary || open[0].Subject != "ada" || !strings.HasPrefix(open[0].Message, tt.message) || strings.Contains(open[0].Message, "secret") {
			t.Errorf("%s: %+v, %v", tt.outcome, open, err)
		}
	}
	if got := modelstest.Heard(t, tx, boss.ID, now); len(got) != 1 || !strings.HasPrefix(got[0], "A judge site needs attention: judge, ada: ") {
		t.Errorf("notified of %q", got)
	}
	if readCanary(t, tx, pg.OutcomeOK, history(9), now); len(alarms(t, tx)) != 0 {
		t.Errorf("as known, and open: %v", alarms(t, tx))
	}
	now = now.AddDate(0, 0, 1)
	readCanary(t, tx, pg.OutcomeOK, history(3), now)
	if err := retrieval.RemoveCanary(t.Context(), tx, "judge", "ada", now); err != nil || len(alarms(t, tx)) != 0 {
		t.Errorf("removed, and open: %v, %v", alarms(t, tx), err)
	}
	if err := retrieval.RemoveCanary(t.Context(), tx, "judge", "ada", now); !errors.Is(err, pg.ErrNotFound) {
		t.Errorf("removed twice: %v", err)
	}
}

// A canary that fails counts against its site like an account; alone among others
// it opens nothing, and one that is as known counts for the site.
func TestCanaryFailureCountsAgainstTheSite(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	for i := range 2 {
		modelstest.Member(t, tx, fmt.Sprint("m", i), map[string]string{"judge": fmt.Sprint("h", i)}, noon)
	}
	circuit := func() retrieval.Circuit {
		t.Helper()
		c, err := retrieval.CircuitOf(t.Context(), tx, "judge")
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	setCanary(t, tx, "ada", 5, noon)
	now := noon
	for range 4 {
		now = readCanary(t, tx, pg.OutcomeOK, retrieval.CanaryList{}, now).DueAt
	}
	if c := circuit(); c.State != retrieval.CircuitClosed || c.Suspects != 1 {
		t.Errorf("alone it made %+v", c)
	}
	now = readCanary(t, tx, pg.OutcomeOK, history(9), now).DueAt
	if c := circuit(); c.Suspects != 0 {
		t.Errorf("as known it left %+v", c)
	}
	now = readCanary(t, tx, pg.OutcomeParseError, retrieval.CanaryList{}, now).DueAt
	fails(t, tx, "judge", now)
	fails(t, tx, "judge", now)
	if c := circuit(); c.State != retrieval.CircuitOpen {
		t.Fatalf("with two accounts it made %+v", c)
	}
	if due, err := retrieval.ClaimCanary(t.Context(), tx, "judge", modelstest.Lease, now.AddDate(0, 0, 9)); err != nil || len(due) != 0 {
		t.Errorf("read while the circuit is open: %v, %v", due, err)
	}
}

func TestCanariesThatAreNone(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	for _, tt := range []struct {
		handle string
		least  int
		field  string
	}{{"No!", 5, "handle"}, {"", 5, "handle"}, {"ada", 0, "least"}, {"ada", -3, "least"}, {"ada", 2_000_000, "least"}} {
		_, err := retrieval.SetCanary(t.Context(), tx, judgeSite, tt.handle, tt.least, noon)
		if input, ok := errors.AsType[*pg.InputError](err); !ok || input.Field != tt.field {
			t.Errorf("%q, %d: %v", tt.handle, tt.least, err)
		}
	}
}
