package sites

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A paged list is one that a site gives newest first in pages, and that grows at
// its head while it is read: every page may begin with the end of the one before.
//
// A first reading of many pages tells Account.SaveResume where it is. One that was
// interrupted goes on there, one page back, and reads what has come since at last.
//
// Where the site tells only minutes, rows may come without a number. Such a row,
// and any other one for the time that its number is not shown, is called after its
// minute, problem and language, and its place among the rows that are equal in
// these, counted from the oldest: that does not change when more are added. So the
// rows of a minute are yielded when all of it was seen. A row whose minute is not shown
// either is held back; it is not covered ground, so it is read again.
type paged struct {
	a    Account
	page func(ctx context.Context, place int) (listPage, error)

	since time.Time // Older rows are covered ground.
	head  time.Time // The newest row of the first reading, where one goes on.

	place   int          // Of the page being read; 0 is the head of the list.
	before  []Submission // The page before, and its place.
	last    int
	seen    map[string]bool
	equal   map[string]int // How many rows of a minute, problem and language were called after these.
	minute  []Submission   // Rows of a minute whose end was not seen.
	began   int            // The place where they began.
	covered bool           // A row of covered ground was met,
	reached bool           // and one that is older than CoveredAt.
	count   int
}

// A listPage is what one page gives.
type listPage struct {
	rows []Submission
	next int  // The place behind it.
	more bool // The site says that the next page has rows, too.
	end  bool // The site says that it has none.
}

// listed yields the paged list of an account. Nobody's list is empty, too: where
// there never was a row, exists says whether there is such an account.
func listed(ctx context.Context, info Info, a Account, page func(context.Context, int) (listPage, error),
	exists func() error) iter.Seq2[Submission, error] {
	return func(yield func(Submission, error) bool) {
		if err := checkHandle(info, a.Handle); err != nil {
			yield(Submission{}, err)
			return
		}
		w := &paged{a: a, page: page}
		for s, err := range w.read(ctx) {
			if !yield(s, err) || err != nil {
				return
			}
		}
		if w.count == 0 && a.CoveredAt.IsZero() {
			if err := exists(); err != nil {
				yield(Submission{}, err)
			}
		}
	}
}

// read yields the account's list as Site.Submissions promises.
func (w *paged) read(ctx context.Context) iter.Seq2[Submission, error] {
	return func(yield func(Submission, error) bool) {
		w.since = w.a.CoveredAt.Truncate(time.Minute)
		w.seen, w.equal = map[string]bool{}, map[string]int{}
		goesOn := w.goOn()
		if !w.pass(ctx, yield) || !goesOn {
			return
		}
		w.a.SaveResume = nil // The end of the list is read; a failure from here on comes back to it.
		w.since, w.place, w.before, w.covered = w.head.Truncate(time.Minute), 0, nil, false
		clear(w.seen)
		clear(w.equal)
		w.pass(ctx, yield)
	}
}

// goOn takes up a first reading that was interrupted.
func (w *paged) goOn() bool {
	if !w.a.CoveredAt.IsZero() {
		return false
	}
	head, place, ok := strings.Cut(w.a.ResumeFrom, " ")
	at, err1 := strconv.ParseInt(head, 10, 64)
	n, err2 := strconv.Atoi(place)
	if !ok || n <= 0 || cmp.Or(err1, err2) != nil {
		return false
	}
	w.head, w.place = time.Unix(at, 0), n
	return true
}

// pass reads from the place on to covered ground or to the end, and returns false
// where there is nothing more to do.
func (w *paged) pass(ctx context.Context, yield func(Submission, error) bool) bool {
	for stale, same := 0, 0; ; {
		place := w.place
		p, err := w.page(ctx, place)
		if err != nil {
			yield(Submission{}, err)
			return false
		}
		fresh, err := w.fresh(ctx, p)
		if err != nil {
			yield(Submission{}, err)
			return false
		}
		if stale++; len(fresh) > 0 {
			stale = 0
		}
		if same++; !slices.EqualFunc(p.rows, w.before, sameRow) {
			same = 0
		}
		if !w.give(place, fresh, yield) {
			return false
		}
		switch {
		case w.covered, p.end, stale > 0 && !p.more:
			return w.finish(yield)
		case stale > 1, same > 3, len(p.rows) == 0, p.next == place:
			yield(Submission{}, fmt.Errorf("%w: page %d brings nothing new, and there are said to be more", ErrFormat, place))
			return false
		}
		w.mark(place)
		w.before, w.last, w.place = p.rows, place, p.next
	}
}

// finish yields what is left over.
func (w *paged) finish(yield func(Submission, error) bool) bool {
	if !w.flush(yield) {
		return false
	}
	if w.a.CoveredID != "" && !w.reached {
		yield(Submission{}, fmt.Errorf("%w: the list ends before it reaches what was in it earlier", ErrFormat))
		return false
	}
	return true
}

// mark tells where a first reading is.
func (w *paged) mark(place int) {
	if w.a.SaveResume == nil || !w.a.CoveredAt.IsZero() || w.head.IsZero() {
		return
	}
	if len(w.minute) > 0 {
		place = w.began
	}
	if place > 0 {
		w.a.SaveResume(fmt.Sprintf("%d %d", w.head.Unix(), place))
	}
}

// fresh returns the rows of a page that were not read before.
func (w *paged) fresh(ctx context.Context, p listPage) ([]Submission, error) {
	again, err := w.overlap(ctx, p.rows)
	if err != nil {
		return nil, err
	}
	var fresh []Submission
	for _, s := range p.rows[again:] {
		if s.ID != "" && w.seen[s.ID] {
			continue
		}
		w.seen[s.ID] = true
		fresh = append(fresh, s)
	}
	return fresh, nil
}

// overlap returns how many rows at the beginning of a page are the last ones of
// the page before. Rows without a number may be equal and yet be others; then the
// page before is asked for again, and says whether the list has moved.
func (w *paged) overlap(ctx context.Context, rows []Submission) (int, error) {
	for n := min(len(w.before), len(rows)); n > 0; n-- {
		if !slices.EqualFunc(w.before[len(w.before)-n:], rows[:n], sameRow) {
			continue
		}
		if slices.ContainsFunc(rows[:n], func(s Submission) bool { return s.ID != "" }) || !rows[0].At.Equal(rows[n-1].At) {
			return n, nil
		}
		p, err := w.page(ctx, w.last)
		if err != nil || slices.EqualFunc(p.rows, w.before, sameRow) {
			return 0, err
		}
		return n, nil
	}
	return 0, nil
}

func sameRow(a, b Submission) bool {
	return a.ID == b.ID && a.At.Equal(b.At) && a.Problem.Key == b.Problem.Key && a.Language == b.Language
}

// give yields rows, those that are to the minute when their minute is over.
func (w *paged) give(place int, rows []Submission, yield func(Submission, error) bool) bool {
	for _, s := range rows {
		w.see(s)
		if len(w.minute) > 0 && !s.At.Equal(w.minute[0].At) && !w.flush(yield) {
			return false
		}
		switch {
		case s.At.Before(w.since):
		case s.About && s.ID == "":
			if w.a.Withheld != nil {
				w.a.Withheld(s.At.Add(-time.Hour))
			}
		case s.ToMinute && !s.About:
			if len(w.minute) == 0 {
				w.began = place
			}
			w.minute = append(w.minute, s)
		case !yield(s, nil):
			return false
		}
	}
	return true
}

// see notes how far a row reaches.
func (w *paged) see(s Submission) {
	if w.count++; w.head.IsZero() {
		if w.head = s.At; s.About {
			w.head = s.At.Add(-time.Hour)
		}
	}
	w.covered, w.reached = w.covered || s.At.Before(w.since), w.reached || s.At.Before(w.a.CoveredAt)
}

// flush yields the rows of a minute.
func (w *paged) flush(yield func(Submission, error) bool) bool {
	rows := w.minute
	w.minute = nil
	for i := len(rows) - 1; i >= 0; i-- { // The oldest is the first.
		name := fmt.Sprintf("%s %s %s", rows[i].At.Format("2006-01-02T15:04Z"), rows[i].Problem.Key, rows[i].Language)
		w.equal[name]++
		rows[i].Formerly = fmt.Sprintf("%s #%d", name, w.equal[name])
		rows[i].ID = cmp.Or(rows[i].ID, rows[i].Formerly)
	}
	for _, s := range rows {
		if !yield(s, nil) {
			return false
		}
	}
	return true
}
