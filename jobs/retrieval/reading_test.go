package retrieval_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"laurel/jobs/sites"
	pg "laurel/models/db"
	"laurel/models/members"
)

// A page that cannot be stored counts as a failure and holds nobody up.
func TestAPageThatCannotBeStored(t *testing.T) {
	t.Parallel()
	var w *world
	bad := &fakeSite{submissions: func(_ context.Context, _ sites.Getter, a sites.Account) ([]sites.Submission, error) {
		s := made("1", w.Now())
		if a.Handle == "bad" {
			for range 1000 { // More than an index takes, also when packed.
				s.ID += fmt.Sprint(rand.Uint64())
			}
		}
		return []sites.Submission{s}, nil
	}}
	var people map[string]members.Member
	w, people = newFake(t, bad, "bad", "good1", "good2", "good3", "good4")
	w.round(t)
	for handle, m := range people {
		a := w.account(t, m.ID, "fake")
		if handle != "bad" && (a.Outcome != pg.OutcomeOK || a.Submissions != 1) {
			t.Errorf("%s: outcome %s (%s), %d rows", handle, a.Outcome, a.Message, a.Submissions)
		}
		if handle == "bad" && (a.Outcome != pg.OutcomeParseError || !strings.Contains(a.Message, "could not be stored") || a.LeasedUntil != nil || !a.DueAt.After(w.Now().Add(-time.Minute)) || a.CoveredAt != nil || a.State != members.StateNew) {
			t.Errorf("%s: became %+v", handle, a)
		}
	}
}

// What a reader says becomes an outcome; what nobody foresaw becomes a failure, too.
func TestOutcomes(t *testing.T) {
	t.Parallel()
	errs := map[string]error{}
	want := map[string]string{}
	for handle, o := range map[string]struct {
		err     error
		outcome string
	}{
		"nobody": {sites.ErrNoHandle, pg.OutcomeNotFound}, "limited": {fmt.Errorf("x: %w", sites.ErrRateLimited), pg.OutcomeRateLimited},
		"broken": {sites.ErrServer, pg.OutcomeServerError}, "format": {fmt.Errorf("page 2: %w", sites.ErrFormat), pg.OutcomeParseError},
		"badhandle": {sites.ErrBadHandle, pg.OutcomeParseError}, "surprise": {errors.New("what is this"), pg.OutcomeParseError}, "fine": {nil, pg.OutcomeOK},
	} {
		errs[handle], want[handle] = o.err, o.outcome
	}
	site := &fakeSite{submissions: func(_ context.Context, _ sites.Getter, a sites.Account) ([]sites.Submission, error) {
		return []sites.Submission{made("1", time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))}, errs[a.Handle]
	}}
	w, members := newFake(t, site, "nobody", "limited", "broken", "format", "badhandle", "surprise", "fine")
	w.round(t)
	for handle, m := range members {
		a := w.account(t, m.ID, "fake")
		if a.Outcome != want[handle] || (a.Message == "") != (handle == "fine") || a.Submissions != 1 {
			t.Errorf("%s: outcome %s (%s), %d rows; want %s and the row that came before", handle, a.Outcome, a.Message, a.Submissions, want[handle])
		}
		if (a.CoveredAt != nil) != (handle == "fine") {
			t.Errorf("%s: covered until %v", handle, a.CoveredAt)
		}
	}
}

// Ratings that fail leave the submissions complete, and are tried with the next retrieval.
func TestRatingsThatFail(t *testing.T) {
	t.Parallel()
	for name, ratings := range map[string]func(sites.Account) ([]sites.Rating, error){
		"unread":     func(sites.Account) ([]sites.Rating, error) { return nil, sites.ErrServer },
		"unstorable": func(sites.Account) ([]sites.Rating, error) { return []sites.Rating{{Contest: "1", Rank: 1 << 40}}, nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var w *world
			site := &fakeSite{ratings: ratings, submissions: func(context.Context, sites.Getter, sites.Account) ([]sites.Submission, error) {
				return []sites.Submission{made("1", w.Now().Add(-time.Hour))}, nil
			}}
			var people map[string]members.Member
			w, people = newFake(t, site, "ada")
			w.round(t)
			a := w.account(t, people["ada"].ID, "fake")
			if a.Outcome != pg.OutcomeOK || a.CompleteUntil == nil || a.CoveredAt == nil || a.LastNew != 1 || a.RatingsAt != nil || !strings.Contains(a.Message, "ratings") {
				t.Errorf("outcome %s (%s), complete until %v, ratings at %v", a.Outcome, a.Message, a.CompleteUntil, a.RatingsAt)
			}
			site.mu.Lock()
			site.ratings = func(sites.Account) ([]sites.Rating, error) {
				return []sites.Rating{{Contest: "1", Rank: 1, Rating: 1500, At: w.Now()}}, nil
			}
			site.mu.Unlock()
			w.clock.Pass(48 * time.Hour)
			w.round(t)
			if a := w.account(t, people["ada"].ID, "fake"); a.RatingsAt == nil || a.Message != "" || site.rated != 2 {
				t.Errorf("the next retrieval: ratings at %v after %d requests, message %q", a.RatingsAt, site.rated, a.Message)
			}
		})
	}
}

// Ratings are read anew until three days after the newest submission, not for ever.
func TestRatingsAreReadWhileTheyCanChange(t *testing.T) {
	t.Parallel()
	var made1 []sites.Submission
	site := &fakeSite{submissions: func(context.Context, sites.Getter, sites.Account) ([]sites.Submission, error) { return made1, nil }}
	w, _ := newFake(t, site, "ada")
	begin := w.Now()
	for _, tt := range []struct {
		day  int
		news bool
		want int // Reads so far.
	}{
		{0, false, 1}, {1, false, 1}, // Never a submission: once.
		{2, true, 2}, {3, false, 3}, {4, false, 4}, {5, false, 5}, {6, false, 5}, {8, false, 5}, {10, true, 6},
	} {
		w.clock.Pass(begin.AddDate(0, 0, tt.day).Sub(w.Now()))
		if tt.news {
			made1 = append(made1, made(fmt.Sprint(tt.day), w.Now().Add(-time.Minute)))
		}
		if err := w.DB.Exec(`UPDATE account_schedule SET due_at = '2000-01-01'`).Error; err != nil {
			t.Fatal(err)
		}
		w.round(t)
		if site.rated != tt.want {
			t.Errorf("day %d: ratings were read %d times, want %d", tt.day, site.rated, tt.want)
		}
	}
}

// A site that gives more in one page than one statement takes loses nothing.
func TestManyRowsInOnePage(t *testing.T) {
	t.Parallel()
	const n = 4321
	site := &fakeSite{submissions: func(context.Context, sites.Getter, sites.Account) (rows []sites.Submission, err error) {
		for i := range n {
			rows = append(rows, made(fmt.Sprint(i), time.Date(2026, 1, 1, 0, i, 0, 0, time.UTC)))
		}
		return rows, nil
	}}
	w, members := newFake(t, site, "ada")
	w.round(t)
	if a := w.account(t, members["ada"].ID, "fake"); a.Submissions != n || a.LastNew != n || a.Solved != n {
		t.Errorf("%d rows, %d new, %d solved; want %d", a.Submissions, a.LastNew, a.Solved, n)
	}
}

// A pagedSite lists a row a page.
type pagedSite struct {
	*fakeSite
	before func(page int) error // Is called before a page is fetched.
}

func (p pagedSite) Submissions(context.Context, sites.Getter, sites.Account) iter.Seq2[sites.ListPage, error] {
	return func(yield func(sites.ListPage, error) bool) {
		for n := 1; n <= 3; n++ {
			if err := p.before(n); err != nil {
				yield(sites.ListPage{}, err)
				return
			}
			rows := []sites.Submission{made(fmt.Sprint(n), time.Date(2026, 11, 1, 0, n, 0, 0, time.UTC))}
			if !yield(sites.ListPage{Rows: rows, Resume: fmt.Sprint("from ", n), Last: n == 3}, nil) {
				return
			}
		}
	}
}

// Before a page is fetched, those before it are stored, with the place to resume from,
// and the lease is as new as the last one.
func TestAPageIsStoredBeforeTheNextIsFetched(t *testing.T) {
	t.Parallel()
	w, members := newFake(t, &fakeSite{}, "ada")
	fail := errors.New("cut off")
	w.Sites = []sites.Site{pagedSite{&fakeSite{}, func(page int) error {
		a := w.account(t, members["ada"].ID, "fake")
		if rows := w.stored(t, members["ada"].ID, "fake"); len(rows) != page-1 || page > 1 && a.Cursor != fmt.Sprint("from ", page-1) {
			t.Errorf("before page %d: %d rows, to be resumed %q", page, len(rows), a.Cursor)
		}
		if page > 1 && a.LeasedUntil.Before(w.Now().Add(4*time.Minute)) { // Four pass with every page.
			t.Errorf("before page %d: leased until %s, it is %s", page, a.LeasedUntil, w.Now())
		}
		w.clock.Pass(4 * time.Minute)
		if page == 3 {
			return fail
		}
		return nil
	}}}
	w.round(t)
	if a := w.account(t, members["ada"].ID, "fake"); a.Outcome != pg.OutcomeParseError || a.Submissions != 2 || a.Cursor != "from 2" || a.CoveredAt != nil {
		t.Errorf("cut off on page 3: outcome %s, %d rows, to be resumed %q", a.Outcome, a.Submissions, a.Cursor)
	}
}
