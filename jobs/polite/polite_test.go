package polite_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"laurel/jobs/polite"
)

// onSockets returns a client of a real server.
func onSockets(t *testing.T, h http.HandlerFunc) (*polite.Client, *slots, polite.Request) {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	c, ts := newClient(nil)
	c.HTTP = polite.Guarded([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")})
	return c, ts, polite.Request{Address: srv.URL + "/", Source: "judge"}
}

func gzipped(body []byte) []byte {
	var buf bytes.Buffer
	w := gzip.NewWriter(&buf)
	_, _ = w.Write(body)
	_ = w.Close()
	return buf.Bytes()
}

func packed(body []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(body)
	}
}

func TestBodies(t *testing.T) {
	t.Parallel()
	const most = 1 << 20
	full := bytes.Repeat([]byte("x"), most)
	bomb := gzipped(bytes.Repeat([]byte{'x'}, 4<<20)) // 4 KB that unpack to 4 MB.
	for _, tt := range []struct {
		name    string
		handler http.HandlerFunc
		kind    string
		size    int
		why     string
	}{
		{"empty", func(http.ResponseWriter, *http.Request) {}, "", 0, ""},
		{"exactly as large as may be", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(full) }, "", most, ""},
		{"a byte too large", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(append(full[:most:most], 'x')) }, polite.TooLarge, 0,
			"larger than 1 MB"},
		{"without end", func(w http.ResponseWriter, _ *http.Request) {
			for {
				if _, err := w.Write(full); err != nil {
					return
				}
			}
		}, polite.TooLarge, 0, "larger than 1 MB"},
		{"packed", packed(gzipped(full)), "", most, ""},
		{"a bomb", packed(bomb), polite.TooLarge, 0, "larger than 1 MB"},
		{"packed and cut", packed(gzipped(full)[:100]), polite.Unreachable, 0, "cut off"},
		{"packed, it says", packed([]byte("not gzip at all")), polite.Unreachable, 0, "could not be read"},
		{"cut", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write(full[:10])
		}, polite.Unreachable, 0, "cut off"},
		{"cut between chunks", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(full[:10])
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}, polite.Unreachable, 0, "cut off"},
		{"not even a head", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, polite.Unreachable, 0, "cut off"},
		{"a head too large", func(w http.ResponseWriter, _ *http.Request) {
			for i := range 400 {
				w.Header().Set(fmt.Sprint("X-", i), strings.Repeat("x", 1000))
			}
		}, polite.Unreachable, 0, "no connection"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, ts, r := onSockets(t, tt.handler)
			page, err := c.Get(t.Context(), r)
			if k, e := kind(t, err); k != tt.kind || e != nil && !strings.Contains(e.Message, tt.why) {
				t.Errorf("got %q (%v), want %q with %q", k, err, tt.kind, tt.why)
			}
			if len(page.Body) != tt.size || ts.held() {
				t.Errorf("got %d bytes, want %d; slot held = %t", len(page.Body), tt.size, ts.held())
			}
		})
	}
}

func TestTimeouts(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]bool{"before the head": false, "in the body": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, ts, r := onSockets(t, func(w http.ResponseWriter, r *http.Request) {
				if begin {
					_, _ = w.Write([]byte("["))
					_ = http.NewResponseController(w).Flush()
				}
				<-r.Context().Done()
			})
			c.HTTP.Timeout = 50 * time.Millisecond
			_, err := c.Get(t.Context(), r)
			if k, e := kind(t, err); k != polite.Unreachable || !strings.Contains(e.Message, "in time") || ts.held() {
				t.Errorf("got %q (%v), slot held = %t; want unreachable", k, err, ts.held())
			}
		})
	}
}

// What we call off ourselves says nothing about the site.
func TestCalledOff(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]bool{"before the head": false, "in the body": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			c, ts, r := onSockets(t, func(w http.ResponseWriter, r *http.Request) {
				if begin {
					_, _ = w.Write([]byte("["))
					_ = http.NewResponseController(w).Flush()
				}
				cancel()
				<-r.Context().Done()
			})
			if _, err := c.Get(ctx, r); !errors.Is(err, context.Canceled) || ts.held() {
				t.Errorf("got %v, slot held = %t; want what the context says", err, ts.held())
			}
		})
	}
}

func TestNobodyThere(t *testing.T) {
	t.Parallel()
	c, ts, r := onSockets(t, nil)
	r.Address = "http://127.0.0.1:1/"
	_, err := c.Get(t.Context(), r)
	if k, e := kind(t, err); k != polite.Unreachable || e.Message != "127.0.0.1:1: no connection" || ts.held() {
		t.Errorf("got %q (%v), slot held = %t", k, err, ts.held())
	}
}

// The guard's refusal reaches the profile as text that names the way out.
func TestRefusedAddress(t *testing.T) {
	t.Parallel()
	c, _, r := onSockets(t, nil)
	c.HTTP = polite.Guarded(nil)
	for _, address := range []string{r.Address, "http://localhost:1/", "http://[::ffff:127.0.0.1]:1/"} {
		r.Address = address
		_, err := c.Get(t.Context(), r)
		if k, e := kind(t, err); k != polite.Unreachable || !strings.Contains(e.Message, "LAUREL_ALLOW_NETS") {
			t.Errorf("%s: got %q (%v), want unreachable and the setting's name", address, k, err)
		}
	}
}

func TestNotAnAddress(t *testing.T) {
	t.Parallel()
	c, ts := newClient(func(*http.Request) (*http.Response, error) {
		t.Error("something was asked")
		return answer(200, ""), nil
	})
	for _, address := range []string{"", "/path", "judge.example/a", "ftp://judge.example/", "file:///etc/passwd", "javascript:alert(1)",
		"http://", "http://[::1", "https:judge.example"} {
		_, err := c.Get(t.Context(), polite.Request{Address: address, Source: "judge"})
		if _, outside := errors.AsType[*polite.Error](err); err == nil || outside {
			t.Errorf("%q: got %v, want an error of ours", address, err)
		}
	}
	if len(ts.m) > 0 {
		t.Errorf("slots were taken: %v", ts.m)
	}
}

func TestSaysWhoItIs(t *testing.T) {
	t.Parallel()
	c, _, r := onSockets(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprint(w, r.Method, " ", r.UserAgent(), " ", r.Header.Get("Accept-Encoding"), " ", r.Header.Get("Accept"))
	})
	page, err := c.Get(t.Context(), r)
	want := "GET Laurel/1 (+https://laurel.example) gzip application/json, text/html;q=0.9, */*;q=0.5"
	if err != nil || string(page.Body) != want {
		t.Errorf("said %q (%v), want %q", page.Body, err, want)
	}
}
