package main

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	"laurel/handlers"
	"laurel/jobs/standin"
	"laurel/models"
	"laurel/models/modelstest"
)

// almostStill is how fast the clock of this test goes: it must go on, or no gap
// between two requests would ever end, and a page must not notice.
const almostStill = 1e-3

// at is the program at an instant.
func at(b *base, t time.Time) *base {
	then := *b
	then.clock = clock{start: t, rate: almostStill}
	return &then
}

// visit asks for a page as a visitor.
func visit(t *testing.T, b *base, path string) string {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, b.URL+path, nil)
	w := httptest.NewRecorder()
	b.echo(handlers.NewProgress()).ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		t.Fatalf("%s: status %d\n%s", path, w.Code, w.Body)
	}
	return w.Body.String()
}

// A saved page is what a profile shows: every named figure, and the parts that
// are pictures and tables as they are, word for word.
type saved struct {
	at      time.Time
	figures map[string]string
	parts   map[string]string
}

func readProfile(t *testing.T, at time.Time, html string) saved {
	t.Helper()
	doc, err := goquery.NewDocumentFromReader(bytes.NewReader([]byte(html)))
	if err != nil {
		t.Fatal(err)
	}
	s := saved{at, map[string]string{}, map[string]string{}}
	doc.Find("[data-figure]").Each(func(_ int, e *goquery.Selection) { s.figures[e.AttrOr("data-figure", "")] = e.Text() })
	for _, part := range []string{".facts", ".year", ".ratings", ".persite", ".recent"} {
		if s.parts[part], err = doc.Find("section" + part).Html(); err != nil || len(s.parts[part]) < 200 {
			t.Fatalf("the part %s of the page at %s: %v %q", part, at, err, s.parts[part])
		}
	}
	return s
}

// A profile shown at a past instant is the page that was shown then.
func TestProfilesAreShownAsTheyWere(t *testing.T) {
	t.Parallel()
	var clockwork atomic.Int64
	noon := modelstest.Noon
	out := standin.New(standin.Options{Seed: 1, Now: func() time.Time { return time.Unix(clockwork.Load(), 0).UTC() }})
	sites := httptest.NewServer(out)
	defer sites.Close()
	defer out.Close()
	mirror, err := url.Parse(sites.URL)
	if err != nil {
		t.Fatal(err)
	}
	b := &base{db: modelstest.Open(t), log: slog.New(slog.DiscardHandler)}
	b.settings = settings{URL: "http://laurel.example", CrawlRate: 1e6, Divisor: 5, allowNets: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, mirrors: map[string]*url.URL{}}
	for name := range siteNames() {
		b.mirrors[name] = mirror
	}
	clockwork.Store(noon.Unix())
	people := out.People()[:4]
	if err := at(b, noon).settleSample(t.Context(), people); err != nil {
		t.Fatal(err)
	}
	pages := map[string][]saved{}
	look := func(now time.Time) {
		clockwork.Store(now.Unix())
		r := at(b, now).runner()
		for _, s := range r.Sites {
			if err := r.RetrieveDue(t.Context(), s); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.NameProblems(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	day := 24 * time.Hour
	for i, after := range []time.Duration{0, 3 * day, 10 * day, 11 * day, 40 * day} {
		now := noon.Add(after)
		look(now)
		if i == 1 { // A name and a zone are part of what was shown.
			m, err := models.MemberByName(t.Context(), b.db.DB, people[0].Name)
			if err == nil {
				err = models.EditPerson(t.Context(), b.db.DB, m.ID, "Another Name", "Pacific/Auckland", now.Add(time.Hour))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		then := now.Add(5 * time.Hour)
		for _, p := range people {
			pages[p.Name] = append(pages[p.Name], readProfile(t, then, visit(t, at(b, then), "/u/"+p.Name)))
		}
	}
	end := at(b, noon.Add(60*day))
	changed := 0
	for name, all := range pages {
		for i, was := range all {
			if len(was.figures) < 10 {
				t.Fatalf("%s: only %d figures: %v", name, len(was.figures), was.figures)
			}
			is := readProfile(t, was.at, visit(t, end, "/u/"+name+"?at="+was.at.Format(time.RFC3339)))
			if d := cmp.Diff(was.figures, is.figures); d != "" {
				t.Errorf("%s at %s (-shown then, +shown now):\n%s", name, was.at, d)
			}
			if d := cmp.Diff(was.parts, is.parts); d != "" {
				t.Errorf("%s at %s (-shown then, +shown now):\n%s", name, was.at, d)
			}
			if i > 0 && !cmp.Equal(was.figures, all[i-1].figures) {
				changed++
			}
		}
	}
	if changed < len(pages) {
		t.Errorf("only %d of the pages differ from the one before: the test shows nothing", changed)
	}
	var api struct {
		Figures []struct{ Name, Class string }
	}
	if err := json.Unmarshal([]byte(visit(t, end, "/api/v1/members/"+people[0].Name+"/history?at="+noon.Add(4*day).Format(time.RFC3339))), &api); err != nil || len(api.Figures) < 10 {
		t.Errorf("the same as JSON: %d figures, %v", len(api.Figures), err)
	}
}
