package polite_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"laurel/jobs/fakesite"
	"laurel/jobs/polite"
)

// get asks once and returns what came of it, and when the source may be asked again.
func get(t testing.TB, c *polite.Client, ts *slots) (page polite.Page, next time.Duration, err error) {
	t.Helper()
	page, err = c.Get(t.Context(), polite.Request{Address: "https://judge.example/a", Source: "judge", Gap: 2 * time.Second})
	return page, ts.next("source:judge").Sub(c.Now()), err
}

func TestStatuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		status  int
		headers []string
		kind    string // "" for a page to read.
		pause   time.Duration
	}{
		{200, nil, "", 2 * time.Second},
		{204, nil, "", 2 * time.Second},
		{400, nil, "", 2 * time.Second}, // Codeforces says so that there is no such handle.
		{404, nil, "", 2 * time.Second},
		{410, nil, "", 2 * time.Second},
		{200, []string{"Retry-After: 60"}, "", 2 * time.Second},
		{429, nil, polite.RateLimited, time.Minute},
		{429, []string{"Retry-After: 5"}, polite.RateLimited, 5 * time.Second},
		{429, []string{"Retry-After: 1"}, polite.RateLimited, 2 * time.Second}, // Never less than the gap.
		{429, []string{"Retry-After: 0"}, polite.RateLimited, time.Minute},
		{429, []string{"Retry-After: soon"}, polite.RateLimited, time.Minute},
		{429, []string{"Retry-After: 86400"}, polite.RateLimited, time.Hour},
		{503, nil, polite.ServerError, 2 * time.Second},
		{503, []string{"Retry-After: 120"}, polite.ServerError, 2 * time.Minute},
		{500, nil, polite.ServerError, 2 * time.Second},
		{502, nil, polite.ServerError, 2 * time.Second},
		{504, nil, polite.ServerError, 2 * time.Second},
		{520, nil, polite.ServerError, 2 * time.Second}, // Cloudflare's own.
		{401, nil, polite.Blocked, 2 * time.Second},
		{403, nil, polite.Blocked, 2 * time.Second},
		{403, []string{"Retry-After: 300"}, polite.Blocked, 5 * time.Minute},
		{451, nil, polite.Blocked, 2 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			c, ts := newClient(func(*http.Request) (*http.Response, error) { return answer(tt.status, "words", tt.headers...), nil })
			page, pause, err := get(t, c, ts)
			k, e := kind(t, err)
			if k != tt.kind || pause != tt.pause {
				t.Errorf("%d %v: %q (%v), next slot in %s; want %q in %s", tt.status, tt.headers, k, err, pause, tt.kind, tt.pause)
			}
			if e == nil && (page.Status != tt.status || string(page.Body) != "words") {
				t.Errorf("%d: the page came as %d %q", tt.status, page.Status, page.Body)
			}
			if e != nil && (!strings.Contains(e.Message, "judge.example") || e.RetryAt.IsZero() != (tt.pause == 2*time.Second && tt.status != 429)) {
				t.Errorf("%d %v: message %q, retry at %s", tt.status, tt.headers, e.Message, e.RetryAt)
			}
		})
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	in := func(d time.Duration) string { return time.Now().Add(d).UTC().Format(http.TimeFormat) }
	synctest.Test(t, func(t *testing.T) {
		for _, tt := range []struct {
			header string
			rate   float64
			want   time.Duration // 0 where the header says nothing.
		}{
			{"", 1, 0}, {" ", 1, 0}, {"30", 1, 30 * time.Second}, {" 30 ", 1, 30 * time.Second}, {"030", 1, 30 * time.Second},
			{"0", 1, 0}, {"-5", 1, 0}, {"+5", 1, 0}, {"1.5", 1, 0}, {"1e3", 1, 0}, {"30s", 1, 0}, {"0x10", 1, 0}, {"later", 1, 0}, {"30, 40", 1, 0},
			{"٣", 1, 0},
			{"3600", 1, time.Hour}, {"3601", 1, time.Hour}, {"2147483647", 1, time.Hour}, {"4294967296", 1, time.Hour},
			{"99999999999999999999999", 1, time.Hour},
			{in(10 * time.Minute), 1, 10 * time.Minute}, {in(48 * time.Hour), 1, time.Hour}, {in(-time.Minute), 1, 0}, {in(0), 1, 0},
			{time.Now().Add(time.Minute).UTC().Format("Monday, 02-Jan-06 15:04:05 GMT"), 1, time.Minute},
			{time.Now().Add(time.Minute).UTC().Format(time.ANSIC), 1, time.Minute},
			{"Fri, 31 Dec 9999 23:59:59 GMT", 1, time.Hour}, {"Thu, 01 Jan 1970 00:00:00 GMT", 1, 0}, {"Fri, 32 Dec 2027 23:59:59 GMT", 1, 0},
			{"3600", 1000, 3600 * time.Millisecond}, {in(time.Minute), 1000, 60 * time.Millisecond}, {"99999", 1000, 3600 * time.Millisecond},
		} {
			c, _ := newClient(func(*http.Request) (*http.Response, error) { return answer(503, "", "Retry-After: "+tt.header), nil })
			c.Rate = tt.rate
			_, err := c.Get(t.Context(), polite.Request{Address: "https://judge.example/a", Source: "judge"})
			_, e := kind(t, err)
			if got := time.Until(e.RetryAt); tt.want == 0 != e.RetryAt.IsZero() || tt.want != 0 && got != tt.want {
				t.Errorf("Retry-After %q at rate %g: retry at %s (in %s), want in %s", tt.header, tt.rate, e.RetryAt, got, tt.want)
			}
		}
	})
}

// A pause is never negative and never longer than an hour, whatever is sent.
func FuzzRetryAfter(f *testing.F) {
	for _, s := range []string{"", "0", "120", "-1", "99999999999", "1e9", "Fri, 31 Dec 9999 23:59:59 GMT", "Sun Nov  6 08:49:37 1994",
		"\x00", "٣"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, header string) {
		now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
		for _, status := range []int{429, 503} {
			c, ts := newClient(func(*http.Request) (*http.Response, error) {
				res := answer(status, "")
				res.Header["Retry-After"] = []string{header}
				return res, nil
			})
			c.Now = func() time.Time { return now }
			ts.now = c.Now
			_, pause, err := get(t, c, ts)
			_, e := kind(t, err)
			if pause < 2*time.Second || pause > time.Hour {
				t.Errorf("%d with Retry-After %q: next slot in %s", status, header, pause)
			}
			if !e.RetryAt.IsZero() && (!e.RetryAt.After(now) || e.RetryAt.Sub(now) > time.Hour) {
				t.Errorf("%d with Retry-After %q: retry at %s", status, header, e.RetryAt)
			}
		}
	})
}

const (
	challengeOld = `<!DOCTYPE html><html><head><title>Just a moment...</title></head><body><div id="cf-wrapper">Checking your browser</div></body></html>`
	challengeNew = `<!DOCTYPE html><html lang="de"><head><title>Nur einen Moment…</title></head><body><script>(function(){window._cf_chl_opt={cvId:'3',cZone:"judge.example"};
		var a=document.createElement('script');a.src='/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1?ray=8cc24a185d308e90';}());</script></body></html>`
	// What Cloudflare adds to an ordinary page of a site behind it.
	ordinary = `<!DOCTYPE html><html><head><title>ada</title></head><body><h1>ada</h1><script>(function(){var d=document;d.innerHTML="window.__CF$cv$params={r:'8'};
		var a=document.createElement('script');a.src='/cdn-cgi/challenge-platform/scripts/jsd/main.js';"})();</script></body></html>`
)

func TestChallenges(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, body string
		headers    []string
		want       bool
	}{
		{"old", challengeOld, nil, true},
		{"new, in another language", challengeNew, nil, true},
		{"by its script alone", `<html><script src="/cdn-cgi/challenge-platform/h/g/orchestrate/jsch/v1"></script></html>`, nil, true},
		{"by its header alone", "", []string{"Cf-Mitigated: challenge"}, true},
		{"by its header, though it speaks JSON", `{"status":"FAILED","comment":"handle: User with handle x not found"}`,
			[]string{"Cf-Mitigated: challenge"}, true},
		{"behind white space", "\r\n\t " + challengeNew, nil, true},
		{"behind a byte order mark", "\ufeff" + challengeNew, nil, true},
		{"behind a long head", "<html><style>" + strings.Repeat("x", 60<<10) + "</style>" + challengeNew, nil, true},
		{"JSON that speaks of it", `[{"id":1,"code":"window._cf_chl_opt = <title>Just a moment...</title>"}]`, nil, false},
		{"a string of JSON", `"<script>cf_chl_opt</script>"`, nil, false},
		{"an ordinary page behind Cloudflare", ordinary, nil, false},
		{"a page", "<html><body>just a moment</body></html>", nil, false},
		{"nothing", "", nil, false},
		{"white space", " \n ", nil, false},
	} {
		for _, status := range []int{200, 400, 403, 404, 429, 503} {
			synctest.Test(t, func(t *testing.T) {
				c, ts := newClient(func(*http.Request) (*http.Response, error) { return answer(status, tt.body, tt.headers...), nil })
				_, _, err := get(t, c, ts)
				k, e := kind(t, err)
				if got := k == polite.Blocked && strings.Contains(e.Message, "Cloudflare"); got != tt.want {
					t.Errorf("%s with status %d: got %q (%v), want a challenge = %t", tt.name, status, k, err, tt.want)
				}
			})
		}
	}
}

func TestRecordedChallenges(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob(filepath.Join(fakesite.RecordedPath(t, "judges/blocked"), "*.html"))
	if err != nil || len(pages) == 0 {
		t.Fatal("no recorded pages: ", err)
	}
	for _, name := range pages {
		body, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, status := range []int{200, 403, 404, 503} {
			c, ts := newClient(func(*http.Request) (*http.Response, error) { return answer(status, string(body)), nil })
			_, _, err := get(t, c, ts)
			if k, _ := kind(t, err); k != polite.Blocked {
				t.Errorf("%s with status %d: got %q (%v), want blocked", filepath.Base(name), status, k, err)
			}
		}
	}
}
