package sites

import (
	"errors"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
)

// These tests hold for every site there is and ever will be.

func TestEverySiteDescribesItself(t *testing.T) {
	name := regexp.MustCompile(`^[a-z]+$`)
	for _, s := range everySite() {
		i := s.Info()
		t.Run(i.Name, func(t *testing.T) {
			if !name.MatchString(i.Name) || i.Title == "" || i.Hint == "" || i.Handle == nil || i.Profile == nil || i.List == nil {
				t.Fatalf("incomplete: %+v", i)
			}
			if u, err := url.Parse(i.Home); err != nil || u.Scheme != "https" || u.Host == "" {
				t.Errorf("home %q", i.Home)
			}
			list := i.List(Account{Handle: "a&b c", Key: "7/8"})
			if !strings.HasPrefix(list, "https://") || strings.Contains(list, "&b") || strings.Contains(list, "b c") ||
				strings.Contains(list, "7/8") {
				t.Errorf("list %q: want an address with the handle or the key escaped", list)
			}
			if i.Gap < time.Second || i.Overlap <= 0 {
				t.Errorf("gap %s, overlap %s", i.Gap, i.Overlap)
			}
			if same, ok := siteNamed(i.Name); !ok || same != s {
				t.Errorf("not found by its name")
			}
		})
	}
}

func TestNoSiteAsksForAHostileHandle(t *testing.T) {
	hostile := []string{"", ".", "..", "../ada", "a/b", "a?b", "a#b", "a%2fb", "a&b=c", "a\nb", "ada\n", "a\x00b", "a\\b", "<ada>", "a;b",
		"a'b", `a"b`,
		" ada", "ada ", "\xff\xfe\xfd", string(make([]byte, 300))}
	for _, s := range everySite() {
		t.Run(s.Info().Name, func(t *testing.T) {
			for _, handle := range hostile {
				get := &fake{t: t, serve: always(200, "[]")}
				if s.Info().Handle.MatchString(handle) {
					t.Errorf("the pattern takes %q", handle)
				}
				_, err := all(s.Submissions(t.Context(), get, Account{Handle: handle, Key: "1"}))
				if err == nil || errors.Is(err, ErrNoHandle) {
					t.Errorf("submissions of %q: %v, want an error that is no proof of absence", handle, err)
				}
				_, _ = s.Ratings(t.Context(), get, Account{Handle: handle, Key: "1"})
				if p, ok := s.(Profiler); ok {
					if _, err := p.Profile(t.Context(), get, Account{Handle: handle, Key: "1"}); err == nil || errors.Is(err, ErrNoHandle) {
						t.Errorf("profile of %q: %v, want an error that is no proof of absence", handle, err)
					}
				}
				if r, ok := s.(Resolver); ok {
					if _, err := r.Resolve(t.Context(), get, handle); err == nil || errors.Is(err, ErrNoHandle) {
						t.Errorf("resolve %q: %v, want an error that is no proof of absence", handle, err)
					}
				}
				if len(get.asked) > 0 {
					t.Errorf("%q entered %q", handle, get.asked)
				}
			}
		})
	}
}

// A page of something else (a login wall, a challenge, an outage) must be an
// error: not an idle member, and not proof that the handle does not exist.
func TestNoSiteTakesAStrangePageForAnAnswer(t *testing.T) {
	strange := []Page{
		{200, []byte(`<html><title>Just a moment...</title><body>Checking your browser</body></html>`)},
		{200, nil},
		{200, []byte(`null`)},
		{200, []byte(`"maintenance"`)},
		{200, []byte(`{"message":"please log in"}`)},
		{400, []byte(`Bad Request`)},
		{403, []byte(`<html><title>Forbidden</title></html>`)},
	}
	for _, s := range everySite() {
		t.Run(s.Info().Name, func(t *testing.T) {
			for _, page := range strange {
				get := &fake{t: t, serve: func(int, *url.URL) Page { return page }}
				subs, err := all(s.Submissions(t.Context(), get, Account{Handle: "1234", Key: "1"}))
				if err == nil || errors.Is(err, ErrNoHandle) || len(subs) > 0 {
					t.Errorf("page %d %q: %d submissions, error %v", page.Status, page.Body, len(subs), err)
				}
				if r, ok := s.(Resolver); ok {
					if key, err := r.Resolve(t.Context(), get, "1234"); err == nil || errors.Is(err, ErrNoHandle) {
						t.Errorf("page %d %q: key %q, error %v", page.Status, page.Body, key, err)
					}
				}
				if r, ok := s.(Profiler); ok {
					if p, err := r.Profile(t.Context(), get, Account{Handle: "1234", Key: "1"}); err == nil || errors.Is(err, ErrNoHandle) {
						t.Errorf("page %d %q: profile %+v, error %v", page.Status, page.Body, p, err)
					}
				}
				if c, ok := s.(Catalogue); ok {
					if problems, err := c.Problems(t.Context(), get); err == nil {
						t.Errorf("page %d %q: problems %v", page.Status, page.Body, problems)
					}
				}
			}
		})
	}
}
