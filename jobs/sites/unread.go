package sites

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/PuerkitoBio/goquery"
)

// An Unread row is one of a list that could not be understood, and costs the others nothing.
type Unread struct {
	ID   string // The site's own number of it; "" where that could not be read either.
	Text string // As the site sent it, cut short.
	Why  string
	// It was made between these, as the rows around it say; zero where nobody knows.
	Since, Until time.Time
}

// Key distinguishes unread rows of an account.
func (u *Unread) Key() string {
	if u.ID != "" {
		return u.ID
	}
	sum := sha256.Sum256([]byte(u.Text))
	return "#" + hex.EncodeToString(sum[:12])
}

const (
	unreadLongest = 2000 // Bytes of a row's text that are kept.

	// foreign is how many rows must be there, none of them readable, until the page is not in
	// the site's format: then it is the site that has changed, and not a row that is odd.
	foreign = 3
)

// A tally collects the rows of a page, each read by itself.
type tally struct {
	rows   []Submission
	unread []Unread
	places []int // How many rows were read before each unread one.
	vague  int   // How many of these only have too vague a time.
	first  error // Why the first other one is unread.
}

// add takes a row, or what was read of one before the error, with its text.
func (t *tally) add(s Submission, err error, text func() string) {
	if err == nil {
		t.rows = append(t.rows, s)
		return
	}
	switch {
	case errors.Is(err, errVague):
		t.vague++
	case t.first == nil:
		t.first = err
	}
	u := Unread{ID: s.ID, Text: clean(text()), Why: clean(strings.TrimPrefix(err.Error(), ErrFormat.Error()+": "))}
	if len(u.Text) > unreadLongest {
		u.Text = clean(u.Text[:unreadLongest])
	}
	if !s.At.IsZero() {
		u.Since, u.Until = s.At.Add(-s.Off), s.At.Add(s.Off)
	}
	t.unread, t.places = append(t.unread, u), append(t.places, len(t.rows))
}

// count is how many rows the page has.
func (t *tally) count() int { return len(t.rows) + len(t.unread) }

// lastID is the number of the last row that has one.
func (t *tally) lastID() string {
	n, k := len(t.rows), len(t.unread)
	if k > 0 && t.places[k-1] == n && t.unread[k-1].ID != "" {
		return t.unread[k-1].ID
	}
	if n > 0 {
		return t.rows[n-1].ID
	}
	return ""
}

// err is ErrFormat where nothing of a page with rows was understood.
func (t *tally) err() error {
	if n := len(t.unread); len(t.rows) == 0 && n-t.vague >= foreign {
		return fmt.Errorf("none of %d rows can be read: %w", n, t.first)
	}
	return nil
}

// newestFirst tells the unread rows between which others they are, in a list in that order.
func (t *tally) newestFirst() {
	for i, n := range t.places {
		u := &t.unread[i]
		if u.Until.IsZero() && n > 0 {
			u.Until = t.rows[n-1].At.Add(t.rows[n-1].Off)
		}
		if u.Since.IsZero() && n < len(t.rows) {
			u.Since = t.rows[n].At.Add(-t.rows[n].Off)
		}
	}
}

// oldestFirst is newestFirst for a list in the other order.
func (t *tally) oldestFirst() {
	for i, n := range t.places {
		u := &t.unread[i]
		if u.Since.IsZero() && n > 0 {
			u.Since = t.rows[n-1].At
		}
		if u.Until.IsZero() && n < len(t.rows) {
			u.Until = t.rows[n].At
		}
	}
}

// uncovered are the unread rows that are not surely older than a moment.
func uncovered(unread []Unread, at time.Time) (left []Unread) {
	for i := range unread {
		if u := &unread[i]; u.Until.IsZero() || !u.Until.Before(at) {
			left = append(left, *u)
		}
	}
	return left
}

// rowOf decodes a row of a JSON list and reads it.
func rowOf[T any](text json.RawMessage, read func(T) (Submission, error)) (row T, s Submission, err error) {
	if string(text) == "null" {
		return row, s, fmt.Errorf("%w: null instead of a row", ErrFormat)
	}
	err = decode(text, &row) // Fields that could be decoded say more of a row that cannot be read.
	s, bad := read(row)
	if err == nil {
		err = bad
	}
	return row, s, err
}

// outer is the HTML of a selection.
func outer(s *goquery.Selection) func() string {
	return func() string {
		text, err := goquery.OuterHtml(s)
		if err != nil {
			return s.Text()
		}
		return text
	}
}
