package polite_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"laurel/jobs/polite"
)

func TestRedirects(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, address, location string
		want                    string // The address asked for next; "" where it must not be followed.
	}{
		{"same host", "https://judge.example/a?x=1", "/b?y=2", "https://judge.example/b?y=2"},
		{"relative", "https://judge.example/a/b", "c", "https://judge.example/a/c"},
		{"same host, in full", "https://judge.example/a", "https://judge.example/b", "https://judge.example/b"},
		{"same host, in capitals", "https://judge.example/a", "https://JUDGE.example/b", "https://judge.example/b"},
		{"no scheme", "https://judge.example/a", "//judge.example/b", "https://judge.example/b"},
		{"to https", "http://judge.example/a", "https://judge.example/a", "https://judge.example/a"},
		{"to https, with its port", "http://judge.example:80/a", "https://judge.example:443/a", "https://judge.example/a"},
		{"never back to http", "https://judge.example/a", "http://judge.example/b", "https://judge.example/b"},
		{"another port is not ours to choose", "https://judge.example/a", "https://judge.example:8443/b", "https://judge.example/b"},
		{"another host", "https://judge.example/a", "https://evil.example/a", ""},
		{"a part of the name", "https://judge.example/a", "https://example/a", ""},
		{"below the name", "https://judge.example/a", "https://www.judge.example/a", ""},
		{"the name as a user", "https://judge.example/a", "https://judge.example@evil.example/", ""},
		{"loopback", "https://judge.example/a", "http://127.0.0.1/a", ""},
		{"cloud metadata", "https://judge.example/a", "http://169.254.169.254/latest/meta-data/", ""},
		{"a file", "https://judge.example/a", "file:///etc/passwd", ""},
		{"gopher", "https://judge.example/a", "gopher://judge.example/a", ""},
		{"nonsense", "https://judge.example/a", "http://[::1", ""},
		{"control characters", "https://judge.example/a", "http://judge.example/\x7f\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var asked []string
				c, ts := newClient(func(r *http.Request) (*http.Response, error) {
					asked = append(asked, r.URL.String())
					if len(asked) == 1 {
						return answer(http.StatusFound, "", "Location: "+tt.location), nil
					}
					return answer(http.StatusOK, "there"), nil
				})
				start := time.Now()
				page, err := c.Get(t.Context(), polite.Request{Address: tt.address, Source: "judge", Gap: time.Second})
				if ts.held() {
					t.Error("the slot was not given back")
				}
				k, e := kind(t, err)
				if tt.want == "" {
					if k != polite.Unreachable || len(asked) != 1 || e.Message == "" {
						t.Errorf("got %q (%v) after %q, want unreachable after one request", k, err, asked)
					}
					return
				}
				if k != "" || string(page.Body) != "there" || len(asked) != 2 || asked[1] != tt.want {
					t.Errorf("got %q (%v) after %q, want then %s", page.Body, err, asked, tt.want)
				}
				if d := time.Since(start); d < time.Second {
					t.Errorf("the second request came after %s: it needs a slot of its own", d)
				}
			})
		})
	}
}

func TestRedirectsWithoutEnd(t *testing.T) {
	t.Parallel()
	for name, location := range map[string]string{"to itself": "/a", "to http and back": "http://judge.example/a", "deeper": "a/a"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				asked := 0
				c, _ := newClient(func(*http.Request) (*http.Response, error) {
					asked++
					return answer(http.StatusMovedPermanently, "", "Location: "+location), nil
				})
				_, err := c.Get(t.Context(), polite.Request{Address: "https://judge.example/a/", Source: "judge", Gap: time.Second})
				if k, _ := kind(t, err); k != polite.Unreachable || asked != 6 {
					t.Errorf("got %q (%v) after %d requests, want unreachable after 6", k, err, asked)
				}
			})
		})
	}
}

// A redirect without an address is a page for the reader, not an endless wait.
func TestRedirectToNowhere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, _ := newClient(func(*http.Request) (*http.Response, error) { return answer(http.StatusFound, "x"), nil })
		page, err := c.Get(t.Context(), polite.Request{Address: "https://judge.example/", Source: "judge", Gap: time.Second})
		if err != nil || page.Status != http.StatusFound {
			t.Errorf("got status %d, error %v", page.Status, err)
		}
	})
}

// Over real sockets: the second server is loopback, too, and is not reached.
func TestRedirectToAnotherServer(t *testing.T) {
	t.Parallel()
	var reached atomic.Bool
	secret := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Store(true) }))
	defer secret.Close()
	srv := httptest.NewServer(http.RedirectHandler(strings.Replace(secret.URL, "127.0.0.1", "localhost", 1), http.StatusFound))
	defer srv.Close()
	c, _ := newClient(nil)
	c.HTTP = polite.Guarded([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")})
	_, err := c.Get(t.Context(), polite.Request{Address: srv.URL, Source: "judge"})
	if k, _ := kind(t, err); k != polite.Unreachable || reached.Load() {
		t.Errorf("got %q (%v), reached = %t; want unreachable", k, err, reached.Load())
	}
}

// A mirror replaces scheme and host; path and query stay, and so does the name
// under which slots are taken.
func TestMirrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, location, want string }{
		{"below", "/b?c=d%2Fe", "http://mirror.example:8080/b?c=d%2Fe"},
		{"by the mirror's name", "http://mirror.example:8080/b", "http://mirror.example:8080/b"},
		{"by the site's name", "https://judge.example/b", "http://mirror.example:8080/b"},
		{"by the mirror's name at another port", "http://mirror.example:9090/b", ""},
		{"elsewhere", "http://evil.example/b", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var asked []string
				c, ts := newClient(func(r *http.Request) (*http.Response, error) {
					asked = append(asked, r.URL.String())
					if host := r.Header.Get("X-Forwarded-Host"); host != "judge.example" {
						t.Errorf("the mirror is asked for the host %q", host)
					}
					if len(asked) == 1 {
						return answer(http.StatusFound, "", "Location: "+tt.location), nil
					}
					return answer(http.StatusOK, ""), nil
				})
				c.Mirrors = map[string]*url.URL{"judge": {Scheme: "http", Host: "mirror.example:8080", Path: "/never/added"},
					"other": {Scheme: "http", Host: "other.example"}}
				page, err := c.Get(t.Context(), polite.Request{Address: "https://judge.example/user%2Fstatus?handle=a+b&n=1", Source: "judge",
					Gap: time.Second})
				if asked[0] != "http://mirror.example:8080/user%2Fstatus?handle=a+b&n=1" {
					t.Errorf("asked for %s", asked[0])
				}
				if tt.want != "" && !strings.HasPrefix(page.Address, "https://judge.example/b") {
					t.Errorf("the page is said to come from %q", page.Address)
				}
				if k, _ := kind(t, err); (k == polite.Unreachable) != (tt.want == "") || tt.want != "" && asked[len(asked)-1] != tt.want {
					t.Errorf("got %q (%v) after %q, want then %q", k, err, asked, tt.want)
				}
				if ts.next("host:judge.example").IsZero() || ts.next("source:judge").IsZero() {
					t.Error("the slot was not taken at the site's own name")
				}
			})
		})
	}
}

// A question with a body is a POST in its slot; what it carries goes nowhere else.
func TestQuestionsWithABody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked []string
		c, _ := newClient(func(r *http.Request) (*http.Response, error) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			asked = append(asked, fmt.Sprint(r.Method, " ", r.URL.Path, " ", string(body), " ", r.Header.Get("Content-Type"), " ",
				r.Header.Get("Cookie"), " ", r.Header.Get("User-Agent") == agent))
			if r.URL.Path == "/moved" {
				return answer(http.StatusTemporaryRedirect, "", "Location: /b"), nil
			}
			return answer(http.StatusOK, "{}", "Set-Cookie: a=b"), nil
		})
		start := time.Now()
		ask := polite.Request{Address: "https://judge.example/graphql", Source: "judge", Gap: time.Second, Body: `{"query":""}`,
			Header: map[string]string{"Cookie": "t=1"}}
		for range 2 {
			page, err := c.Get(t.Context(), ask)
			if err != nil || page.Header.Get("Set-Cookie") != "a=b" {
				t.Errorf("header %v, error %v", page.Header, err)
			}
		}
		if took := time.Since(start); took != time.Second {
			t.Errorf("two questions in %s, want the gap between", took)
		}
		form := polite.Request{Address: "https://judge.example/form", Source: "judge", Body: "a=b",
			Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}}
		if _, err := c.Get(t.Context(), form); err != nil || asked[2] != "POST /form a=b application/x-www-form-urlencoded  true" {
			t.Errorf("asked %q, %v", asked, err)
		}
		ask.Address = "https://judge.example/moved"
		if page, err := c.Get(t.Context(), ask); err == nil {
			t.Error("a redirect was followed with a body")
		} else if k, _ := kind(t, err); k != polite.Unreachable || page.Status != http.StatusTemporaryRedirect {
			t.Errorf("a redirect: status %d, %v", page.Status, err)
		}
		want := `POST /graphql {"query":""} application/json t=1 true`
		if len(asked) != 4 || asked[0] != want || asked[1] != want {
			t.Errorf("asked %q, want %q", asked, want)
		}
	})
}

const agent = "Laurel/1 (+https://laurel.example)"
