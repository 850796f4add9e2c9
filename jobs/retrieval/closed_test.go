package retrieval_test

import (
	"strings"
	"testing"
	"time"

	"laurel/jobs/jobstest"
	"laurel/jobs/standin"
	pg "laurel/models/db"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

// While a site wants to be left alone, who presses the button reads that at
// once, nobody else is asked, and the site's health does not count it.
func TestTheButtonWhileASiteIsClosed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Seed: 9, People: 3, Begin: modelstest.Noon.AddDate(0, -4, 0)})
	w.Client.Rate, w.Rule.Rate = 1, 1 // Retry-After in full.
	w.Sites = w.Sites[:1]
	site := w.Sites[0].Info().Name
	p := w.out.People()
	first := modelstest.Member(t, w.DB.DB, "first", map[string]string{site: p[0].Handles[site]}, w.Now())
	if err := w.out.SetFault(site, standin.Fault{Kind: "503", RetryAfter: "3000"}); err != nil {
		t.Fatal(err)
	}
	w.round(t)
	second := modelstest.Member(t, w.DB.DB, "second", map[string]string{site: p[1].Handles[site]}, w.Now())
	w.round(t)
	if a := w.account(t, second.ID, site); a.LastAttemptAt != nil {
		t.Errorf("routine work asked a closed site: %s", a.Message)
	}
	if _, err := retrieval.Request(t.Context(), w.DB.DB, second.ID, time.Hour, w.Now()); err != nil {
		t.Fatal(err)
	}
	w.round(t)
	a, closed := w.account(t, second.ID, site), w.account(t, first.ID, site)
	if a.RequestedAt != nil || a.Outcome != pg.OutcomeRateLimited || !strings.Contains(a.Message, "asked for a pause") || a.DueAt.Before(closed.DueAt.Add(-time.Minute)) {
		t.Errorf("pressed while closed: requested %v, outcome %s (%s), due %s", a.RequestedAt, a.Outcome, a.Message, a.DueAt)
	}
	if n := w.out.Stats()[site].Requests; n != 1 {
		t.Errorf("the site was asked %d times, want once", n)
	}
	if n := jobstest.Count(t, w.DB, `SELECT sum(retrievals) FROM site_hours`); n != 1 {
		t.Errorf("%d retrievals are counted, want the one that asked", n)
	}
}
