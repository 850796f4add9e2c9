package simulate_test

import (
	"context"
	"fmt"
	"io"
	"iter"
	"math"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"laurel/jobs/sites"
)

// A world is what the members of one site do, and what time it is there.
type world struct {
	info     sites.Info
	lives    []life
	now      atomic.Int64 // Seconds from begin.
	requests map[string]*atomic.Int64
}

var kinds = []string{"list", "ratings", "profile", "bulk", "stream"}

func newWorld(info sites.Info, lives []life) *world {
	w := &world{info: info, lives: lives, requests: map[string]*atomic.Int64{}}
	w.info.Handle = regexp.MustCompile(`^m[0-9]+$`)
	w.info.List, w.info.Profile = nil, func(h string) string { return w.info.Home + "/" + h }
	for _, k := range kinds {
		w.requests[k] = new(atomic.Int64)
	}
	return w
}

func (w *world) time() time.Time { return begin.Add(time.Duration(w.now.Load()) * time.Second) }

func (w *world) ask(ctx context.Context, get sites.Getter, kind string) error {
	_, err := get.Get(ctx, w.info.Home+"/"+kind)
	return err
}

// RoundTrip implements http.RoundTripper: it counts requests by kind, and answers
// everybody with an empty page, for worlds know what is on it.
func (w *world) RoundTrip(q *http.Request) (*http.Response, error) {
	w.requests[path.Base(q.URL.Path)].Add(1)
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("")), Request: q}, nil
}

func (w *world) life(handle string) *life {
	n, _ := strconv.Atoi(handle[1:])
	return &w.lives[n]
}

func (w *world) submission(handle string, i int) sites.Submission {
	at := w.life(handle).at[i]
	return sites.Submission{ID: fmt.Sprintf("%s-%d", handle, i), At: begin.Add(time.Duration(at) * time.Second),
		Problem: sites.Problem{Key: "1"}, Status: sites.AC, Verdict: "OK", Language: "C", Final: w.info.Name == "codeforces" && !inContest(at)}
}

// inContest says whether something was submitted during a contest: on every third day.
func inContest(at int64) bool { return (at%contestEvery+contestEvery)%contestEvery < 86400 }

const contestEvery = 3 * 86400

// A site without anything for many at once.
type plain struct{ *world }

func (p plain) Info() sites.Info { return p.info }

func (p plain) Submissions(ctx context.Context, get sites.Getter, a sites.Account) iter.Seq2[sites.ListPage, error] {
	return func(yield func(sites.ListPage, error) bool) {
		if err := p.ask(ctx, get, "list"); err != nil {
			yield(sites.ListPage{}, err)
			return
		}
		var page sites.ListPage
		covered := int64(math.MinInt64)
		if !a.CoveredAt.IsZero() {
			covered = int64(a.CoveredAt.Sub(begin) / time.Second)
		}
		at := p.life(a.Handle).at
		for i := until(at, p.now.Load()) - 1; i >= 0 && at[i] >= covered; i-- {
			page.Rows = append(page.Rows, p.submission(a.Handle, i))
		}
		yield(page, nil)
	}
}

func (p plain) Ratings(ctx context.Context, get sites.Getter, _ sites.Account) ([]sites.Rating, error) {
	return nil, p.ask(ctx, get, "ratings")
}

func (p plain) Profile(ctx context.Context, get sites.Getter, _ sites.Account) (sites.Profile, error) {
	return sites.Profile{}, p.ask(ctx, get, "profile")
}

// A checked site says of many at once when they were there last.
type checked struct {
	plain
	real sites.BulkChecker
}

func (p checked) BulkCheck(ctx context.Context, get sites.Getter, accounts []sites.BulkAccount) ([]sites.Finding, error) {
	found := make([]sites.Finding, len(accounts))
	if err := p.ask(ctx, get, "bulk"); err != nil {
		return found, err
	}
	now := p.now.Load()
	for i, a := range accounts {
		l := p.life(a.Handle)
		seen := l.newest(now)
		if p.visible() {
			seen = l.seen(now)
		}
		if found[i] = sites.News; seen < int64(a.Since.Sub(begin)/time.Second) {
			found[i] = sites.Quiet
		}
	}
	return found, nil
}

// visible says that the site tells of visits, and not of submissions alone.
func (p checked) visible() bool { return p.info.Name == "codeforces" }

func (p checked) Batch() (first, most int) { return p.real.Batch() }

// A streamed site lists everybody's submissions, strangers' among them.
type streamed struct {
	plain
	stream    sites.StreamInfo
	strangers func(at int64) float64 // Rows a second.
	newest    bool                   // A page has the newest rows, wherever it is asked to begin.
}

const streamRows = 1000

func (f streamed) Stream() sites.StreamInfo { return f.stream }

func (f streamed) StreamPage(ctx context.Context, get sites.Getter, from sites.StreamCursor) (sites.StreamPage, error) {
	if err := f.ask(ctx, get, "stream"); err != nil {
		return sites.StreamPage{}, err
	}
	now, at := f.now.Load(), int64(from.At.Sub(begin)/time.Second)
	first, last := at, min(now, at+int64(streamRows/f.strangers(now)))
	p := sites.StreamPage{Full: last < now}
	if f.newest {
		first, last, p.Full = now-int64(streamRows/f.strangers(now)), now, false
		if first > at || from.ID == "" {
			p.Since = begin.Add(time.Duration(max(first, at)) * time.Second)
		}
	} else if from.ID == "" {
		p.Since = from.At
	}
	for n := range f.lives {
		handle := fmt.Sprintf("m%d", n)
		l := &f.lives[n]
		for i := until(l.at, first-1); i < len(l.at) && l.at[i] <= last; i++ {
			p.Rows = append(p.Rows, sites.StreamRow{Handle: handle, Submission: f.submission(handle, i)})
		}
	}
	p.Fresh = int(float64(max(0, last-max(at, first))) * f.strangers(now))
	p.Next = sites.StreamCursor{At: begin.Add(time.Duration(last) * time.Second), ID: "x"}
	p.Until = p.Next.At
	return p, nil
}
