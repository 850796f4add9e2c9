package retrieval_test

import (
	"testing"
	"time"

	"laurel/jobs/standin"
	pg "laurel/models/db"
	"laurel/models/modelstest"
)

// A first reading that breaks off goes on where it was: what was stored stays, what
// was read is not asked for again, and in the end all of it is there once.
func TestFirstReadingGoesOn(t *testing.T) {
	t.Parallel()
	for _, site := range pagedSites {
		t.Run(site, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, standin.Options{Seed: 5, People: 7})
			p := w.out.People()[6]
			m := modelstest.Member(t, w.DB.DB, p.Name, map[string]string{site: p.Handles[site]}, w.Now())
			const pages = 3
			if err := w.out.SetFault(site, standin.Fault{Kind: "503", Skip: pages}); err != nil {
				t.Fatal(err)
			}
			w.round(t)
			a := w.account(t, m.ID, site)
			if a.Outcome != pg.OutcomeServerError || a.Cursor == "" || a.CoveredAt != nil || a.Submissions == 0 {
				t.Fatalf("after %d pages: outcome %s, place %q, covered %v, %d rows", pages, a.Outcome, a.Cursor, a.CoveredAt, a.Submissions)
			}
			w.out.ClearFaults("")
			w.clock.Pass(time.Hour)
			before := len(w.out.Log())
			w.round(t)
			a = w.account(t, m.ID, site)
			if a.Outcome != pg.OutcomeOK || a.Cursor != "" || a.CoveredAt == nil {
				t.Errorf("after the rest: outcome %s (%s), place %q", a.Outcome, a.Message, a.Cursor)
			}
			if first := w.out.Log()[before].URI; first == w.out.Log()[0].URI {
				t.Errorf("it begins again, with %s", first)
			}
			if all := len(w.out.Log()); a.AuditRequests != all {
				t.Errorf("%d requests were counted of %d", a.AuditRequests, all)
			}
			w.sameAsTruth(t, m.ID, site, p.Handles[site])
		})
	}
}

// pagedSites are those with lists of small pages.
var pagedSites = []string{"codechef", "spoj", "timus"}
