package main

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	"laurel/handlers/profiles"
	"laurel/jobs/standin"
	"laurel/models/accounts"
	"laurel/models/members"
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
	b.echo(profiles.NewProgress()).ServeHTTP(w, r)
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
	doc.Find(".mk").Remove() // How sure each is, which the page of now does not say.
	for _, part := range []string{"section.facts", "section.year", "section.ratings", ".recent > section:first-child"} {
		if s.parts[part], err = doc.Find(part).Html(); err != nil || len(s.parts[part]) < 200 {
			t.Fatalf("the part %s of the page at %s: %v %q", part, at, err, s.parts[part])
		}
	}
	// By site the page of now says besides how fresh each account is; what came of it is the same.
	doc.Find(".persite td, .handles details td").Each(func(_ int, e *goquery.Selection) { s.parts["by site"] += e.Text() + "|" })
	if len(s.parts["by site"]) < 100 {
		t.Fatalf("the sums by site of the page at %s: %q", at, s.parts["by site"])
	}
	return s
}

// A pastWorld is the whole program with invented sites, at one instant after another.
type pastWorld struct {
	*base
	people    []standin.Person
	clockwork *atomic.Int64 // Of the sites.
}

func newPastWorld(t *testing.T) *pastWorld {
	t.Helper()
	w := &pastWorld{clockwork: new(atomic.Int64)}
	out := standin.New(standin.Options{Seed: 1, Begin: modelstest.Noon.AddDate(0, -6, 0), Now: func() time.Time { return time.Unix(w.clockwork.Load(), 0).UTC() }})
	sites := httptest.NewServer(out)
	t.Cleanup(out.Close)
	t.Cleanup(sites.Close)
	mirror, err := url.Parse(sites.URL)
	if err != nil {
		t.Fatal(err)
	}
	w.base = &base{db: modelstest.Open(t), log: slog.New(slog.DiscardHandler)}
	w.settings = settings{URL: "http://laurel.example", SecretKey: "a secret of this test alone", CrawlRate: 1e6, allowNets: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, mirrors: map[string]*url.URL{}}
	for name := range siteNames() {
		w.mirrors[name] = mirror
	}
	w.clockwork.Store(modelstest.Noon.Unix())
	w.people = out.People()[:2]
	if _, err := at(w.base, modelstest.Noon).settleSample(t.Context(), w.people); err != nil {
		t.Fatal(err)
	}
	return w
}

// look asks all sites.
func (w *pastWorld) look(t *testing.T, now time.Time) {
	t.Helper()
	w.clockwork.Store(now.Unix())
	r := &at(w.base, now).runner().Retrieval
	all, err := r.AllSites(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		if err := r.RetrieveDue(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.NameProblems(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// rename changes the name and the zone of a member, which are part of what is shown.
func (w *pastWorld) rename(t *testing.T, name string, now time.Time) {
	t.Helper()
	m, err := members.ByName(t.Context(), w.db.DB, name)
	if err == nil {
		err = accounts.EditPerson(t.Context(), w.db.DB, m.ID, "Another Name", "Pacific/Auckland", now)
	}
	if err != nil {
		t.Fatal(err)
	}
}

const day = 24 * time.Hour

// A profile shown at a past instant is the page that was shown then.
func TestProfilesAreShownAsTheyWere(t *testing.T) {
	t.Parallel()
	w := newPastWorld(t)
	pages := map[string][]saved{}
	for i, after := range []time.Duration{0, 3 * day, 10 * day, 11 * day, 40 * day} {
		now := modelstest.Noon.Add(after)
		w.look(t, now)
		if i == 1 {
			w.rename(t, w.people[0].Name, now.Add(time.Hour))
		}
		then := now.Add(5 * time.Hour)
		for _, p := range w.people {
			pages[p.Name] = append(pages[p.Name], readProfile(t, then, visit(t, at(w.base, then), "/u/"+p.Name)))
		}
	}
	end := at(w.base, modelstest.Noon.Add(60*day))
	changed, undetailed := 0, 0
	for name, all := range pages {
		for i, was := range all {
			sameProfile(t, end, name, was)
			if strings.Contains(was.parts["section.year"], "data-undetailed") {
				undetailed++
			}
			if i > 0 && !cmp.Equal(was.figures, all[i-1].figures) {
				changed++
			}
		}
	}
	if changed < len(pages) || undetailed == 0 {
		t.Errorf("only %d of the pages differ from the one before, %d have days without details: the test shows nothing", changed, undetailed)
	}
	var api struct {
		Figures []struct{ Name, Class string }
	}
	path := "/api/v1/members/" + w.people[0].Name + "/history?at=" + modelstest.Noon.Add(4*day).Format(time.RFC3339)
	if err := json.Unmarshal([]byte(visit(t, end, path)), &api); err != nil || len(api.Figures) < 10 {
		t.Errorf("the same as JSON: %d figures, %v", len(api.Figures), err)
	}
}

// sameProfile compares what was shown with what is shown of that instant at the end.
func sameProfile(t *testing.T, end *base, name string, was saved) {
	t.Helper()
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
}
