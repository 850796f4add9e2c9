package standin

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// lookups are a question for one post of each network, with the header names that tell the quota.
func lookups(made time.Time) map[string][4]string {
	return map[string][4]string{
		"x":        {"/2/tweets?ids=" + PostID("x", made, 1), "x-rate-limit-limit", "x-rate-limit-remaining", "x-rate-limit-reset"},
		"bluesky":  {uris(ids("bluesky", made, 1)), "ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"},
		"mastodon": {"/api/v1/statuses/" + PostID("mastodon", made, 1), "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"},
	}
}

// A quota is of one credential and one window; the headers tell both truly.
func TestQuotas(t *testing.T) {
	now := start.Add(70*time.Second + 250*time.Millisecond)
	o := Options{Limits: map[string]Limit{}, Now: func() time.Time { return now }}
	for _, network := range networkNames() {
		o.Limits[network] = Limit{3, 5 * time.Minute}
	}
	s := New(o)
	resets := map[string]string{"x": fmt.Sprint(start.Unix() + 370), "bluesky": fmt.Sprint(start.Unix() + 370),
		"mastodon": "2026-01-01T00:05:00.250000Z"}
	refusals := map[string]string{
		"x":        `{"title":"Too Many Requests","detail":"Too Many Requests","type":"about:blank","status":429}`,
		"bluesky":  `{"error":"RateLimitExceeded","message":"Rate Limit Exceeded"}`,
		"mastodon": `{"error":"Too many requests"}`,
	}
	for network, q := range lookups(start) {
		now = start.Add(70*time.Second + 250*time.Millisecond)
		for i, left := range []string{"2", "1", "0", "0"} {
			w := askAs(t, s, "one", "GET", q[0])
			if got := [3]string{w.Header().Get(q[1]), w.Header().Get(q[2]), w.Header().Get(q[3])}; got != [3]string{"3", left, resets[network]} {
				t.Errorf("%s: request %d: headers %q, want 3, %s, %s", network, i+1, got, left, resets[network])
			}
			if (w.Code == 429) != (i == 3) || i == 3 && w.Body.String() != refusals[network] || w.Header().Get("Retry-After") != "" {
				t.Errorf("%s: request %d: %d %s", network, i+1, w.Code, w.Body)
			}
		}
		if w := askAs(t, s, "two", "GET", q[0]); w.Code == 429 {
			t.Errorf("%s: the other token: %d", network, w.Code)
		}
		if s.OverQuota(network) != 1 {
			t.Errorf("%s: %d over quota, want 1", network, s.OverQuota(network))
		}
		now = start.Add(370 * time.Second)
		if w := askAs(t, s, "one", "GET", q[0]); w.Code == 429 || w.Header().Get(q[2]) != "2" {
			t.Errorf("%s: in the next window: %d, %s left", network, w.Code, w.Header().Get(q[2]))
		}
		s.Forget()
		if s.OverQuota(network) != 0 {
			t.Errorf("%s: violations are not forgotten", network)
		}
	}
}

// Without a token the address has the quota, where no token is needed.
func TestQuotaOfAddresses(t *testing.T) {
	s := at(start, Options{Limits: map[string]Limit{"bluesky": {1, time.Minute}, "mastodon": {-1, 0}}})
	from := func(address, question string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, question, nil)
		r.RemoteAddr = address
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w
	}
	q := lookups(start)
	for i, address := range []string{"10.0.0.1:1", "10.0.0.1:2", "10.0.0.2:1"} {
		if w := from(address, q["bluesky"][0]); (w.Code == 429) != (i == 1) || w.Header().Get("ratelimit-policy") != "1;w=60" {
			t.Errorf("%s: %d %v", address, w.Code, w.Header())
		}
		if w := from(address, q["mastodon"][0]); w.Code != 200 || w.Header().Get("x-ratelimit-limit") != "" {
			t.Errorf("without a limit: %d %v", w.Code, w.Header())
		}
	}
	for network, want := range map[string]int{"bluesky": 401, "mastodon": 401} {
		if w := askAs(t, s, "revoked-1", "GET", q[network][0]); w.Code != want {
			t.Errorf("%s: revoked: %d, want %d", network, w.Code, want)
		}
		if w := askAs(t, s, "forbidden-1", "GET", q[network][0]); w.Code != 403 {
			t.Errorf("%s: forbidden: %d", network, w.Code)
		}
	}
}

// Many ask at once, and exactly the quota is let through.
func TestQuotaTogether(t *testing.T) {
	s := at(start, Options{Limits: map[string]Limit{"x": {50, time.Minute}}, Polls: true})
	id := PostID("x", start, 1)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				askAs(t, s, "t", "GET", "/2/tweets?ids="+id)
			}
		})
	}
	wg.Wait()
	if requests, _, _ := s.Batches("x"); requests != 50 || s.OverQuota("x") != 110 || len(s.PolledAt("x", id)) != 50 {
		t.Errorf("%d answered, %d over quota, %d fetches; want 50, 110, 50", requests, s.OverQuota("x"), len(s.PolledAt("x", id)))
	}
}

// Faults are played for networks in their own words, and are no fetches.
func TestNetworkFaults(t *testing.T) {
	s := at(start, Options{Polls: true})
	for network, q := range lookups(start) {
		for _, kind := range []string{"limit", "notfound", "503", "html", "cutjson"} {
			if err := s.SetFault(network, Fault{Kind: kind, Count: 1}); err != nil {
				t.Fatal(err)
			}
			w := askAs(t, s, "t", "GET", q[0])
			switch {
			case kind == "limit" && (w.Code != 429 || w.Header().Get(q[2]) != "0" || w.Header().Get(q[3]) == ""):
			case kind == "notfound" && strings.Contains(w.Body.String(), `"text"`):
			case kind == "503" && w.Code != 503:
			default:
				continue
			}
			t.Errorf("%s: %s: %d %v %s", network, kind, w.Code, w.Header(), w.Body)
		}
		if requests, _, _ := s.Batches(network); requests != 1 { // The cut one was made, and half of it sent.
			t.Errorf("%s: %d answered, want 1", network, requests)
		}
		if log := s.Stats()[network]; log.Requests != 5 || log.Faults["limit"] != 1 {
			t.Errorf("%s: stats %+v", network, log)
		}
	}
}
