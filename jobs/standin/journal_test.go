package standin

import (
	"encoding/json"
	"testing"
	"time"
)

// The log knows who was asked about whom, and counts who came too soon.
func TestViolations(t *testing.T) {
	s, srv := listen(t, Options{})
	for _, a := range []string{statusAddress, rowsAddress, statusAddress, "/robots.txt", "/api/subs-user/900001", statusAddress} {
		fetch(t.Context(), t, srv, a)
	}
	hour := func(string) time.Duration { return time.Hour }
	if got := s.Violations(hour); got != 2 { // Three requests to Codeforces are two pairs.
		t.Errorf("%d violations of an hour, want 2", got)
	}
	if got := s.Violations(func(string) time.Duration { return 0 }); got != 0 {
		t.Errorf("%d violations of no gap, want 0", got)
	}
	if got := s.Violations(func(site string) time.Duration { return s.Stats()[site].Closest }); got != 0 {
		t.Errorf("%d pairs are closer than the closest, want 0", got)
	}
	var handles []string
	for _, r := range s.Log() {
		if r.Status != 200 || r.Site == "" {
			t.Errorf("in the log: %+v", r)
		}
		handles = append(handles, r.Handle)
	}
	want := []string{"sample-amber-fox", "sample_00000", "sample-amber-fox", "sample_amber_fox", "sample-amber-fox"}
	for i := range want {
		if len(handles) != len(want) || handles[i] != want[i] {
			t.Fatalf("handles %q, want %q", handles, want)
		}
	}
}

// A server that enforces refuses in the site's own words who comes within the gap.
func TestEnforce(t *testing.T) {
	s := at(start, Options{Enforce: true})
	ask(t, s, statusAddress)
	if status, body := ask(t, s, statusAddress); status != 200 || body != `{"status":"FAILED","comment":"Call limit exceeded"}` {
		t.Errorf("Codeforces: %d %s", status, body)
	}
	ask(t, s, rowsAddress)
	if status, _ := ask(t, s, rowsAddress); status != 429 {
		t.Errorf("AtCoder: %d, want 429", status)
	}
	if st := s.Stats()["codeforces"]; st.Requests != 2 || st.Faults["enforced"] != 1 || s.Violations(s.Gap) != 2 {
		t.Errorf("stats %+v, %d violations", st, s.Violations(s.Gap))
	}
	quick := at(start, Options{Enforce: true, Rate: 1e9}) // Gaps of nanoseconds.
	for range 20 {
		if _, body := ask(t, quick, statusAddress); len(body) < 100 {
			t.Fatalf("at a rate of 1e9: %s", body)
		}
	}
}

// The journal forgets, the numbers do not.
func TestBoundedLog(t *testing.T) {
	s := at(start, Options{})
	s.journal.size = 100
	for range 110 {
		ask(t, s, "/api/uname2uid/nobody")
	}
	log := s.Log()
	if len(log) != 100 || s.Stats()["uva"].Requests != 110 || s.Stats()["uva"].Statuses[200] != 110 {
		t.Errorf("%d in the log, stats %+v", len(log), s.Stats()["uva"])
	}
	for i := range log[1:] {
		if log[i+1].At < log[i].At {
			t.Fatalf("request %d of the log is older than the one before", i+1)
		}
	}
}

// A stand-in in another process is steered and asked over HTTP.
func TestControl(t *testing.T) {
	_, srv := listen(t, Options{})
	get := func(address string, v any) {
		t.Helper()
		r := fetch(t.Context(), t, srv, address)
		if err := json.Unmarshal(r.body, v); err != nil || r.status != 200 {
			t.Fatalf("%s: %d %v %.100s", address, r.status, err, r.body)
		}
	}
	var people []Person
	get("/standin/people", &people)
	var truth []Submission
	get("/standin/submissions?site=codeforces&handle="+people[0].Handles["codeforces"], &truth)
	if len(people) != 24 || len(truth) == 0 {
		t.Errorf("%d people, %d submissions of the first", len(people), len(truth))
	}
	var f Fault
	get("/standin/fault?site=codeforces&kind=429&count=1&retry_after=7", &f)
	if r := fetch(t.Context(), t, srv, statusAddress); r.status != 429 || r.header.Get("Retry-After") != "7" {
		t.Errorf("after the fault was asked for: %d", r.status)
	}
	fetch(t.Context(), t, srv, statusAddress)
	var stats struct {
		Sites      map[string]SiteStats
		Violations int
	}
	get("/standin/stats", &stats)
	if st := stats.Sites["codeforces"]; st.Requests != 2 || st.Faults["429"] != 1 || stats.Violations != 1 {
		t.Errorf("stats %+v", stats)
	}
	var ok string
	get("/standin/forget", &ok)
	get("/standin/stats?gap=1h", &stats)
	if stats.Violations != 0 {
		t.Errorf("%d violations after the log was emptied", stats.Violations)
	}
}

// What was asked before everything was forgotten changes no number after it.
func TestForgetMeanwhile(t *testing.T) {
	s := at(start, Options{})
	ask(t, s, statusAddress)
	ask(t, s, statusAddress)
	s.Forget()
	ask(t, s, rowsAddress)
	s.journal.setStatus(0, 500)
	s.journal.setStatus(1, 500)
	if log := s.Log(); len(log) != 1 || log[0].Status != 200 || len(s.Stats()) != 1 {
		t.Errorf("log %+v, stats %+v", log, s.Stats())
	}
}
