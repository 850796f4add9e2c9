package handlers

import (
	"encoding/csv"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestAPIHistory(t *testing.T) {
	t.Parallel()
	s, p := community(t)
	first := s.now
	s.now = s.now.AddDate(0, 0, 2)
	value := func(at time.Time, name string) (any, string) {
		t.Helper()
		h := read[apiHistory](t, p.call("GET", "/members/ADA/history?at="+at.Format(time.RFC3339), ""), http.StatusOK)
		for _, f := range h.Figures {
			if f.Name == name {
				return f.Value, f.Class
			}
		}
		return nil, ""
	}
	for _, tt := range []struct {
		at    time.Time
		name  string
		value any
		class string
	}{
		{first.Add(-time.Hour), "solved", nil, "never_seen"},
		{first.Add(time.Hour), "solved", 3.0, "still_open"},
		{first, "codeforces.submissions", 4.0, "known"},
		{s.now.AddDate(1, 0, 0), "uva.solved", 1.0, "still_open"},
	} {
		if v, class := value(tt.at, tt.name); v != tt.value || class != tt.class {
			t.Errorf("%s at %s is %v, %s; want %v, %s", tt.name, tt.at, v, class, tt.value, tt.class)
		}
	}
	p.call("GET", "/members/ada/history?at=yesterday", "").refused(t, http.StatusUnprocessableEntity, "at")
	p.call("GET", "/members/ada/history?at=1066-10-14", "").refused(t, http.StatusUnprocessableEntity, "at")
	p.call("GET", "/members/ada/history?format=xml", "").refused(t, http.StatusUnprocessableEntity, "format")
	p.call("GET", "/members/nobody/history", "").refused(t, http.StatusNotFound, "")
	if a := p.call("GET", "/members/ada/history", ""); !strings.Contains(strings.Join(a.Header.Values("Vary"), " "), "Accept") {
		t.Errorf("Vary: %q", a.Header.Values("Vary"))
	}
	lines, err := csv.NewReader(strings.NewReader(p.call("GET", "/members/ada/history?format=csv", "").body)).ReadAll()
	if err != nil || len(lines) < 10 || lines[0][0] != "name" || lines[1][0] != "solved" || lines[1][2] != "3" {
		t.Errorf("as CSV: %v, %v", lines, err)
	}
}

// Who is never looked at has a history of nothing, and a page that says so.
func TestHistoryPages(t *testing.T) {
	t.Parallel()
	s, _ := community(t)
	b := s.browser(t)
	at := url.QueryEscape(s.now.Format(time.RFC3339))
	s.now = s.now.AddDate(0, 0, 30)
	b.get("/u/ada?at="+at).is(t, http.StatusOK, "ada", "as of", "data-figure=\"solved\"", "What was known", "Codeforces solved")
	b.get("/u/cy?at="+at).is(t, http.StatusOK, "No checks yet")
	b.get("/u/ada?at=now").is(t, http.StatusOK, "What was known")
	b.get("/u/ada?at=2026-11-22T10:00").is(t, http.StatusOK, "22 November 2026")
	b.get("/u/ada?at=soon").is(t, http.StatusUnprocessableEntity, "Write the instant as")
	b.get("/u/nobody?at=now").is(t, http.StatusNotFound)
	b.get("/u/ada/diff?from="+at).is(t, http.StatusOK, "what changed")
	b.get("/u/ada/diff?from=2020-01-01&to="+at).is(t, http.StatusOK, "Codeforces solved")
	b.get("/u/ada/diff?to=x").is(t, http.StatusUnprocessableEntity)
	b.get("/u/ada/diff?format=xml").is(t, http.StatusUnprocessableEntity, "csv and json")
	b.get("/u/ada/diff?from=2020-01-01&to="+at).is(t, http.StatusOK, "/u/ada/diff?from=2020-01-01T", "&amp;format=csv", "&amp;format=json")
	b.get("/u/ada/diff?from=2020-01-01&format=csv").is(t, http.StatusOK, "name,title,then,later,change,then_class,later_class\n", "\nsolved,Problems solved,,3,,never_seen,still_open\n")
	b.get("/u/ada/diff?from=2020-01-01&format=json").is(t, http.StatusOK, `"member":"ada"`, `{"name":"solved","title":"Problems solved","then":null,"later":3,"change":null,"then_class":"never_seen","later_class":"still_open"}`)
	b.get("/u/ada/diff?from="+at+"&format=csv").is(t, http.StatusOK, "later_class\n")
}

// RFC 7089 section 4: the plain address leads to states, and states say what they are.
func TestMementosOfAMember(t *testing.T) {
	t.Parallel()
	s, _ := community(t)
	first := s.now
	s.now = s.now.AddDate(0, 0, 9)
	b := s.browser(t)
	for _, asked := range []time.Time{first.AddDate(0, 0, 3), first.AddDate(-3, 0, 0), first} {
		a := b.get("/u/ada", "Accept-Datetime", asked.Format(http.TimeFormat)).is(t, http.StatusFound)
		to := a.Header.Get("Location")
		if !strings.HasPrefix(to, "/u/ada?at=2026-11-21T12") || !strings.Contains(strings.Join(a.Header.Values("Vary"), " "), "accept-datetime") || !strings.Contains(a.Header.Get("Link"), `rel="timemap"`) {
			t.Errorf("asked for %s: to %q, %v", asked, to, a.Header)
		}
		state := b.get(to).is(t, http.StatusOK)
		if state.Header.Get("Memento-Datetime") != first.Format(http.TimeFormat) || !strings.Contains(state.Header.Get("Link"), `<http://laurel.test/u/ada>; rel="original timegate"`) {
			t.Errorf("the state: %v", state.Header)
		}
	}
	if link := b.get("/u/ada").is(t, http.StatusOK).Header.Get("Link"); !strings.Contains(link, "/u/ada/timemap") {
		t.Errorf("the plain page's links: %q", link)
	}
	b.get("/u/ada", "Accept-Datetime", "last week").is(t, http.StatusBadRequest)
	b.get("/u/cy", "Accept-Datetime", first.Format(http.TimeFormat)).is(t, http.StatusNotFound)
	m := b.get("/u/ada/timemap").is(t, http.StatusOK, `rel="first`, `rel="self"`)
	if m.Header.Get("Content-Type") != LinkFormat || strings.Count(m.body, `memento"`) != 2 {
		t.Errorf("the TimeMap: %v\n%s", m.Header, m.body)
	}
}

func TestChangeBetween(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ from, to, want any }{{int64(3), 5.5, 2.5}, {2, int64(1), -1.0}, {nil, 3, nil}, {"3", "4", nil}} {
		var got any
		if c := changeBetween(tt.from, tt.to); c != nil {
			got = *c
		}
		if got != tt.want {
			t.Errorf("from %v to %v: %v, want %v", tt.from, tt.to, got, tt.want)
		}
	}
}
