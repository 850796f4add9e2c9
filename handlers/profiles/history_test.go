package profiles_test

import (
	"encoding/csv"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"laurel/handlers/handlerstest"
	handlers "laurel/handlers/profiles"
	"laurel/handlers/web"
)

func TestAPIHistory(t *testing.T) {
	t.Parallel()
	s, p := handlerstest.Community(t)
	first := s.Time
	s.Time = s.Time.AddDate(0, 0, 2)
	value := func(at time.Time, name string) (any, string) {
		t.Helper()
		h := handlerstest.Read[handlers.APIHistory](t, p.Call("GET", "/members/ADA/history?at="+at.Format(time.RFC3339), ""), http.StatusOK)
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
		{s.Time.AddDate(1, 0, 0), "uva.solved", 1.0, "still_open"},
	} {
		if v, class := value(tt.at, tt.name); v != tt.value || class != tt.class {
			t.Errorf("%s at %s is %v, %s; want %v, %s", tt.name, tt.at, v, class, tt.value, tt.class)
		}
	}
	p.Call("GET", "/members/ada/history?at=yesterday", "").Refused(t, http.StatusUnprocessableEntity, "at")
	p.Call("GET", "/members/ada/history?at=1066-10-14", "").Refused(t, http.StatusUnprocessableEntity, "at")
	p.Call("GET", "/members/ada/history?format=xml", "").Refused(t, http.StatusUnprocessableEntity, "format")
	p.Call("GET", "/members/nobody/history", "").Refused(t, http.StatusNotFound, "")
	if a := p.Call("GET", "/members/ada/history", ""); !strings.Contains(strings.Join(a.Header.Values("Vary"), " "), "Accept") {
		t.Errorf("Vary: %q", a.Header.Values("Vary"))
	}
	lines, err := csv.NewReader(strings.NewReader(p.Call("GET", "/members/ada/history?format=csv", "").Text)).ReadAll()
	if err != nil || len(lines) < 10 || lines[0][0] != "name" || lines[1][0] != "solved" || lines[1][2] != "3" {
		t.Errorf("as CSV: %v, %v", lines, err)
	}
}

// Who is never checked has a history of nothing, and a page that says so.
func TestHistoryPages(t *testing.T) {
	t.Parallel()
	s, _ := handlerstest.Community(t)
	b := s.Browser(t)
	at := url.QueryEscape(s.Time.Format(time.RFC3339))
	s.Time = s.Time.AddDate(0, 0, 30)
	b.Get("/u/ada?at="+at).Is(t, http.StatusOK, "ada", "as of", "data-figure=\"solved\"", "(exact)", "show=evidence")
	b.Get("/u/ada?show=evidence&at="+at).Is(t, http.StatusOK, "What was known", "Codeforces solved", "Sources")
	b.Get("/u/cy?at="+at).Is(t, http.StatusOK, "No checks yet")
	b.Get("/u/ada?at=now").Is(t, http.StatusOK, "(latest: not checked since)")
	b.Get("/u/ada?at=now&show=evidence").Is(t, http.StatusOK, "What was known")
	b.Get("/u/ada?at=2026-11-22T10:00").Is(t, http.StatusOK, "22 November 2026")
	b.Get("/u/ada?at=soon").Is(t, http.StatusUnprocessableEntity, "Write the instant as")
	b.Get("/u/nobody?at=now").Is(t, http.StatusNotFound)
	b.Get("/u/ada/diff").Is(t, http.StatusOK, "21 November 2026, 12:00", "Last week", `aria-current="page">Last month`)
	b.Get("/u/ada/diff?from="+at).Is(t, http.StatusOK, "what changed")
	b.Get("/u/ada/diff?from=2020-01-01&to="+at).Is(t, http.StatusOK, "Codeforces solved")
	b.Get("/u/ada/diff?to=x").Is(t, http.StatusUnprocessableEntity)
	b.Get("/u/ada/diff?format=xml").Is(t, http.StatusUnprocessableEntity, "csv and json")
	b.Get("/u/ada/diff?from=2020-01-01&to="+at).Is(t, http.StatusOK, "/u/ada/diff?from=2020-01-01T", "&amp;format=csv", "&amp;format=json")
	b.Get("/u/ada/diff?from=2020-01-01&format=csv").Is(t, http.StatusOK, "name,title,then,later,change,then_class,later_class\n", "\nsolved,Problems solved,,3,,never_seen,still_open\n")
	b.Get("/u/ada/diff?from=2020-01-01&format=json").Is(t, http.StatusOK, `"member":"ada"`, `{"name":"solved","title":"Problems solved","then":null,"later":3,"change":null,"then_class":"never_seen","later_class":"still_open"}`)
	b.Get("/u/ada/diff?from="+at+"&format=csv").Is(t, http.StatusOK, "later_class\n")
}

// RFC 7089 section 4: the plain address leads to states, and states say what they are.
func TestMementosOfAMember(t *testing.T) {
	t.Parallel()
	s, _ := handlerstest.Community(t)
	first := s.Time
	s.Time = s.Time.AddDate(0, 0, 9)
	b := s.Browser(t)
	for _, asked := range []time.Time{first.AddDate(0, 0, 3), first.AddDate(-3, 0, 0), first} {
		a := b.Get("/u/ada", "Accept-Datetime", asked.Format(http.TimeFormat)).Is(t, http.StatusFound)
		to := a.Header.Get("Location")
		if !strings.HasPrefix(to, "/u/ada?at=2026-11-21T12") || !strings.Contains(strings.Join(a.Header.Values("Vary"), " "), "accept-datetime") || !strings.Contains(a.Header.Get("Link"), `rel="timemap"`) {
			t.Errorf("asked for %s: to %q, %v", asked, to, a.Header)
		}
		state := b.Get(to).Is(t, http.StatusOK)
		if state.Header.Get("Memento-Datetime") != first.Format(http.TimeFormat) || !strings.Contains(state.Header.Get("Link"), `<http://laurel.test/u/ada>; rel="original timegate"`) {
			t.Errorf("the state: %v", state.Header)
		}
	}
	if link := b.Get("/u/ada").Is(t, http.StatusOK).Header.Get("Link"); !strings.Contains(link, "/u/ada/timemap") {
		t.Errorf("the plain page's links: %q", link)
	}
	b.Get("/u/ada", "Accept-Datetime", "last week").Is(t, http.StatusBadRequest)
	b.Get("/u/cy", "Accept-Datetime", first.Format(http.TimeFormat)).Is(t, http.StatusNotFound)
	m := b.Get("/u/ada/timemap").Is(t, http.StatusOK, `rel="first`, `rel="self"`)
	if m.Header.Get("Content-Type") != web.LinkFormat || strings.Count(m.Text, `memento"`) != 2 {
		t.Errorf("the TimeMap: %v\n%s", m.Header, m.Text)
	}
}

func TestChangeBetween(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ from, to, want any }{{int64(3), 5.5, 2.5}, {2, int64(1), -1.0}, {nil, 3, nil}, {"3", "4", nil}} {
		var got any
		if c := handlers.ChangeBetween(tt.from, tt.to); c != nil {
			got = *c
		}
		if got != tt.want {
			t.Errorf("from %v to %v: %v, want %v", tt.from, tt.to, got, tt.want)
		}
	}
}
