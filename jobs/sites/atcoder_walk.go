package sites

import (
	"context"
	"fmt"
	"net/url"
	"time"
)

// An atcoderWalk reads v3/user/submissions, which gives the first rows from a
// second on, oldest first.
//
// A page may be cut in the middle of a second, so the next one starts at the
// second where the last one ended, not behind it. Only a page that holds
// nothing but the second it was asked from is stepped over, because asking
// again would bring the same page. That is safe while the page is shorter than
// the limit; a second that fills a whole page cannot be read to its end here,
// and is an error rather than a gap nobody sees.
//
// A short page is not yet the end, because a server may give fewer rows than it
// says. The end is a page shorter than one it has given before, an empty one,
// or one with nothing new. An idle account costs one request, an active one two.
type atcoderWalk struct {
	get    Getter
	handle string
	since  time.Time
	done   bool
	from   int64
	seen   map[int64]bool
	most   int // The longest page so far.
}

const atcoderLimit = 500 // Rows a page, says the mirror's documentation.

func newAtcoderWalk(get Getter, a Account) *atcoderWalk {
	w := &atcoderWalk{get: get, handle: a.Handle, seen: map[int64]bool{}}
	if !a.CoveredAt.IsZero() {
		w.since = a.CoveredAt.Truncate(time.Second) // The mirror knows whole seconds.
		w.from = max(0, w.since.Unix())
	}
	return w
}

// next returns the rows of one page that were not read before, perhaps none.
func (w *atcoderWalk) next(ctx context.Context) ([]Submission, error) {
	rows, err := w.page(ctx)
	if err != nil {
		return nil, fmt.Errorf("submissions from %d: %w", w.from, err)
	}
	var fresh []Submission
	var last int64
	for _, r := range rows {
		last = max(last, r.EpochSecond)
		if w.seen[r.ID] {
			continue
		}
		s, err := r.submission()
		if err != nil {
			return nil, fmt.Errorf("submissions from %d: %w", w.from, err)
		}
		w.seen[r.ID] = true
		fresh = append(fresh, s)
	}
	return fresh, w.advance(len(rows), len(fresh), last)
}

func (w *atcoderWalk) page(ctx context.Context) ([]atcoderRow, error) {
	page, err := w.get.Get(ctx, fmt.Sprintf("https://kenkoooo.com/atcoder/atcoder-api/v3/user/submissions?user=%s&from_second=%d",
		url.QueryEscape(w.handle), w.from))
	if err != nil {
		return nil, err
	}
	return foundList[atcoderRow](page)
}

// advance moves on behind a page of n rows, fresh of them new, that ends in the
// second last.
func (w *atcoderWalk) advance(n, fresh int, last int64) error {
	switch {
	case n == 0, n < w.most:
		w.done = true
	case fresh == 0 && last != w.from: // The server does not know from_second.
		w.done = true
	case last > w.from:
		w.from = last
	case last == w.from && n >= atcoderLimit:
		return fmt.Errorf("submissions from %d: %w: %d rows in one second", w.from, ErrFormat, n)
	case last == w.from:
		w.from++
	}
	w.most = max(w.most, n)
	return nil
}
