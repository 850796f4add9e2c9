package retrieval_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"laurel/jobs/jobstest"
	"laurel/jobs/retrieval"
	"laurel/jobs/sites"
	"laurel/jobs/standin"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/responses"
	modelretrieval "laurel/models/retrieval"
	"laurel/models/submissions"
)

// A brokenSite misreads what a site sends: it loses every third submission, takes others
// for wrong, counts nothing on the days of the first half of a month, and understands no rating.
type brokenSite struct{ sites.Site }

func (b brokenSite) Submissions(ctx context.Context, get sites.Getter, a sites.Account) iter.Seq2[sites.ListPage, error] {
	return func(yield func(sites.ListPage, error) bool) {
		for p, err := range b.Site.Submissions(ctx, get, a) {
			var rows []sites.Submission
			for _, s := range p.Rows {
				switch s.At.Unix() % 3 {
				case 0:
					continue
				case 1:
					s.Status, s.Verdict, s.Final = sites.WA, "misread", true
				}
				rows = append(rows, s)
			}
			p.Rows = rows
			if c := p.Reported; c != nil {
				maps.DeleteFunc(c.Days, func(day time.Time, _ int) bool { return day.Day() < 16 })
			}
			if !yield(p, err) {
				return
			}
		}
	}
}

func (b brokenSite) Ratings(ctx context.Context, get sites.Getter, a sites.Account) ([]sites.Rating, error) {
	if _, err := b.Site.Ratings(ctx, get, a); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("%w: broken by the test", sites.ErrFormat)
}

// Resolve implements sites.Resolver where the site does.
func (b brokenSite) Resolve(ctx context.Context, get sites.Getter, handle string) (string, error) {
	if r, ok := b.Site.(sites.Resolver); ok {
		return r.Resolve(ctx, get, handle)
	}
	return "", nil
}

// broken returns the world's sites as a release reads them that misreads all.
func broken(list []sites.Site) (worse []sites.Site) {
	for _, s := range list {
		worse = append(worse, brokenSite{s})
	}
	return worse
}

func (w *world) reread(t *testing.T, dry bool) (total modelretrieval.Changes) {
	t.Helper()
	err := w.Reread(t.Context(), retrieval.RereadOrder{DryRun: dry}, func(_ *members.Account, c modelretrieval.Changes) error {
		total.Inserted, total.Revised, total.Answers = total.Inserted+c.Inserted, total.Revised+c.Revised, total.Answers+c.Answers
		total.Ratings, total.Counts, total.Rows = total.Ratings || c.Ratings, total.Counts || c.Counts, total.Rows+c.Rows
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return total
}

// logSizes prints what an answer of each site takes.
func (w *world) logSizes(t *testing.T) {
	t.Helper()
	var sizes []struct {
		Source                string
		Answers, Sent, Stored int
	}
	err := w.DB.WithContext(t.Context()).Raw(`
		SELECT r.source, count(*) AS answers, sum(b.size) / count(*) AS sent, sum(length(b.body)) / count(*) AS stored
		FROM responses r JOIN response_bodies b ON b.hash = r.body_hash GROUP BY r.source ORDER BY r.source`).Scan(&sizes).Error
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sizes {
		t.Logf("%s: %d answers of %d bytes, stored as %d", s.Source, s.Answers, s.Sent, s.Stored)
	}
}

// What a broken reader lost comes back from the raw answers with a mended one, without a
// request; a dry run and a second run change nothing.
func TestReread(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Seed: 5, People: 1, Begin: modelstest.Noon.AddDate(0, -3, 0)})
	p := w.out.People()[0]
	m := modelstest.Member(t, w.DB.DB, p.Name, p.Handles, w.Now())
	mended := w.Sites
	w.Sites = broken(mended)
	for range 3 {
		w.round(t)
		w.clock.Pass(80 * time.Hour)
		if _, err := modelretrieval.Request(t.Context(), w.DB.DB, m.ID, 0, w.Now()); err != nil {
			t.Fatal(err)
		}
	}
	w.round(t)
	w.Sites = mended
	w.out.Forget()
	lost := map[string]map[string]submissions.Submission{}
	for site := range p.Handles {
		lost[site] = w.stored(t, m.ID, site)
	}
	if c := w.reread(t, true); c.Inserted < 20 || c.Revised < 20 {
		t.Errorf("a dry run would change %+v; the test needs more", c)
	}
	for site := range p.Handles {
		if n := len(w.stored(t, m.ID, site)); n != len(lost[site]) {
			t.Errorf("%s: a dry run stored %d rows", site, n-len(lost[site]))
		}
	}
	if c := w.reread(t, false); !c.Ratings || c.Answers == 0 {
		t.Errorf("reading again changed %+v; want ratings, too", c)
	}
	for site, handle := range p.Handles {
		w.sameAsTruth(t, m.ID, site, handle)
	}
	w.sameAsCounted(t, m, p.Handles["leetcode"])
	if c := w.reread(t, false); c != (modelretrieval.Changes{}) {
		t.Errorf("the second time changed %+v", c)
	}
	w.logSizes(t)
	if log := w.out.Log(); len(log) > 0 {
		t.Errorf("%d requests were made, the first to %s", len(log), log[0].URI)
	}
}

// A command retrieves all accounts of a member under one lease: the answers of each are its own.
func TestRereadOfWhatACommandRetrieved(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Seed: 5, People: 1, Begin: modelstest.Noon.AddDate(0, -1, 0)})
	p := w.out.People()[0]
	m := modelstest.Member(t, w.DB.DB, p.Name, p.Handles, w.Now())
	mended := w.Sites
	w.Sites = broken(mended)
	if _, err := w.RetrieveMember(t.Context(), m.ID, "", false); err != nil {
		t.Fatal(err)
	}
	w.Sites = mended
	w.reread(t, false)
	for site, handle := range p.Handles {
		w.sameAsTruth(t, m.ID, site, handle)
	}
	if n := jobstest.Count(t, w.DB, `
		SELECT count(*) FROM responses r JOIN fetches f ON f.id = r.fetch_id JOIN accounts a ON a.id = f.account_id
		WHERE a.site <> r.source`); n > 0 {
		t.Errorf("%d answers are another account's", n)
	}
}

// A shifted site goes on in its lists before the place where a page ended, as a reader does that loses rows.
type shifted struct {
	sites.Asker
	by int64
}

var shiftedPlace = regexp.MustCompile(`(from_second|from|start)=([0-9]+)`)

func (s shifted) Ask(ctx context.Context, r sites.Request) (sites.Page, sites.Header, error) {
	r.Address = shiftedPlace.ReplaceAllStringFunc(r.Address, func(text string) string {
		name, place, _ := strings.Cut(text, "=")
		n, err := strconv.ParseInt(place, 10, 64)
		if err != nil || n <= s.by {
			return text
		}
		return fmt.Sprint(name, "=", n-s.by)
	})
	return s.Asker.Ask(ctx, r)
}

func (s shifted) Get(ctx context.Context, address string) (sites.Page, error) {
	page, _, err := s.Ask(ctx, sites.Request{Address: address})
	return page, err
}

type shiftedSite struct{ brokenSite }

func (b shiftedSite) Submissions(ctx context.Context, get sites.Getter, a sites.Account) iter.Seq2[sites.ListPage, error] {
	by := map[string]int64{"atcoder": 100_000, "codeforces": 300, "spoj": 7, "timus": 0}[b.Info().Name]
	return b.brokenSite.Submissions(ctx, shifted{get.(sites.Asker), by}, a)
}

// Where a page begins follows from the rows before it: a reader that lost some asked for other pages. What is
// in these comes back all the same.
func TestRereadOfOtherPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Seed: 5, People: 1, Begin: modelstest.Noon.AddDate(-1, -3, 0)})
	p := w.out.People()[0]
	handles := map[string]string{}
	for _, site := range []string{"atcoder", "codeforces", "spoj", "timus"} {
		handles[site] = p.Handles[site]
	}
	m := modelstest.Member(t, w.DB.DB, p.Name, handles, w.Now())
	mended := w.Sites
	w.Sites = nil
	for _, s := range mended {
		w.Sites = append(w.Sites, shiftedSite{brokenSite{s}})
	}
	w.round(t)
	w.Sites = mended
	w.reread(t, false)
	for site, handle := range handles {
		if n := jobstest.Count(t, w.DB, fmt.Sprintf(`SELECT count(*) FROM responses WHERE source = '%s'`, site)); n < 2 {
			t.Errorf("%s: %d answers are too few for the test", site, n)
		}
		w.sameAsTruth(t, m.ID, site, handle)
	}
	if c := w.reread(t, false); c != (modelretrieval.Changes{}) {
		t.Errorf("the second time changed %+v", c)
	}
}

// An answer that nobody understood is kept with the others of its fetch, and is read once a
// reader understands it; what a newer answer showed stays.
func TestRereadOfAnUnreadablePage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Seed: 5, People: 1, Begin: modelstest.Noon.AddDate(0, -3, 0)})
	p := w.out.People()[0]
	handle := p.Handles["codeforces"]
	m := modelstest.Member(t, w.DB.DB, p.Name, map[string]string{"codeforces": handle}, w.Now())
	mended := w.Sites
	w.Sites = []sites.Site{unreadableSite{site(t, w, "codeforces")}}
	w.round(t)
	if a := w.account(t, m.ID, "codeforces"); a.Outcome != "parse_error" || a.Submissions > 0 {
		t.Fatalf("outcome %s, %d rows", a.Outcome, a.Submissions)
	}
	if err := responses.Prune(t.Context(), w.DB.DB, w.Now().AddDate(1, 0, 0)); err != nil {
		t.Fatal(err)
	}
	w.Sites = mended
	if c := w.reread(t, false); c.Inserted == 0 || c.Answers == 0 {
		t.Errorf("reading again changed %+v", c)
	}
	w.sameAsTruth(t, m.ID, "codeforces", handle)
	if err := responses.Prune(t.Context(), w.DB.DB, w.Now().AddDate(1, 0, 0)); err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"responses", "response_bodies", "fetches"} {
		var n int64
		if err := w.DB.WithContext(t.Context()).Table(table).Count(&n).Error; err != nil || n > 0 {
			t.Errorf("%d rows of %s are left (%v)", n, table, err)
		}
	}
}

// An unreadableSite understands nothing of a list.
type unreadableSite struct{ sites.Site }

func (u unreadableSite) Submissions(ctx context.Context, get sites.Getter, a sites.Account) iter.Seq2[sites.ListPage, error] {
	return func(yield func(sites.ListPage, error) bool) {
		for _, err := range u.Site.Submissions(ctx, get, a) {
			if err == nil || !errors.Is(err, sites.ErrNoHandle) {
				err = fmt.Errorf("%w: broken by the test", sites.ErrFormat)
			}
			yield(sites.ListPage{}, err)
			return
		}
	}
}

func site(t *testing.T, w *world, name string) sites.Site {
	t.Helper()
	for _, s := range w.Sites {
		if s.Info().Name == name {
			return s
		}
	}
	t.Fatalf("there is no site %s", name)
	return nil
}
