package retrieval_test

import (
	"context"
	"iter"
	"regexp"
	"sync"
	"testing"
	"time"

	"laurel/jobs/sites"
	"laurel/jobs/standin"
	"laurel/models/members"
	"laurel/models/modelstest"
)

// A fakeSite gives what a test wants, without asking anybody.
type fakeSite struct {
	mu          sync.Mutex
	submissions func(ctx context.Context, get sites.Getter, a sites.Account) ([]sites.Submission, error)
	ratings     func(a sites.Account) ([]sites.Rating, error)
	rated       int // How often ratings were asked for.
	named       int // How often the catalogue was.
}

func (f *fakeSite) Info() sites.Info {
	return sites.Info{Name: "fake", Title: "Fake", Handle: regexp.MustCompile(`^\w+$`), Gap: time.Second, Overlap: time.Hour, Profile: func(h string) string { return h }}
}

func (f *fakeSite) Submissions(ctx context.Context, get sites.Getter, a sites.Account) iter.Seq2[sites.ListPage, error] {
	return func(yield func(sites.ListPage, error) bool) {
		rows, err := f.submissions(ctx, get, a)
		if yield(sites.ListPage{Rows: rows}, nil) && err != nil {
			yield(sites.ListPage{}, err)
		}
	}
}

func (f *fakeSite) Ratings(_ context.Context, _ sites.Getter, a sites.Account) ([]sites.Rating, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.rated++; f.ratings == nil {
		return nil, nil
	}
	return f.ratings(a)
}

func (f *fakeSite) Problems(context.Context, sites.Getter) ([]sites.Problem, error) {
	f.named++
	return []sites.Problem{{Key: "p1", Name: "One", URL: "u"}}, nil
}

func made(id string, at time.Time) sites.Submission {
	return sites.Submission{ID: id, At: at, Problem: sites.Problem{Key: "p" + id, URL: "u"}, Status: sites.AC, Verdict: "OK", Language: "Go", URL: "u"}
}

// newFake returns a world with one site, and a member on it for each handle.
func newFake(t *testing.T, f *fakeSite, handles ...string) (*world, map[string]members.Member) {
	t.Helper()
	w := newWorld(t, standin.Options{People: 1})
	w.Sites = []sites.Site{f}
	w.Client.Mirrors["fake"] = w.Client.Mirrors["codeforces"] // Its name is looked up nowhere.
	people := map[string]members.Member{}
	for _, h := range handles {
		people[h] = modelstest.Member(t, w.DB.DB, h, map[string]string{"fake": h}, w.Now())
	}
	return w, people
}
