package retrieval_test

import (
	"fmt"
	"testing"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

// looks are fetches of the only account of a member, a minute after each other.
type looks struct {
	tx  *gorm.DB
	m   members.Member
	now time.Time
}

// at fetches the account and says whether a whole reading of it is due then.
func (l *looks) at(t *testing.T, res retrieval.Result, whole bool, rows ...retrieval.Found) (due bool) {
	t.Helper()
	l.now = l.now.Add(time.Minute)
	if whole {
		if err := retrieval.ReadWhole(t.Context(), l.tx, l.m.ID, "", l.now); err != nil {
			t.Fatal(err)
		}
	}
	if err := retrieval.RequestAccounts(t.Context(), l.tx, l.m.ID, "", l.now); err != nil {
		t.Fatal(err)
	}
	claimed, err := retrieval.ClaimMember(t.Context(), l.tx, l.m.ID, pg.Lease{ID: fmt.Sprint(l.now.Unix()), For: time.Hour}, l.now)
	if err != nil || len(claimed) != 1 {
		t.Fatalf("%d claimed, error %v", len(claimed), err)
	}
	if _, err := retrieval.StorePage(t.Context(), l.tx, &claimed[0].Account, retrieval.Page{Rows: rows, Next: 1, Lease: time.Hour}, l.now); err != nil {
		t.Fatal(err)
	}
	res.Outcome, res.Requests = pg.OutcomeOK, 1
	if err := retrieval.Finish(t.Context(), l.tx, &claimed[0], res, retrieval.Rule{Rate: 1, Overlap: time.Hour}, l.now); err != nil {
		t.Fatal(err)
	}
	as, err := members.AccountsOf(t.Context(), l.tx, l.m.ID)
	if err != nil {
		t.Fatal(err)
	}
	return !as[0].AuditDueAt.After(l.now)
}

// A site counts more than is stored: a whole reading is due, once for each difference. One that
// a whole reading left makes no other one due.
func TestDifferenceThatIsLeft(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	l := &looks{tx, modelstest.Member(t, tx, "ada", map[string]string{"timus": "1"}, modelstest.Noon), modelstest.Noon}
	rows := gapRows(modelstest.Noon.AddDate(0, 0, -1), 0, 3)
	for _, step := range []struct {
		what  string
		count int
		whole bool
		rows  []retrieval.Found
		due   bool
	}{
		{"at first", 5, false, rows[:2], false},
		{"the same", 5, false, nil, false},
		{"one came", 6, false, rows[2:], false},
		{"one more is counted", 7, false, nil, true},
		{"still", 7, false, nil, true},
		{"a whole reading leaves it", 7, true, rows, false},
		{"the same again", 7, false, nil, false},
		{"fewer", 6, false, nil, true},
	} {
		res := retrieval.Result{ReportedSubmissions: &step.count}
		if due := l.at(t, res, step.whole, step.rows...); due != step.due {
			t.Errorf("%s: a whole reading is due: %t, want %t", step.what, due, step.due)
		}
		a := modelstest.AccountOn(t, tx, l.m.ID, "timus")
		if step.what == "still" && !a.AuditDueAt.Equal(l.now.Add(-time.Minute)) {
			t.Errorf("a difference that is seen again waits since %s, want %s", a.AuditDueAt, l.now.Add(-time.Minute))
		}
	}
}

// LeetCode lists the newest and counts all: a whole reading is due where its total changes by
// something that neither rows nor the days of the last year show.
func TestDifferenceThatCalendarsLeave(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	l := &looks{tx, modelstest.Member(t, tx, "ada", map[string]string{"leetcode": "ada"}, modelstest.Noon), modelstest.Noon}
	day := func(n int) time.Time { return pg.CivilDay(modelstest.Noon, time.UTC).AddDate(0, 0, n) }
	years := map[time.Time]int{day(-700): 30, day(-600): 10, day(-3): 5}
	fewer := map[time.Time]int{day(-700): 28, day(-3): 5, day(-2): 3}
	for _, step := range []struct {
		what     string
		reported retrieval.Counted
		whole    bool
		due      bool
		missing  int
		from     time.Time // The first day that lacks rows; zero: nobody knows.
	}{
		{"all years at first", retrieval.Counted{Total: 45, Days: years, Whole: true}, false, false, 45, day(-700)},
		{"the last year", retrieval.Counted{Total: 45, Days: map[time.Time]int{day(-3): 5}}, false, false, 45, day(-700)},
		{"three of yesterday", retrieval.Counted{Total: 48, Days: map[time.Time]int{day(-3): 5, day(-2): 3}}, false, false, 48, day(-700)},
		{"twelve fewer, long ago", retrieval.Counted{Total: 36, Days: map[time.Time]int{day(-3): 5, day(-2): 3}}, false, true, 48, day(-700)},
		{"all years again", retrieval.Counted{Total: 36, Days: fewer, Whole: true}, true, false, 36, day(-700)},
		{"more than all days", retrieval.Counted{Total: 40, Days: map[time.Time]int{day(-3): 5, day(-2): 3}}, false, true, 40, time.Time{}},
		{"which all years leave", retrieval.Counted{Total: 40, Days: fewer, Whole: true}, true, false, 40, time.Time{}},
		{"the same", retrieval.Counted{Total: 40, Days: map[time.Time]int{day(-3): 5, day(-2): 3}}, false, false, 40, time.Time{}},
	} {
		if due := l.at(t, retrieval.Result{Reported: &step.reported}, step.whole); due != step.due {
			t.Errorf("%s: a whole reading is due: %t, want %t", step.what, due, step.due)
		}
		as, err := members.AccountsOf(t.Context(), tx, l.m.ID)
		if err != nil {
			t.Fatal(err)
		}
		if a := as[0]; a.Missing != step.missing || (a.MissingFrom == nil) != step.from.IsZero() || a.MissingFrom != nil && !a.MissingFrom.Equal(step.from) {
			t.Errorf("%s: %d are missing from %v on, want %d from %s", step.what, a.Missing, a.MissingFrom, step.missing, step.from)
		}
	}
}
