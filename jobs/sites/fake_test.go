package sites

import (
	"context"
	"errors"
	"iter"
	"net/url"
	"regexp"
	"testing"

	"laurel/jobs/fakesite"
)

// A server answers instead of a site. It is a function of the address and of how
// many requests came before, so that a list can change between two pages.
type server func(n int, u *url.URL) Page

// A fake is a Getter that keeps what was asked.
type fake struct {
	t     testing.TB
	serve server
	asked fakesite.Asked

	questions []Request
	header    Header // Of every answer to Ask.
}

var errEnough = errors.New("the test has seen enough requests")

func (f *fake) Get(_ context.Context, address string) (Page, error) {
	u := f.asked.Add(f.t, address)
	if len(f.asked) > 5000 {
		return Page{}, errEnough
	}
	return f.serve(len(f.asked)-1, u), nil
}

// Ask answers as Get does; questions keeps what was sent along.
func (f *fake) Ask(ctx context.Context, r Request) (Page, Header, error) {
	f.questions = append(f.questions, r)
	page, err := f.Get(ctx, r.Address)
	return page, f.header, err
}

// always answers every address with one body.
func always(status int, body string) server {
	return func(int, *url.URL) Page { return Page{status, []byte(body)} }
}

// thrice repeats the row of a list of one in JSON: a page of which nothing can be read.
func thrice(body string) string {
	return onlyRow.ReplaceAllString(body, "[$1,$1,$1]")
}

var onlyRow = regexp.MustCompile(`\[(\{.*\}|null|\[.*\])\]`)

// all reads to the end.
func all(seq iter.Seq2[ListPage, error]) ([]Submission, error) {
	p, err := allPages(seq)
	return p.Rows, err
}

// allPages reads to the end, and joins what the pages say.
func allPages(seq iter.Seq2[ListPage, error]) (whole ListPage, err error) {
	for p, err := range seq {
		if err != nil {
			return whole, err
		}
		p.Rows, p.Unread = append(whole.Rows, p.Rows...), append(whole.Unread, p.Unread...)
		if at := whole.Withheld; p.Withheld.IsZero() || !at.IsZero() && at.Before(p.Withheld) {
			p.Withheld = at
		}
		whole = p
	}
	return whole, nil
}

// pageSizes returns the sizes of page to read a history of length rows with:
// every one while that is cheap, the edges of a long one.
func pageSizes(length int) []int {
	sizes := []int{97, 333, 499, 500, 501, 999, 1000}
	lo := 1
	if length > 140 {
		lo = length - 2
	}
	for n := lo; n <= min(length+2, 1000); n++ {
		sizes = append(sizes, n)
	}
	return sizes
}

// ids returns the ids in order, and fails when one comes twice.
func ids(t *testing.T, subs []Submission) []string {
	t.Helper()
	var got []string
	seen := map[string]bool{}
	for _, s := range subs {
		if seen[s.ID] {
			t.Fatalf("submission %s came twice", s.ID)
		}
		seen[s.ID] = true
		got = append(got, s.ID)
	}
	return got
}

// statuses counts the statuses.
func statuses(subs []Submission) map[string]int {
	n := map[string]int{}
	for _, s := range subs {
		n[s.Status]++
	}
	return n
}

// wantSound fails unless a row keeps what the package promises of every row.
func wantSound(t *testing.T, s Submission) {
	t.Helper()
	if s.ID == "" || s.Problem.Key == "" {
		t.Errorf("no id or no problem: %+v", s)
	}
	if s.At.Before(earliest) || s.At.After(latest) {
		t.Errorf("submission %s at %s", s.ID, s.At)
	}
	switch s.Status {
	case AC, WA, TLE, MLE, RE, CE, PE, PS, SK, HCK, OTH, Pending:
	default:
		t.Errorf("submission %s has status %q", s.ID, s.Status)
	}
	fakesite.WantText(t, "submission "+s.ID, s.ID, s.Problem.Key, s.Problem.Name, s.Problem.URL, s.Verdict, s.Language, s.URL)
	for _, address := range []string{s.URL, s.Problem.URL} {
		if _, err := url.Parse(address); err != nil {
			t.Errorf("submission %s: %v", s.ID, err)
		}
	}
}

func recorded(t testing.TB, name string) string {
	t.Helper()
	return fakesite.Recorded(t, "judges/"+name)
}
