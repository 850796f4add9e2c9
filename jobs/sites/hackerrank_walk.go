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
// time, one without rows that is not the last, and pages in a run that tell
// nothing new lead nowhere: they are errors rather than a history that ends early.
type hackerrankWalk struct {
	get     Getter
	account Account
	limit   int // Rows a page.
	done    bool
	cursor  string
	cursors map[string]bool // Asked for.
	seen    map[string]bool // Rows, by id.
	stale   int             // Pages in a run that brought nothing new.
	head    time.Time       // The newest row of a first reading.
}

const (
	hackerrankMost = 100 // Rows a page; more were never seen.
	hackerrankNews = 20  // Most often the first page reaches covered ground.

	hackerrankStale = 3
)

// newHackerrankWalk returns a walk from the newest row, or from where a first
// reading was interrupted: then it also returns the newest row of that one.
func newHackerrankWalk(get Getter, a Account) (w *hackerrankWalk, head time.Time) {
	w = &hackerrankWalk{get: get, account: a, limit: hackerrankMost, cursor: "null", cursors: map[string]bool{}, seen: map[string]bool{}}
	if !a.CoveredAt.IsZero() {
		w.limit = hackerrankNews
		return w, head
	}
	text, cursor, ok := strings.Cut(a.ResumeFrom, " ")
	if unix, err := strconv.ParseInt(text, 10, 64); ok && err == nil && cursor != "" {
		w.cursor, w.head = cursor, time.Unix(unix, 0)
	}
	return w, w.head
}

// read yields the rows from here to covered ground, and returns false where
// nothing is wanted behind them.
func (w *hackerrankWalk) read(ctx context.Context, yield func(Submission, error) bool) bool {
	for !w.done {
		w.mark()
		rows, err := w.next(ctx)
		if err != nil {
			yield(Submission{}, err)
			return false
		}
		for _, s := range rows {
			if !s.At.Before(w.account.CoveredAt) && !yield(s, nil) {
				return false
			}
		}
	}
	return true
}

// mark tells where a first reading is. A cursor is taken to hold for as long as the
// site has the row that it stands behind; one that does not is answered by an
// error, and the reading begins anew.
func (w *hackerrankWalk) mark() {
	if w.account.SaveResume != nil && w.account.CoveredAt.IsZero() && !w.head.IsZero() {
		w.account.SaveResume(fmt.Sprintf("%d %s", w.head.Unix(), w.cursor))
	}
}

// A hackerrankAnswer is a page of the list.
type hackerrankAnswer struct {
	Models   json.RawMessage
	Cursor   json.RawMessage // Text, or null.
	LastPage *bool           `json:"last_page"`
}

// next returns the rows of one page that were not read before, perhaps none.
func (w *hackerrankWalk) next(ctx context.Context) ([]Submission, error) {
	w.cursors[w.cursor] = true
	page, err := w.get.Get(ctx, fmt.Sprintf("%s?limit=%d&response_version=v2&cursor=%s", hackerrankInfo.List(w.account), w.limit,
		url.QueryEscape(w.cursor)))
	if err != nil {
		return nil, err
	}
	if page.Status == statusNotFound && len(w.cursors) == 1 {
		return nil, hackerrankMissing(ctx, w.get, w.account.Handle)
	}
	if page.Status != statusOK && w.account.SaveResume != nil { // Perhaps the cursor is not known any more.
		w.account.SaveResume("")
	}
	var answer hackerrankAnswer
	if err := cmp.Or(found(page), decode(page.Body, &answer)); err != nil {
		return nil, fmt.Errorf("recent_challenges: %w", err)
	}
	rows, err := list[hackerrankRow](answer.Models)
	if err != nil {
		return nil, fmt.Errorf("recent_challenges: %w", err)
	}
	fresh, covered, err := w.fresh(rows)
	if err != nil {
		return nil, fmt.Errorf("recent_challenges: %w", err)
	}
	if covered {
		w.done = true
		return fresh, nil
	}
	if w.stale++; len(fresh) > 0 {
		w.stale = 0
	}
	return fresh, w.advance(answer, len(rows))
}

// fresh returns the rows that were not read before, and whether covered ground
// is reached.
func (w *hackerrankWalk) fresh(rows []hackerrankRow) (fresh []Submission, covered bool, err error) {
	for _, r := range rows {
		s, err := r.submission()
		if err != nil {
			return nil, false, err
		}
		covered = covered || s.At.Before(w.account.CoveredAt)
		if w.head.IsZero() {
			w.head = s.At
		}
		if !w.seen[s.ID] {
			w.seen[s.ID] = true
			fresh = append(fresh, s)
		}
	}
	return fresh, covered, nil
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
		return fmt.Errorf("recent_challenges: %w: a page without rows that is not the last", ErrFormat)
	case cursor == "" || w.cursors[cursor] || w.stale >= hackerrankStale:
		return fmt.Errorf("recent_challenges: %w: no cursor leads on", ErrFormat)
	}
	w.cursor = cursor
	return nil
}
