package sites

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// A hackerrankWalk reads recent_challenges, newest first. Each page names the
// cursor of the next one, so that what is solved meanwhile moves nothing. The
// last page says that it is the last one. A page that names a cursor a second
// time, one without rows that is not the last, and pages in a run that show
// nothing new lead nowhere: they are errors rather than a history that ends early.
//
// A first retrieval that was interrupted goes on at its cursor, and reads last what is
// newer than its newest row. Where the site does not know the cursor any more, it begins anew.
type hackerrankWalk struct {
	get     Getter
	account Account
	until   time.Time // Older rows are covered ground.
	limit   int       // Rows a page.
	done    bool
	cursor  string
	cursors map[string]bool // Asked for.
	seen    map[string]bool // Rows, by id.
	stale   int             // Pages in a run that brought nothing new.
	head    time.Time       // The newest row of a first retrieval.
	resumed bool            // It goes on with one that was interrupted.
	resume  string          // Where the next one would go on.
}

const (
	hackerrankMost = 100 // Rows a page; more were never seen.
	hackerrankNews = 20  // Most often the first page reaches covered ground.

	hackerrankStale = 3
)

func newHackerrankWalk(get Getter, a Account) *hackerrankWalk {
	w := &hackerrankWalk{get: get, account: a}
	w.begin(a.CoveredAt, hackerrankMost)
	if !a.CoveredAt.IsZero() {
		w.limit = hackerrankNews
		return w
	}
	text, cursor, ok := strings.Cut(a.ResumeFrom, " ")
	if unix, err := strconv.ParseInt(text, 10, 64); ok && err == nil && cursor != "" {
		w.cursor, w.head, w.resumed, w.resume = cursor, time.Unix(unix, 0), true, a.ResumeFrom
	}
	return w
}

// begin puts the walk at the newest row.
func (w *hackerrankWalk) begin(until time.Time, limit int) {
	w.until, w.limit, w.cursor, w.done, w.resumed, w.stale = until, limit, "null", false, false, 0
	w.cursors, w.seen = map[string]bool{}, map[string]bool{}
}

// A hackerrankAnswer is a page of the list.
type hackerrankAnswer struct {
	Models   json.RawMessage
	Cursor   json.RawMessage // Text, or null.
	LastPage *bool           `json:"last_page"`
}

// next returns the rows of one page that were not read before, perhaps none.
func (w *hackerrankWalk) next(ctx context.Context) (rows tally, err error) {
	w.cursors[w.cursor] = true
	page, err := w.get.Get(ctx, fmt.Sprintf("%s?limit=%d&response_version=v2&cursor=%s", hackerrankInfo.List(w.account), w.limit,
		url.QueryEscape(w.cursor)))
	if err != nil {
		return rows, err
	}
	if page.Status != statusOK && w.resumed && len(w.cursors) == 1 {
		w.begin(time.Time{}, hackerrankMost)
		w.head, w.resume = time.Time{}, ""
		return rows, nil
	}
	if page.Status == statusNotFound && len(w.cursors) == 1 {
		return rows, hackerrankMissing(ctx, w.get, w.account.Handle)
	}
	fresh, err := w.read(page)
	if err != nil {
		return rows, fmt.Errorf("recent_challenges: %w", err)
	}
	if w.done && w.resumed {
		w.begin(w.head, hackerrankNews)
	}
	return fresh, nil
}

// read returns the rows of a page that are wanted and were not read before, and moves on behind it.
func (w *hackerrankWalk) read(page Page) (fresh tally, err error) {
	var answer hackerrankAnswer
	if err := cmp.Or(found(page), decode(page.Body, &answer)); err != nil {
		return fresh, err
	}
	rows, err := list[json.RawMessage](answer.Models)
	if err != nil {
		return fresh, err
	}
	var all tally
	for _, text := range rows {
		_, s, err := rowOf(text, hackerrankRow.submission)
		all.add(s, err, func() string { return string(text) })
	}
	if err := all.err(); err != nil {
		return fresh, err
	}
	all.newestFirst()
	w.unread(&fresh, all.unread)
	for _, s := range all.rows {
		w.done = w.done || s.At.Before(w.until)
		if w.head.IsZero() {
			w.head = s.At
		}
		if !w.seen[s.ID] {
			w.seen[s.ID] = true
			fresh.rows = append(fresh.rows, s)
		}
	}
	if w.stale++; fresh.count() > 0 {
		w.stale = 0
	}
	if !w.done {
		err = w.advance(answer, len(rows))
	}
	fresh.rows = since(fresh.rows, w.until)
	return fresh, err
}

// unread adds the unread rows of a page that were not met before.
func (w *hackerrankWalk) unread(fresh *tally, unread []Unread) {
	for _, u := range uncovered(unread, w.until) {
		if key := "unread " + u.Key(); !w.seen[key] {
			w.seen[key] = true
			fresh.unread = append(fresh.unread, u)
		}
	}
}

// advance moves on behind a page of n rows.
func (w *hackerrankWalk) advance(answer hackerrankAnswer, n int) error {
	cursor := strings.Trim(string(answer.Cursor), `"`)
	var text string
	if json.Unmarshal(answer.Cursor, &text) == nil {
		cursor = text
	}
	switch {
	case answer.LastPage != nil && *answer.LastPage, answer.LastPage == nil && (cursor == "" || cursor == "null"):
		w.done = true
		return nil
	case n == 0:
		return fmt.Errorf("%w: a page without rows that is not the last", ErrFormat)
	case cursor == "" || w.cursors[cursor] || w.stale >= hackerrankStale:
		return fmt.Errorf("%w: no cursor leads on", ErrFormat)
	}
	if w.cursor = cursor; w.until.IsZero() {
		w.resume = fmt.Sprintf("%d %s", w.head.Unix(), cursor)
	}
	return nil
}
