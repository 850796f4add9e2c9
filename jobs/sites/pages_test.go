package sites

import (
	"encoding/json"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/jobs/fakesite"
)

// A pageFile is testdata/SITE/NAME.pages.json: what a site answers about an
// account, and what must be read of it.
type pageFile struct {
	Handle, Key string
	// Answers are by the beginning of the address. One that is a text is the page itself.
	Answers     map[string]json.RawMessage
	Submissions []Submission
	Ratings     []Rating
}

// body is the page that an address leads to.
func (f pageFile) body(address string) ([]byte, bool) {
	for start, answer := range f.Answers {
		if !strings.HasPrefix(address, start) {
			continue
		}
		var page string
		if json.Unmarshal(answer, &page) == nil {
			return []byte(page), true
		}
		return answer, true
	}
	return nil, false
}

func readPages(t testing.TB, name string) (f pageFile) {
	t.Helper()
	if err := json.Unmarshal([]byte(fakesite.Testdata(t, name)), &f); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return f
}

// Every site is run over its pages, so a new site needs a file and no test code.
func TestPages(t *testing.T) {
	files, err := filepath.Glob("testdata/*/*.pages.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimPrefix(filepath.ToSlash(file), "testdata/"), func(t *testing.T) {
			f := readPages(t, strings.TrimPrefix(file, "testdata/"))
			s, ok := siteNamed(filepath.Base(filepath.Dir(file)))
			if !ok {
				t.Fatal("no site has this name")
			}
			get := &fake{t: t, serve: func(_ int, u *url.URL) Page {
				if body, ok := f.body(u.String()); ok {
					return Page{200, body}
				}
				return Page{404, []byte("not among the answers of " + file)}
			}}
			a := Account{Handle: f.Handle, Key: f.Key}
			subs, err := all(s.Submissions(t.Context(), get, a))
			if diff := cmp.Diff(f.Submissions, subs); err != nil || diff != "" {
				t.Errorf("submissions: %v, want - got +:\n%s", err, diff)
			}
			for _, x := range subs {
				wantSound(t, x)
			}
			if f.Ratings == nil {
				return
			}
			ratings, err := s.Ratings(t.Context(), get, a)
			if diff := cmp.Diff(f.Ratings, ratings); err != nil || diff != "" {
				t.Errorf("ratings: %v, want - got +:\n%s", err, diff)
			}
		})
	}
}
