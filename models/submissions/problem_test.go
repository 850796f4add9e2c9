package submissions_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"laurel/models/modelstest"
	"laurel/models/retrieval"
	modelsubmissions "laurel/models/submissions"
)

func TestNameProblems(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	m := modelstest.Member(t, tx, "ada", map[string]string{"a": "x", "b": "y"}, modelstest.Noon)
	nameless := found("1", modelstest.Noon, "AC")
	nameless.ProblemName = ""
	claimed := func(at time.Time) bool {
		ok, err := modelsubmissions.ClaimCatalogue(ctx, tx, "a", at)
		if err != nil {
			t.Fatal(err)
		}
		return ok
	}
	if claimed(modelstest.Noon) {
		t.Error("a catalogue is to be read though no problem lacks a name")
	}
	modelstest.StorePage(t, tx, modelstest.Claim(t, tx, "a", modelstest.Noon), modelstest.Noon, nameless, found("2", modelstest.Noon, "AC"))
	modelstest.StorePage(t, tx, modelstest.Claim(t, tx, "b", modelstest.Noon), modelstest.Noon, nameless)
	if !claimed(modelstest.Noon) || claimed(modelstest.Noon.Add(59*time.Minute)) || !claimed(modelstest.Noon.Add(time.Hour)) {
		t.Error("a catalogue is to be read at once, and then once an hour")
	}
	catalogue := []modelsubmissions.ProblemFound{{Key: "p1", Name: "One", URL: "u"}, {Key: "p1", Name: "One", URL: "u"}, {Key: "p2", Name: ""}, {Key: "never met", Name: "Never", URL: "u"}}
	for i, want := range []int64{1, 0} {
		if n, err := modelsubmissions.NameProblems(ctx, tx, "a", catalogue); err != nil || n != want {
			t.Errorf("round %d named %d (%v), want %d", i, n, err, want)
		}
	}
	if claimed(modelstest.Noon.Add(5 * time.Hour)) {
		t.Error("a catalogue is to be read though every problem has its name")
	}
	for _, s := range modelstest.Stored(t, tx, m.ID) {
		want := map[string]string{"a1": "One", "a2": "Problem 2", "b1": ""}[s.Site+s.SiteID]
		if s.ProblemName != want {
			t.Errorf("%s %s is named %q, want %q", s.Site, s.SiteID, s.ProblemName, want)
		}
	}
}

// Naming and storing lock the same problems, on two connections, in one order.
func TestNamingAndStoringDoNotDeadlock(t *testing.T) {
	t.Parallel()
	db := modelstest.DB(t)
	modelstest.Member(t, db, "ada", map[string]string{"a": "x"}, modelstest.Noon)
	d := modelstest.Claim(t, db, "a", modelstest.Noon)
	var rows []retrieval.Found
	var names [2][]modelsubmissions.ProblemFound
	for i := range 300 {
		f := found(fmt.Sprintf("%03d", 299-i), modelstest.Noon, "AC")
		f.ProblemName = ""
		rows = append(rows, f)
		for j := range names {
			names[j] = append(names[j], modelsubmissions.ProblemFound{Key: f.ProblemKey, Name: fmt.Sprint("Name ", j), URL: f.ProblemURL})
		}
	}
	for page := range slices.Chunk(rows, 20) { // The table has them in another order than by key.
		modelstest.StorePage(t, db, d, modelstest.Noon, page...)
	}
	var wg sync.WaitGroup
	for j := range names {
		wg.Go(func() {
			for i := range 15 {
				if _, err := modelsubmissions.NameProblems(t.Context(), db, "a", names[(i+j)%2]); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 15 {
		if _, err := retrieval.StorePage(t.Context(), db, &d.Account, retrieval.Page{Rows: rows, Next: 2, Lease: modelstest.Lease.For}, modelstest.Noon); err != nil {
			t.Error(err)
		}
	}
	wg.Wait()
}
