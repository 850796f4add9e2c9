package retrieval_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/jobs/standin"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

// sameAsTruth compares what is stored with what the stand-in knows, row by row.
func (w *world) sameAsTruth(t *testing.T, memberID int64, site, handle string) {
	t.Helper()
	truth := w.out.Submissions(site, handle)
	rows := w.stored(t, memberID, site)
	if len(w.out.Listed(site, handle)) < len(truth) { // What fell off the list before it was seen is missing, and said to be.
		a := w.account(t, memberID, site)
		if len(rows)+a.Missing != len(truth) || (a.Missing > 0) != (a.CompleteUntil == nil || a.MissingUntil != nil && a.CompleteUntil.Before(a.MissingUntil.AddDate(0, 0, 1))) {
			t.Errorf("%s of %s: %d rows and %d missing from %v to %v of %d, complete until %v", site, handle, len(rows), a.Missing, a.MissingFrom, a.MissingUntil, len(truth), a.CompleteUntil)
		}
		truth = slices.DeleteFunc(truth, func(x standin.Submission) bool { _, ok := rows[x.ID]; return !ok })
	}
	unnumbered := map[string]int{} // Rows of which the site shows no number, by all else.
	for id, got := range rows {
		if strings.Contains(id, "#") {
			unnumbered[fmt.Sprint(got.SubmittedAt.Unix(), got.ProblemKey, got.Language, got.Verdict)]++
		}
	}
	if len(rows) != len(truth) {
		t.Errorf("%s of %s: %d rows stored, want %d", site, handle, len(rows), len(truth))
	}
	for _, want := range truth {
		if want.Unnumbered {
			key := fmt.Sprint(want.At.Unix(), want.Problem, want.Language, want.Verdict)
			if unnumbered[key]--; unnumbered[key] < 0 {
				t.Errorf("%s of %s: a submission without a number of %s is missing", site, handle, want.At)
			}
			continue
		}
		got, ok := rows[want.ID]
		if !ok {
			t.Errorf("%s of %s: submission %s of %s is missing", site, handle, want.ID, want.At)
			continue
		}
		verdict := got.Verdict
		if want.Coded {
			verdict = want.Verdict
		}
		if !got.SubmittedAt.Equal(want.At) || verdict != want.Verdict {
			t.Errorf("%s of %s: submission %s is %s %s, want %s %s", site, handle, want.ID, got.SubmittedAt, verdict, want.At, want.Verdict)
		}
	}
}

func TestRetrieveWholeHistories(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Seed: 3, People: 4, Begin: modelstest.Noon.AddDate(0, -8, 0)})
	for _, p := range w.out.People() {
		modelstest.Member(t, w.DB.DB, p.Name, p.Handles, w.Now())
	}
	w.round(t)
	for i, p := range w.out.People() {
		m, err := members.ByName(t.Context(), w.DB.DB, p.Name)
		if err != nil {
			t.Fatal(err)
		}
		for site, handle := range p.Handles {
			a := w.account(t, m.ID, site)
			if a.State != members.StateActive || a.Outcome != pg.OutcomeOK || a.CompleteUntil == nil && a.Missing == 0 || a.LeasedUntil != nil {
				t.Errorf("person %d on %s: state %s, outcome %s (%s), want active and ok", i, site, a.State, a.Outcome, a.Message)
			}
			if want := len(w.out.Submissions(site, handle)); a.Submissions+a.Missing != want {
				t.Errorf("person %d on %s: the account counts %d submissions, want %d", i, site, a.Submissions, want)
			}
			w.sameAsTruth(t, m.ID, site, handle)
		}
	}
}

// Every retrieval after the first brings exactly what is new or changed, whatever
// came late, was pending, or was hacked afterwards.
func TestRetrieveFollowsTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Seed: 4, People: 3, Begin: modelstest.Noon.AddDate(0, -4, 0)})
	p := w.out.People()[0]
	m := modelstest.Member(t, w.DB.DB, p.Name, p.Handles, w.Now())
	for range 6 {
		if _, err := retrieval.Request(t.Context(), w.DB.DB, m.ID, 0, w.Now()); err != nil {
			t.Fatal(err)
		}
		w.round(t)
		w.clock.Pass(14 * time.Hour)
	}
	if _, err := retrieval.Request(t.Context(), w.DB.DB, m.ID, 0, w.Now()); err != nil {
		t.Fatal(err)
	}
	w.round(t)
	for site, handle := range p.Handles {
		w.sameAsTruth(t, m.ID, site, handle)
	}
}
