package retrieval_test

import (
	"context"
	"testing"
	"time"

	"laurel/jobs/jobstest"
	"laurel/jobs/sites"
	"laurel/models/members"
	"laurel/models/retrieval"
)

// The button's retrieval begins at once, not with the next tick: a press right after
// a retrieval was picked up would otherwise wait for nearly the whole second.
func TestTheButtonWakesWorkers(t *testing.T) {
	t.Parallel()
	var w *world
	retrievals := make(chan time.Time, 100)
	site := &fakeSite{submissions: func(context.Context, sites.Getter, sites.Account) ([]sites.Submission, error) {
		retrievals <- time.Now()
		return nil, nil
	}}
	var people map[string]members.Member
	w, people = newFake(t, site, "ada")
	id := people["ada"].ID
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.runner.Start(ctx) }()
	<-retrievals // The first one is due.
	stored := func() bool {
		return jobstest.Count(t, w.DB, `SELECT count(*) FROM account_details WHERE lease_id = '' AND requested_at IS NULL`) == 1
	}
	jobstest.Until(t, "the first retrieval is stored", 5*time.Minute, stored)
	jobstest.Until(t, "the program listens", 5*time.Minute, func() bool {
		return jobstest.Count(t, w.DB, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN %'`) > 0
	})
	best := time.Hour
	for range 6 {
		pressed := time.Now()
		if _, err := retrieval.Request(t.Context(), w.DB.DB, id, 0, w.Now()); err != nil {
			t.Fatal(err)
		}
		select {
		case began := <-retrievals:
			best = min(best, began.Sub(pressed))
		case <-time.After(time.Minute):
			t.Fatal("the button woke nobody within a minute")
		}
		jobstest.Until(t, "the retrieval is stored", 5*time.Minute, stored)
	}
	if best > 500*time.Millisecond {
		t.Errorf("of 6 presses the fastest began after %s: the program only ticks and does not listen", best)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
