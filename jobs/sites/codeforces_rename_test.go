package sites

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"testing"
)

// A leading fake says where pages came from.
type leading struct {
	fake
	to string
}

func (l *leading) Get(ctx context.Context, address string) (Page, error) {
	return l.fake.Get(ctx, address)
}
func (l *leading) PageAddress() string { return l.to }

func TestCodeforcesRenamed(t *testing.T) {
	t.Parallel()
	const nobody = `{"status":"FAILED","comment":"handles: User with handle old_one not found"}`
	for _, tt := range []struct {
		name     string
		info     Page
		profile  Page
		led      string
		want     string
		err      error
		requests int
	}{
		{"the API knows", Page{200, []byte(`{"status":"OK","result":[{"handle":"New.One"}]}`)}, Page{}, "", "New.One", nil, 1},
		{"it is known after all", Page{200, []byte(`{"status":"OK","result":[{"handle":"OLD_one"}]}`)}, Page{}, "", "", nil, 1},
		{"the page leads there", Page{400, []byte(nobody)}, Page{200, nil}, "https://codeforces.com/profile/New.One", "New.One", nil, 2},
		{"nobody: the front page", Page{400, []byte(nobody)}, Page{200, nil}, "https://codeforces.com/", "", nil, 2},
		{"nobody: its own page", Page{400, []byte(nobody)}, Page{200, nil}, "https://codeforces.com/profile/old_one", "", nil, 2},
		{"nobody: no page", Page{400, []byte(nobody)}, Page{404, nil}, "https://codeforces.com/profile/old_one", "", nil, 2},
		{"no handle behind it", Page{400, []byte(nobody)}, Page{200, nil}, "https://codeforces.com/profile/%3Cscript%3E", "", ErrFormat, 2},
		{"two people", Page{200, []byte(`{"status":"OK","result":[{"handle":"a_b"},{"handle":"c_d"}]}`)}, Page{}, "", "", ErrFormat, 1},
		{"broken", Page{200, []byte(`<html>`)}, Page{}, "", "", ErrFormat, 1},
		{"too fast", Page{200, []byte(`{"status":"FAILED","comment":"Call limit exceeded"}`)}, Page{}, "", "", ErrRateLimited, 1},
	} {
		get := &leading{fake{t: t, serve: func(_ int, u *url.URL) Page {
			if strings.HasPrefix(u.Path, "/profile/") {
				return tt.profile
			}
			return tt.info
		}}, tt.led}
		got, err := codeforces{}.Renamed(t.Context(), get, "old_one")
		if got != tt.want || !errors.Is(err, tt.err) || len(get.asked) != tt.requests {
			t.Errorf("%s: %q, %v after %q", tt.name, got, err, get.asked)
		}
	}
}
