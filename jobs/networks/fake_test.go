package networks

import (
	"bufio"
	"context"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"laurel/jobs/fakesite"
)

// A fake is a Getter that keeps what was asked and answers by what came before.
type fake struct {
	t       testing.TB
	answers func(n int, u *url.URL) Answer
	asked   fakesite.Asked
	token   string
}

func (f *fake) Get(_ context.Context, address, token string) (Answer, error) {
	u := f.asked.Add(f.t, address)
	f.token = token
	return f.answers(len(f.asked)-1, u), nil
}

// always answers every address with one body. Headers go in pairs.
func always(t testing.TB, status int, body string, headers ...string) *fake {
	return &fake{t: t, answers: func(int, *url.URL) Answer { return answer(status, body, headers...) }}
}

// inTurn answers with one body after the other.
func inTurn(t testing.TB, bodies ...string) *fake {
	return &fake{t: t, answers: func(n int, _ *url.URL) Answer {
		if n >= len(bodies) {
			t.Fatalf("request %d, want %d", n+1, len(bodies))
		}
		return answer(200, bodies[n])
	}}
}

func answer(status int, body string, headers ...string) Answer {
	return Answer{Status: status, Body: []byte(body), Header: func(name string) string {
		for i := 0; i+1 < len(headers); i += 2 {
			if strings.EqualFold(headers[i], name) {
				return headers[i+1]
			}
		}
		return ""
	}}
}

// refused returns the Refusal in err, and fails where there is none.
func refused(t *testing.T, err error) *Refusal {
	t.Helper()
	r, ok := errors.AsType[*Refusal](err)
	if !ok {
		t.Fatalf("error %v, want a refusal", err)
	}
	return r
}

// wantParted fails unless every id asked for is in exactly one of the maps, and
// nothing else is.
func wantParted(t *testing.T, ids []string, f Fetched) {
	t.Helper()
	asked := map[string]bool{}
	for _, id := range ids {
		asked[id] = true
		_, found := f.Posts[id]
		if reason, missing := f.Missing[id]; found == missing || missing && reason == "" {
			t.Errorf("id %q: found %t, missing %t (%q)", id, found, missing, reason)
		}
	}
	if len(f.Posts)+len(f.Missing) != len(asked) {
		t.Errorf("%d posts and %d missing for %d ids", len(f.Posts), len(f.Missing), len(asked))
	}
}

// wantSound fails unless a post keeps what the package promises of every post.
func wantSound(t *testing.T, p Post) {
	t.Helper()
	if p.ID == "" {
		t.Errorf("no id: %+v", p)
	}
	fakesite.WantText(t, "post "+p.ID, p.ID, p.Host, p.Author, p.AuthorKey, p.Text, p.URL, p.RepostOf)
	if n := utf8.RuneCountInString(p.Text); n > 500 {
		t.Errorf("post %s: a text of %d runes", p.ID, n)
	}
	if p.URL != "" && !strings.HasPrefix(p.URL, "http") {
		t.Errorf("post %s: address %q", p.ID, p.URL)
	}
	for _, n := range []*int64{p.Likes, p.Reposts, p.Replies, p.Quotes, p.Bookmarks, p.Views} {
		if n != nil && (*n < 0 || *n > mostCounted) {
			t.Errorf("post %s: %d", p.ID, *n)
		}
	}
	for _, at := range []time.Time{p.CreatedAt, p.IndexedAt} {
		if !at.IsZero() && (at.Before(earliest) || at.After(latest) || at.Location() != time.UTC) {
			t.Errorf("post %s at %s", p.ID, at)
		}
	}
	if p.Original != nil {
		wantSound(t, *p.Original)
	}
}

// counts are likes, reposts, replies, quotes, bookmarks and views, - where there is none.
func counts(p Post) string {
	var b strings.Builder
	for _, n := range []*int64{p.Likes, p.Reposts, p.Replies, p.Quotes, p.Bookmarks, p.Views} {
		if n == nil {
			b.WriteString(" -")
		} else {
			b.WriteString(" " + strconv.FormatInt(*n, 10))
		}
	}
	return b.String()[1:]
}

func recorded(t testing.TB, name string) string {
	t.Helper()
	return fakesite.Recorded(t, "posts/"+name)
}

// recordedAnswer is recorded with the status and the headers beside it.
func recordedAnswer(t testing.TB, name string) *fake {
	t.Helper()
	lines := bufio.NewScanner(strings.NewReader(recorded(t, name+".http")))
	status, headers := 0, []string{}
	for lines.Scan() {
		if code, ok := strings.CutPrefix(lines.Text(), "HTTP "); ok {
			status, _ = strconv.Atoi(code)
		} else if key, value, ok := strings.Cut(lines.Text(), ": "); ok {
			headers = append(headers, key, value)
		}
	}
	return always(t, status, recorded(t, name+".json"), headers...)
}

var errSilent = errors.New("no answer")

// silent is a Getter that gets none.
type silent struct{}

func (silent) Get(context.Context, string, string) (Answer, error) { return Answer{}, errSilent }
