package retrieval_test

import (
	"context"
	"testing"
	"time"

	"laurel/jobs/jobstest"
	"laurel/jobs/sites"
	"laurel/jobs/standin"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

// A command's retrieval beside a running server: each account is retrieved, by
// whoever gets it, and the command waits for all of them.
func TestRetrieveMemberBesideARunner(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Seed: 3, People: 2, Begin: modelstest.Noon.AddDate(0, -4, 0)})
	people := w.out.People()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.runner.Start(ctx) }()
	for _, p := range people {
		m := modelstest.Member(t, w.DB.DB, p.Name, p.Handles, w.Now())
		for range 2 {
			accounts, err := w.RetrieveMember(t.Context(), m.ID, "", false)
			if err != nil || len(accounts) != len(p.Handles) {
				t.Fatalf("%d accounts (%v), want %d", len(accounts), err, len(p.Handles))
			}
			for _, a := range accounts {
				if a.Outcome != pg.OutcomeOK || a.RequestedAt != nil || a.CompleteUntil == nil && a.Missing == 0 {
					t.Errorf("%s: outcome %s (%s), still asked at %v", a.Site, a.Outcome, a.Message, a.RequestedAt)
				}
			}
		}
		for site, handle := range p.Handles {
			w.sameAsTruth(t, m.ID, site, handle)
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if n := jobstest.Count(t, w.DB, `SELECT count(*) FROM account_details WHERE lease_id <> ''`); n > 0 {
		t.Errorf("%d leases are left", n)
	}
}

func TestRetrieveMemberOfOneSite(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Seed: 3, People: 1, Begin: modelstest.Noon.AddDate(0, -4, 0)})
	p := w.out.People()[0]
	m := modelstest.Member(t, w.DB.DB, p.Name, p.Handles, w.Now())
	as, err := w.RetrieveMember(t.Context(), m.ID, "uva", false)
	if err != nil || len(as) != 1 || as[0].Site != "uva" || as[0].Outcome != pg.OutcomeOK {
		t.Fatalf("%+v (%v), want uva's account", as, err)
	}
	if a := w.account(t, m.ID, "codeforces"); a.LastAttemptAt != nil || a.RequestedAt != nil {
		t.Errorf("another site was asked, too: %+v", a)
	}
	if err := retrieval.Pause(t.Context(), w.DB.DB, m.ID, "uva"); err != nil {
		t.Fatal(err)
	}
	if accounts, err := w.RetrieveMember(t.Context(), m.ID, "uva", false); err != nil || len(accounts) != 0 {
		t.Errorf("of a paused account: %+v (%v), want nothing and no wait", accounts, err)
	}
}

// An account of a site that this program cannot read (an older release runs on a
// newer one's database) reads that, and is not waited for.
func TestRetrieveMemberOfAnUnknownSite(t *testing.T) {
	t.Parallel()
	w, members := newFake(t, &fakeSite{}, "ada")
	w.Sites = nil
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	accounts, err := w.RetrieveMember(ctx, members["ada"].ID, "", false)
	if err != nil || len(accounts) != 1 || accounts[0].Outcome != pg.OutcomeParseError || accounts[0].Message == "" {
		t.Errorf("%+v (%v), want to read why", accounts, err)
	}
}

// Who is stopped gives its accounts back as they were, with what it read.
func TestStoppingGivesTheLeaseBack(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	reading := make(chan struct{})
	var w *world
	site := &fakeSite{submissions: func(ctx context.Context, get sites.Getter, _ sites.Account) ([]sites.Submission, error) {
		close(reading)
		<-ctx.Done()
		_, err := get.Get(ctx, "https://fake.example/2")
		return []sites.Submission{made("1", w.Now())}, err
	}}
	var people map[string]members.Member
	w, people = newFake(t, site, "ada")
	ended := make(chan error, 1)
	go func() { ended <- w.runner.Start(ctx) }()
	<-reading
	if a := w.account(t, people["ada"].ID, "fake"); !a.Leased(w.Now()) {
		t.Error("the account is read without a lease")
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if a := w.account(t, people["ada"].ID, "fake"); a.LeasedUntil != nil || a.LeaseID != "" || a.Outcome != "" || a.Failures != 0 || a.LastAttemptAt != nil {
		t.Errorf("given back as %+v", a)
	}
}

// Who is stopped when all is read still stores it.
func TestStoppingAtTheEndStores(t *testing.T) {
	t.Parallel()
	w, members := newFake(t, &fakeSite{}, "ada")
	site := w.Sites[0].(*fakeSite)
	site.submissions = func(context.Context, sites.Getter, sites.Account) ([]sites.Submission, error) {
		return []sites.Submission{made("1", w.Now())}, nil
	}
	due, err := retrieval.ClaimDue(t.Context(), w.DB.DB, "fake", pg.Lease{ID: "l", For: time.Minute}, 1, w.Now())
	if err != nil || len(due) != 1 {
		t.Fatal(due, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	clock := w.Now
	w.Now = func() time.Time { // The last thing asked before the end is the time.
		if site.rated > 0 {
			stop()
		}
		return clock()
	}
	if err := w.Retrieve(ctx, site, &due[0], false); err != nil {
		t.Error(err)
	}
	w.Now = clock
	if a := w.account(t, members["ada"].ID, "fake"); a.Outcome != pg.OutcomeOK || a.Submissions != 1 || ctx.Err() == nil {
		t.Errorf("outcome %q, %d rows, called off: %v", a.Outcome, a.Submissions, ctx.Err())
	}
	stop()
}
