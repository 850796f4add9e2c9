package standin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

const (
	statusAddress = "/api/user.status?handle=sample-amber-fox&from=1&count=50"
	rowsAddress   = "/atcoder/atcoder-api/v3/user/submissions?user=sample_00000&from_second=0"
)

// listen serves a world on a real socket. The client follows no redirect.
func listen(t testing.TB, o Options) (*Server, *httptest.Server) {
	t.Helper()
	s := at(start, o)
	srv := httptest.NewServer(s)
	srv.Client().CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	srv.Client().Timeout = 5 * time.Second
	t.Cleanup(func() { s.Close(); srv.Close() })
	return s, srv
}

// A reply is what a client gets, as far as it gets it.
type reply struct {
	status int
	header http.Header
	body   []byte
	err    error
}

func fetch(ctx context.Context, t testing.TB, srv *httptest.Server, address string) reply {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, srv.URL+address, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := srv.Client().Do(req)
	if err != nil {
		return reply{err: err}
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	return reply{res.StatusCode, res.Header, body, err}
}

// Every fault really happens to a client, and then the site is well again.
func TestFaults(t *testing.T) {
	s, srv := listen(t, Options{})
	right := fetch(t.Context(), t, srv, statusAddress)
	tests := []struct {
		name string
		f    Fault
		ok   func(reply) bool
	}{
		{"429 seconds", Fault{Kind: "429", RetryAfter: "30"}, func(r reply) bool {
			return r.status == 429 &&
				r.header.Get("Retry-After") == "30"
		}},
		{"429 date", Fault{Kind: "429", RetryAfter: "Thu, 01 Jan 2026 00:01:00 GMT"}, func(r reply) bool {
			at, err := http.ParseTime(r.header.Get("Retry-After"))
			return r.status == 429 && err == nil && at.Equal(start.Add(time.Minute))
		}},
		{"429 without Retry-After", Fault{Kind: "429"}, func(r reply) bool { return r.status == 429 && r.header.Get("Retry-After") == "" }},
		{"503", Fault{Kind: "503"}, func(r reply) bool { return r.status == 503 }},
		{"500", Fault{Kind: "500"}, func(r reply) bool { return r.status == 500 }},
		{"limit", Fault{Kind: "limit"}, func(r reply) bool { return r.status == 200 && bytes.Contains(r.body, []byte("Call limit exceeded")) }},
		{"notfound", Fault{Kind: "notfound"}, func(r reply) bool {
			return r.status == 400 && bytes.Contains(r.body, []byte("sample-amber-fox not found"))
		}},
		{"slow", Fault{Kind: "slow", Delay: time.Millisecond}, func(r reply) bool { return bytes.Equal(r.body, right.body) }},
		{"cut", Fault{Kind: "cut"}, func(r reply) bool { return errors.Is(r.err, io.ErrUnexpectedEOF) && len(r.body) > 0 }},
		{"cutjson", Fault{Kind: "cutjson"}, func(r reply) bool {
			return r.err == nil && r.status == 200 && len(r.body) > 0 &&
				!json.Valid(r.body)
		}},
		{"markup", Fault{Kind: "markup"}, func(r reply) bool {
			return r.status == 200 && json.Valid(r.body) && bytes.Contains(r.body, []byte("v2_verdict"))
		}},
		{"emptied", Fault{Kind: "emptied"}, func(r reply) bool { return r.status == 200 && string(r.body) == `{"result":[],"status":"OK"}` }},
		{"cloudflare", Fault{Kind: "cloudflare"}, func(r reply) bool {
			return r.status == 403 && bytes.Contains(r.body, []byte("cf_chl_opt")) &&
				bytes.Contains(r.body, []byte("<title>Just a moment...</title>")) && bytes.Contains(r.body, []byte("challenge-platform"))
		}},
		{"html", Fault{Kind: "html"}, func(r reply) bool {
			return r.status == 200 && strings.HasPrefix(r.header.Get("Content-Type"), "text/html")
		}},
		{"empty", Fault{Kind: "empty"}, func(r reply) bool { return r.status == 200 && len(r.body) == 0 && r.err == nil }},
		{"huge", Fault{Kind: "huge", Size: 3 << 20}, func(r reply) bool { return r.status == 200 && len(r.body) == 3<<20 }},
		{"redirect", Fault{Kind: "redirect", Location: "http://169.254.169.254/latest/"}, func(r reply) bool {
			return r.status == 302 && r.header.Get("Location") == "http://169.254.169.254/latest/"
		}},
		{"loop", Fault{Kind: "redirect", Location: "loop"}, func(r reply) bool { return r.header.Get("Location") == statusAddress }},
	}
	for _, tt := range tests {
		tt.f.Count = 1
		if err := s.SetFault("codeforces", tt.f); err != nil {
			t.Fatal(err)
		}
		if got := fetch(t.Context(), t, srv, statusAddress); !tt.ok(got) {
			t.Errorf("%s: status %d, %v, header %v, body %.80q", tt.name, got.status, got.err, got.header, got.body)
		}
		if got := fetch(t.Context(), t, srv, statusAddress); !bytes.Equal(got.body, right.body) {
			t.Errorf("%s: the answer after the fault is another one", tt.name)
		}
	}
}

// A timeout says nothing until the client has had enough.
func TestTimeoutFault(t *testing.T) {
	s, srv := listen(t, Options{})
	if err := s.SetFault("", Fault{Kind: "timeout", Count: 1}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if got := fetch(ctx, t, srv, statusAddress); !errors.Is(got.err, context.DeadlineExceeded) {
		t.Errorf("status %d, %v, want no answer in time", got.status, got.err)
	}
}

// Which requests a fault is for.
func TestFaultFits(t *testing.T) {
	for _, tt := range []struct {
		name string
		site string
		f    Fault
		want string // The statuses of four requests: two of Codeforces, one rating, one of AtCoder.
	}{
		{"one site", "codeforces", Fault{}, "503 503 503 200"},
		{"every site", "", Fault{}, "503 503 503 503"},
		{"twice", "codeforces", Fault{Count: 2}, "503 503 200 200"},
		{"not the first", "codeforces", Fault{Skip: 1}, "200 503 503 200"},
		{"one handle", "", Fault{Handle: "SAMPLE-Amber-fox"}, "503 503 200 200"},
		{"one path", "codeforces", Fault{Path: "user.rating"}, "200 200 503 200"},
		{"never", "", Fault{Probability: 1e-9}, "200 200 200 200"},
		{"always", "", Fault{Probability: 1}, "503 503 503 503"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := at(start, Options{})
			tt.f.Kind = "503"
			if err := s.SetFault(tt.site, tt.f); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, a := range []string{statusAddress, statusAddress, "/api/user.rating?handle=sample-brisk-owl", rowsAddress} {
				status, _ := ask(t, s, a)
				got = append(got, http.StatusText(status))
			}
			want := strings.NewReplacer("503", http.StatusText(503), "200", http.StatusText(200)).Replace(tt.want)
			if strings.Join(got, " ") != want {
				t.Errorf("got %s, want %s", got, want)
			}
			s.ClearFaults(tt.site)
			if status, _ := ask(t, s, statusAddress); status != 200 {
				t.Errorf("status %d after the faults were cleared", status)
			}
		})
	}
}

func TestWrongFaultsAreRefused(t *testing.T) {
	s := at(start, Options{})
	for _, query := range []string{"site=codeforces&kind=429x", "site=nowhere&kind=429", "kind=503&count=-1", "kind=503&probability=2",
		"kind=slow&delay=soon"} {
		if status, body := ask(t, s, "/standin/fault?"+query); status != 400 || body == "" {
			t.Errorf("%s: %d %s, want 400", query, status, body)
		}
	}
}
