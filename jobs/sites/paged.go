package sites

import (
	"cmp"
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
// A first retrieval of many pages that was interrupted goes on where it was, one page
// back, and reads what has come since at last.
//
// Where the site shows only minutes, rows may come without a number. Such a row,
// and any other one for the time that its number is not shown, is called after its
// minute, problem and language, and its place among the rows that are equal in
// these, counted from the oldest: that does not change when more are added. So the
// rows of a minute are yielded when all of it was seen. A row whose minute is not shown
// either is held back; it is not covered ground, so it is read again.
type paged struct {
	a    Account
	page pager

	since   time.Time // Older rows are covered ground.
	head    time.Time // The newest row of the first retrieval.
	resumed bool      // It goes on with one that was interrupted.
	resume  string    // Where the next one would go on.

	place   int          // Of the page being read; 0 is the head of the list.
	before  []Submission // The page before, and its place.
	last    int
	stale   int // Pages in a run that brought nothing new,
	same    int // and that were equal.
	seen    map[string]bool
	equal   map[string]int // How many rows of a minute, problem and language were called after these.
	minute  []Submission   // Rows of a minute whose end was not seen.
	began   int            // The place where they began.
	covered bool           // A row of covered ground was met,
	reached bool           // and one that is older than CoveredAt.
	count   int
	unread  map[string]bool // Unread rows, by their keys.
	open    []Unread        // Those behind which no row was read yet.
}

// A pagedPage is what one page gives.
type pagedPage struct {
	tally
	next int  // The place behind it.
	more bool // The site says that the next page has rows, too.
	end  bool // The site says that it has none.

	total *int // ListPage.Total.
}

// A pager reads the page at a place. newer, where it is not zero, is when the row before
// was made, which is never older than the next.
type pager func(place int, newer time.Time) (pagedPage, error)

// listed yields the paged list of an account. Nobody's list is empty, too: where
// there never was a row, exists says whether there is such an account.
func listed(info Info, a Account, page pager, exists func() error) iter.Seq2[ListPage, error] {
	w := &paged{a: a, page: page, since: a.CoveredAt.Truncate(time.Minute), seen: map[string]bool{}, equal: map[string]int{},
		unread: map[string]bool{}}
	w.goOn()
	return inPages(info, a, func() (ListPage, bool, error) {
		p, more, err := w.next()
		if err == nil && !more && w.count+len(w.unread) == 0 && a.CoveredAt.IsZero() {
			err = exists()
		}
		return p, more, err
	})
}

// goOn takes up a first retrieval that was interrupted.
func (w *paged) goOn() {
	head, place, ok := strings.Cut(w.a.ResumeFrom, " ")
	at, err1 := strconv.ParseInt(head, 10, 64)
	n, err2 := strconv.Atoi(place)
	if ok && n > 0 && cmp.Or(err1, err2) == nil && w.a.CoveredAt.IsZero() {
		w.head, w.place, w.resumed, w.resume = time.Unix(at, 0), n, true, w.a.ResumeFrom
	}
}

// next reads one page, on the way to covered ground or to the end.
func (w *paged) next() (p ListPage, more bool, err error) {
	place := w.place
	var newer time.Time
	if n := len(w.before); n > 0 {
		newer = w.before[n-1].At
	}
	got, err := w.page(place, newer)
	if err != nil {
		return p, false, err
	}
	fresh, err := w.fresh(got)
	if err != nil {
		return p, false, err
	}
	got.newestFirst()
	if w.stale++; w.giveUnread(&p, got, fresh) || len(fresh) > 0 {
		w.stale = 0
	}
	if w.same++; !slices.EqualFunc(got.rows, w.before, sameRow) {
		w.same = 0
	}
	w.give(&p, place, fresh)
	p.Resume, p.Total = w.resume, got.total
	switch {
	case w.covered, got.end, w.stale > 0 && !got.more:
		more, err = w.finish(&p)
		return p, more, err
	case w.stale > 1, w.same > 3, got.count() == 0, got.next == place:
		return p, false, fmt.Errorf("%w: page %d brings nothing new, and there are said to be more", ErrFormat, place)
	}
	w.mark(place)
	p.Resume = w.resume
	w.before, w.last, w.place = got.rows, place, got.next
	return p, true, nil
}

// finish gives what is left over. One that was resumed has read the end of the list then,
// and goes on at its head; a failure from here on comes back to the end.
func (w *paged) finish(p *ListPage) (more bool, err error) {
	w.flush(p)
	blind := len(w.open) > 0 // What is behind the last row that was read is not known.
	p.Unread, w.open = append(p.Unread, w.open...), nil
	if w.a.CoveredID != "" && !w.reached && !blind {
		return false, fmt.Errorf("%w: the list ends before it reaches what was in it earlier", ErrFormat)
	}
	if !w.resumed || !w.since.IsZero() {
		return false, nil
	}
	w.since, w.place, w.before, w.covered, w.stale, w.same = w.head.Truncate(time.Minute), 0, nil, false, 0, 0
	clear(w.seen)
	clear(w.equal)
	clear(w.unread)
	return true, nil
}

// mark notes where a first retrieval is.
func (w *paged) mark(place int) {
	if !w.since.IsZero() || w.head.IsZero() {
		return
	}
	if len(w.minute) > 0 {
		place = w.began
	}
	if place > 0 {
		w.resume = fmt.Sprintf("%d %d", w.head.Unix(), place)
	}
}

// fresh returns the rows of a page that were not read before.
func (w *paged) fresh(p pagedPage) ([]Submission, error) {
	again, err := w.overlap(p.rows)
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
func (w *paged) overlap(rows []Submission) (int, error) {
	for n := min(len(w.before), len(rows)); n > 0; n-- {
		if !slices.EqualFunc(w.before[len(w.before)-n:], rows[:n], sameRow) {
			continue
		}
		if slices.ContainsFunc(rows[:n], func(s Submission) bool { return s.ID != "" }) || !rows[0].At.Equal(rows[n-1].At) {
			return n, nil
		}
		p, err := w.page(w.last, time.Time{})
		if err != nil || slices.EqualFunc(p.rows, w.before, sameRow) {
			return 0, err
		}
		return n, nil
	}
	return 0, nil
}

// giveUnread adds the unread rows of a page that were not given before, those at its end with
// the next page, which says when they were made. It says whether there are any.
func (w *paged) giveUnread(p *ListPage, got pagedPage, fresh []Submission) bool {
	if len(fresh) > 0 {
		for i := range w.open {
			w.open[i].Since = fresh[0].At.Add(-fresh[0].Off)
		}
		p.Unread, w.open = uncovered(w.open, w.since), nil
	}
	found := false
	for _, u := range uncovered(got.unread, w.since) {
		if key := u.Key(); !w.unread[key] {
			w.unread[key], found = true, true
			if u.Since.IsZero() {
				w.open = append(w.open, u)
			} else {
				p.Unread = append(p.Unread, u)
			}
		}
	}
	return found
}

func sameRow(a, b Submission) bool {
	return a.ID == b.ID && a.At.Equal(b.At) && a.Problem.Key == b.Problem.Key && a.Language == b.Language
}

// give adds rows to a page, those that are to the minute when their minute is over.
func (w *paged) give(p *ListPage, place int, rows []Submission) {
	for _, s := range rows {
		w.see(s)
		if len(w.minute) > 0 && !s.At.Equal(w.minute[0].At) {
			w.flush(p)
		}
		switch {
		case s.At.Add(s.Off).Before(w.since):
		case s.About && s.ID == "":
			if since := s.At.Add(-2 * s.Off); p.Withheld.IsZero() || since.Before(p.Withheld) {
				p.Withheld = since
			}
		case s.ToMinute && !s.About:
			if len(w.minute) == 0 {
				w.began = place
			}
			w.minute = append(w.minute, s)
		default:
			p.Rows = append(p.Rows, s)
		}
	}
}

// see notes how far a row reaches.
func (w *paged) see(s Submission) {
	if w.count++; w.head.IsZero() {
		w.head = s.At.Add(-2 * s.Off)
	}
	w.covered, w.reached = w.covered || s.At.Add(s.Off).Before(w.since), w.reached || s.At.Before(w.a.CoveredAt)
}

// flush names the rows of a minute, of which the oldest is the first, and adds them.
func (w *paged) flush(p *ListPage) {
	for i := len(w.minute) - 1; i >= 0; i-- {
		s := &w.minute[i]
		name := fmt.Sprintf("%s %s %s", s.At.Format("2006-01-02T15:04Z"), s.Problem.Key, s.Language)
		w.equal[name]++
		s.Formerly = fmt.Sprintf("%s #%d", name, w.equal[name])
		s.ID = cmp.Or(s.ID, s.Formerly)
	}
	p.Rows, w.minute = append(p.Rows, w.minute...), nil
}
