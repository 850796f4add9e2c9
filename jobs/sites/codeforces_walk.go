package sites

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
)

// A cfWalk reads user.status page by page while the list moves under it: a new
// submission pushes every row one place down, a removed one pulls them up.
//
// So a page starts at the last row of the page before it. If it starts with a
// row that was read already, nothing lies between them; if not, rows were
// removed, and the walk steps back until it is on covered ground again.
//
// A page with fewer rows than asked is not yet the end, because a server may
// give fewer than asked. The end is a page shorter than one this server has
// given before, or one with nothing new. That costs one short page more, and
// only where no covered ground is met: on an account's first retrieval.
type cfWalk struct {
	get     Getter
	account Account
	list    string // The address of the list, without the place in it.
	counts  []int  // How many rows to ask for, page by page; the last one repeats.
	done    bool

	from   int             // The place of the next page's first row, from 1.
	onRead bool            // The next page should start with a row that was read.
	back   int             // The next step back.
	steps  int             // Steps back so far.
	seen   map[string]bool // By the site's id, or the key of an unread row.
	newest int64
	most   int // The longest page so far.
	reach  int // The last place read.
	stale  int // Places past reach, in a run, that brought nothing new.
}

const (
	// cfStale is how many places in a run with read rows mean that the server does
	// not turn pages. Nobody submits that often between two pages.
	cfStale = 20
	// cfSteps is how many steps back one walk may take. A list that people work
	// on needs one or two; one that needs more contradicts itself.
	cfSteps = 50
)

func newCFWalk(get Getter, a Account) *cfWalk {
	counts := []int{1000, 2000, 4000, 5000}
	if !a.CoveredAt.IsZero() {
		counts = []int{50, 500, 1000} // Most often the first page reaches covered ground.
	}
	return &cfWalk{get: get, account: a, list: cfInfo.List(a), counts: counts, from: 1, back: 1, seen: map[string]bool{}}
}

// next returns the rows of one page that were not read before, perhaps none.
func (w *cfWalk) next(ctx context.Context) (fresh tally, err error) {
	asked := w.counts[0]
	if len(w.counts) > 1 {
		w.counts = w.counts[1:]
	}
	rows, err := w.page(ctx, asked)
	if err != nil {
		return fresh, fmt.Errorf("user.status from %d: %w", w.from, err)
	}
	if w.lost(rows) {
		return fresh, w.stepBack()
	}
	w.back = 1
	fresh, news := w.fresh(rows)
	return fresh, w.advance(rows.count(), news, asked)
}

func (w *cfWalk) page(ctx context.Context, count int) (rows tally, err error) {
	page, err := w.get.Get(ctx, fmt.Sprintf("%s&from=%d&count=%d", w.list, w.from, count))
	if err != nil {
		return rows, err
	}
	texts, err := cfResult[json.RawMessage](page)
	if err != nil {
		return rows, err
	}
	for _, text := range texts {
		_, s, err := rowOf(text, cfRow.submission)
		rows.add(s, err, func() string { return string(text) })
	}
	rows.newestFirst()
	return rows, rows.err()
}

// lost reports that a page does not join what was read before.
func (w *cfWalk) lost(rows tally) bool {
	if !w.onRead {
		return false
	}
	if rows.count() == 0 {
		return w.back <= 16 // The list is shorter now. Go back a little, then believe it.
	}
	if len(rows.places) > 0 && rows.places[0] == 0 { // The first row is unread.
		return !w.seen[rows.unread[0].Key()]
	}
	first := rows.rows[0].ID
	return !w.seen[first] && cfNumber(first) < w.newest // A newer one has arrived; it is not behind a gap.
}

func (w *cfWalk) stepBack() error {
	if w.steps++; w.steps > cfSteps {
		return fmt.Errorf("user.status from %d: %w: the list changes with every page", w.from, ErrFormat)
	}
	w.from = max(1, w.from-w.back)
	w.back *= 4
	w.onRead = w.from > 1
	return nil
}

// fresh returns the rows that were not read before, news is how many. An unread one at the end of a
// page comes again with the next page, which says when it was made.
func (w *cfWalk) fresh(rows tally) (fresh tally, news int) {
	for _, s := range rows.rows {
		if !w.seen[s.ID] {
			w.seen[s.ID] = true
			w.newest = max(w.newest, cfNumber(s.ID))
			fresh.rows = append(fresh.rows, s)
		}
	}
	for _, u := range rows.unread {
		known := w.seen[u.Key()]
		if !known {
			w.seen[u.Key()] = true
			news++
		}
		if !known || !u.Since.IsZero() {
			fresh.unread = append(fresh.unread, u)
		}
	}
	return fresh, news + len(fresh.rows)
}

// cfNumber is an id that was one.
func cfNumber(id string) int64 {
	n, _ := strconv.ParseInt(id, 10, 64)
	return n
}

// advance moves on behind a page of n rows, fresh of them new.
func (w *cfWalk) advance(n, fresh, asked int) error {
	end := w.from + n - 1
	switch {
	case n == 0, n < w.most && n < asked:
		w.done = true
	case fresh > 0:
		w.stale = 0
	case end > w.reach:
		w.stale += end - w.reach
		w.done = w.stale >= cfStale
		if w.done && n >= asked {
			return fmt.Errorf("user.status from %d: %w: the page before has come again", w.from, ErrFormat)
		}
	}
	w.most, w.reach = max(w.most, n), max(w.reach, end)
	w.from, w.onRead = end, true
	if n == 1 { // One row a page leaves no room to go back.
		w.from, w.onRead = end+1, false
	}
	return nil
}
