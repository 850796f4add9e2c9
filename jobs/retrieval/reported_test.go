package retrieval_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"laurel/jobs/standin"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

// LeetCode lists twenty submissions and counts all: a member's days and totals are those of the
// whole history, with what has no details.
func TestDaysThatASiteCounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Seed: 5, People: 3, Begin: modelstest.Noon.AddDate(0, -7, 0)})
	p := w.out.People()[0]
	handle := p.Handles["leetcode"]
	m := modelstest.Member(t, w.DB.DB, p.Name, map[string]string{"leetcode": handle}, w.Now())
	for range 4 {
		if _, err := retrieval.Request(t.Context(), w.DB.DB, m.ID, 0, w.Now()); err != nil {
			t.Fatal(err)
		}
		w.round(t)
		days, solved := map[string]int{}, map[string]bool{}
		truth := w.out.Submissions("leetcode", handle)
		for _, s := range truth {
			days[s.At.UTC().Format(time.DateOnly)]++
			if s.Verdict == "Accepted" {
				solved[s.Problem] = true
			}
		}
		got := modelstest.Profile(t, w.DB.DB, p.Name)
		shown, listed := map[string]int{}, 0
		for _, d := range got.Days {
			shown[d.Day.Format(time.DateOnly)] = d.Submissions
			listed += d.Submissions - d.Undetailed
		}
		if len(truth) <= 20 || !maps.Equal(shown, days) {
			t.Errorf("%d submissions on the days %v, want %v", len(truth), shown, days)
		}
		if s := got.Stats; s.Submissions != len(truth) || s.Solved != len(solved) || s.Detailed() != listed {
			t.Errorf("%d submissions, %d of them listed, %d solved; want %d, %d, %d", s.Submissions, s.Detailed(), s.Solved, len(truth), listed, len(solved))
		}
		w.clock.Pass(60 * time.Hour)
	}
}

// What LeetCode changes behind covered ground is found as far as it shows it: verdicts of what it
// lists and days of the last year at once, what vanished and all other days by the whole reading that
// its total makes due. That says which rows it did not see.
func TestAuditOfAShortList(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Seed: 5, People: 1, Begin: modelstest.Noon.AddDate(0, -6, 0)})
	p := w.out.People()[0]
	handle := p.Handles["leetcode"]
	m := modelstest.Member(t, w.DB.DB, p.Name, map[string]string{"leetcode": handle}, w.Now())
	look := func(edit standin.Edit) {
		t.Helper()
		edit.Site, edit.Handle = "leetcode", handle
		w.out.Edit(edit)
		w.clock.Pass(time.Hour)
		if _, err := retrieval.Request(t.Context(), w.DB.DB, m.ID, 0, w.Now()); err != nil {
			t.Fatal(err)
		}
		w.round(t)
	}
	checked := func() {
		t.Helper()
		a, through := w.account(t, m.ID, "leetcode"), w.account(t, m.ID, "leetcode").AuditedAt
		if a.AuditDueAt.After(w.Now()) {
			t.Errorf("it is to be read whole at %s, want now", a.AuditDueAt)
		}
		w.readWhole(t, m)
		w.sameAsCounted(t, m, handle)
		newest := w.out.Listed("leetcode", handle)
		a, newest = w.account(t, m.ID, "leetcode"), newest[len(newest)-20:]
		if !a.AuditedAt.After(*through) || a.AuditDueAt.Before(w.Now()) || !sameTime(a.AuditedFrom, &newest[0].At) {
			t.Errorf("checked through %s from %s on, want later than %s, from %s", a.AuditedAt, a.AuditedFrom, through, newest[0].At)
		}
	}
	w.round(t)
	all := w.out.Submissions("leetcode", handle)
	n := len(all)
	accepted := slices.IndexFunc(all[n-19:], func(x standin.Submission) bool { return x.Verdict == "Accepted" }) + n - 19
	if accepted < n-19 || len(w.stored(t, m.ID, "leetcode")) < 25 {
		t.Fatal("too few rows for the test")
	}
	look(standin.Edit{Skip: []int64{all[accepted].At.Unix()}})
	if s := w.stored(t, m.ID, "leetcode")[all[accepted].ID]; s.Verdict != "Internal Error" {
		t.Errorf("what was judged again is %q", s.Verdict)
	}
	checked()
	edit := standin.Edit{Add: []int64{w.Now().AddDate(0, 0, -60).Unix()}}
	for i := range 3 {
		edit.Remove = append(edit.Remove, all[n-2-i].At.Unix())
	}
	for i := range 7 {
		edit.Remove = append(edit.Remove, all[n/2+i].At.Unix())
	}
	rows := len(w.stored(t, m.ID, "leetcode"))
	look(edit)
	checked()
	if got := len(w.stored(t, m.ID, "leetcode")); got < rows {
		t.Errorf("%d rows are left of %d", got, rows)
	}
	from := w.Now().AddDate(0, 0, -90)
	look(standin.Edit{Hide: [2]int64{from.Unix(), from.AddDate(0, 0, 30).Unix()}})
	checked()
	look(standin.Edit{})
	w.readWhole(t, m)
	w.sameAsCounted(t, m, handle)
}

// What LeetCode changes of years that are not beside its list is found because its total changes.
func TestYearsThatASiteChanges(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Seed: 5, People: 1, Begin: modelstest.Noon.AddDate(0, -20, 0)})
	p := w.out.People()[0]
	handle := p.Handles["leetcode"]
	m := modelstest.Member(t, w.DB.DB, p.Name, map[string]string{"leetcode": handle}, w.Now())
	w.round(t)
	w.sameAsCounted(t, m, handle)
	old := w.out.Submissions("leetcode", handle)
	if old[2].At.After(w.Now().AddDate(-1, 0, -10)) {
		t.Fatalf("nothing was submitted before %s", old[2].At)
	}
	through := w.account(t, m.ID, "leetcode").AuditedAt
	w.out.Edit(standin.Edit{Site: "leetcode", Handle: handle, Remove: []int64{old[0].At.Unix(), old[1].At.Unix()},
		Add: []int64{old[2].At.AddDate(0, 0, 1).Unix()}})
	w.clock.Pass(26 * time.Hour)
	if _, err := retrieval.Request(t.Context(), w.DB.DB, m.ID, 0, w.Now()); err != nil {
		t.Fatal(err)
	}
	w.round(t)
	if a := w.account(t, m.ID, "leetcode"); a.AuditDueAt.After(w.Now()) {
		t.Fatalf("it is to be read whole at %s, want now", a.AuditDueAt)
	}
	w.readWhole(t, m)
	w.sameAsCounted(t, m, handle)
	if a := w.account(t, m.ID, "leetcode"); !a.AuditedAt.After(*through) || a.AuditAt != nil {
		t.Errorf("checked through %s, want later than %s", a.AuditedAt, through)
	}
}
