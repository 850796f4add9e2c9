package jobs_test

import (
	"strings"
	"testing"
	"time"

	"laurel/jobs/sites"
	"laurel/jobs/standin"
	"laurel/models/modelstest"
)

// newPartial is a world of people on Codeforces, whose list of what all submit is read where
// perDay says that it takes that little.
func newPartial(t *testing.T, perDay float64, strangers int) *fedWorld {
	t.Helper()
	w := newFed(t, "codeforces", standin.Options{Seed: 6, People: 40, Strangers: strangers, Begin: modelstest.Noon.AddDate(0, -3, 0)})
	w.feeder, w.Rule.Rhythm = cheap{w.site.(sites.Feeder), perDay}, true
	w.clock.Pass(24 * time.Hour)
	w.look() // So that rhythms are known.
	w.out.Forget()
	return w
}

// live lets time pass in steps of an hour with all that is done on Codeforces.
func (w *fedWorld) live(hours int) {
	w.t.Helper()
	for range hours {
		w.clock.Pass(time.Hour)
		w.read()
		if err := w.Probe(w.t.Context(), w.site, w.site.(sites.Prober)); err != nil {
			w.t.Fatal(err)
		}
		w.look()
	}
}

// honest judges that nothing is missing from before the moment until which an account is complete, nor, but for
// what the list leaves out, from before the moment until which that is here.
func (w *fedWorld) honest() {
	w.t.Helper()
	for handle, m := range w.members {
		rows, a := w.stored(w.t, m.ID, "codeforces"), w.account(w.t, m.ID, "codeforces")
		for _, x := range w.out.Submissions("codeforces", handle) {
			_, ok := rows[x.ID]
			switch {
			case ok || x.Seen.After(w.Now()):
			case x.At.Before(*a.CompleteUntil):
				w.t.Errorf("%s is said to be complete until %s, and lacks %s of %s", handle, a.CompleteUntil, x.ID, x.At)
			case listed(x) && a.FedUntil != nil && x.At.Before(*a.FedUntil):
				w.t.Errorf("%s is said to lack nothing listed until %s, and lacks %s of %s", handle, a.FedUntil, x.ID, x.At)
			}
		}
	}
}

// listed says whether a submission is in the list of what all submit: its contest has few digits.
func listed(x standin.Submission) bool {
	return !strings.HasPrefix(x.Problem, "acmsguru") && strings.IndexFunc(x.Problem, func(r rune) bool { return r > '9' }) < 6
}

// late counts what is listed, was made until five hours ago, and is not here: a pass comes every four at least.
func (w *fedWorld) late() (n int) {
	for handle, m := range w.members {
		rows := w.stored(w.t, m.ID, "codeforces")
		for _, x := range w.out.Submissions("codeforces", handle) {
			if _, ok := rows[x.ID]; !ok && listed(x) && x.At.Before(w.Now().Add(-5*time.Hour)) {
				n++
			}
		}
	}
	return n
}

// With the list of what all submit, everything that is in it is here within the hour, and looks are
// fewer; what it leaves out is here, too, when a look comes, and nobody is said to be complete before.
func TestPartialFeed(t *testing.T) {
	t.Parallel()
	const days = 3
	looks := map[bool]int{}
	for _, read := range []bool{false, true} {
		perDay := 1e6
		if read {
			perDay = 1
		}
		w := newPartial(t, perDay, 1500)
		for range days * 3 {
			w.live(8)
			w.honest()
			if n := w.late(); read && n > 0 {
				t.Errorf("%d rows of the list are not here", n)
			}
		}
		looks[read] = w.questions()["user.status"]
		t.Logf("the list is read %d times: %d looks in %d days at %d people", w.questions()["problemset.recentStatus"], looks[read], days, len(w.members))
	}
	if looks[true] == 0 || looks[true]*2 > looks[false] {
		t.Errorf("%d looks with the list, %d without it", looks[true], looks[false])
	}
}

// When the list was not read for so long that some of it is gone, those who were on the site meanwhile are
// looked at, and nobody else; nobody is said to be known before.
func TestPartialFeedWithAHole(t *testing.T) {
	t.Parallel()
	w := newPartial(t, 1, 4000)
	w.live(26)
	w.clock.Pass(14 * time.Hour)
	w.out.Forget()
	lost := w.late()
	for range 9 {
		w.live(1)
		w.honest()
	}
	looks := w.questions()["user.status"]
	t.Logf("%d rows were made in the hole; %d looks at %d people", lost, looks, len(w.members))
	if f := w.feed(); f.Holes != 1 || lost == 0 || w.late() > 0 {
		t.Errorf("%d holes; %d rows were not there, and %d are not", f.Holes, lost, w.late())
	}
	if looks == 0 || looks > len(w.members)/2 {
		t.Errorf("%d looks at %d people", looks, len(w.members))
	}
}
