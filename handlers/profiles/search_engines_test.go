package profiles_test

import (
	"encoding/xml"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/handlers/handlerstest"
	"laurel/models/members"
)

func TestSitemaps(t *testing.T) {
	t.Parallel()
	s, ann, _ := handlerstest.NewWithMembers(t)
	ann.Post("/custom", "name", "quiet", "accounts.codeforces", "tourist").LeadsTo(t, "/u/quiet?done=followed")
	b := s.Browser(t)
	b.Get("/robots.txt").Is(t, http.StatusOK, "Disallow: /compare/", "/sitemap.xml\n")
	var index struct {
		Sitemaps []string `xml:"sitemap>loc"`
	}
	read(t, b.Get("/sitemap.xml").Is(t, http.StatusOK).Text, &index)
	if len(index.Sitemaps) != 1 || !strings.HasSuffix(index.Sitemaps[0], "/sitemaps/1") {
		t.Fatalf("the sitemaps are %v", index.Sitemaps)
	}
	var page struct {
		URLs []string `xml:"url>loc"`
	}
	read(t, b.Get("/sitemaps/1").Is(t, http.StatusOK).Text, &page)
	for _, name := range []string{"ann", "bob"} {
		if !slices.ContainsFunc(page.URLs, func(u string) bool { return strings.HasSuffix(u, "/u/"+name) }) {
			t.Errorf("%s is not in %v", name, page.URLs)
		}
	}
	if slices.ContainsFunc(page.URLs, func(u string) bool { return strings.Contains(u, "quiet") }) {
		t.Errorf("somebody without an account is in %v", page.URLs)
	}
	for _, address := range page.URLs { // No address of it leads nowhere.
		_, path, _ := strings.Cut(strings.TrimPrefix(address, "http://"), "/")
		b.Get("/"+path).Is(t, http.StatusOK)
	}
	b.Get("/sitemaps/2").Is(t, http.StatusNotFound)
	b.Get("/sitemaps/x").Is(t, http.StatusNotFound)
}

// Somebody without an account who proved their handle and let it be shown is for everybody wherever members are, and
// no more once they took it back. Visitors do not learn who follows them.
func TestShownToAll(t *testing.T) {
	t.Parallel()
	s, ann, _ := handlerstest.NewWithMembers(t)
	ann.Post("/custom", "name", "quiet", "accounts.codeforces", "tourist").LeadsTo(t, "/u/quiet?done=followed")
	quiet, err := members.ByName(t.Context(), s.DB.DB, "quiet")
	if err != nil {
		t.Fatal(err)
	}
	s.Submits(t, quiet, "codeforces", s.Time.Add(-time.Hour), "1A AC")
	b := s.Browser(t)
	for _, now := range []string{`DELETE FROM shown_handles`, `INSERT INTO shown_handles VALUES ('codeforces', 'tourist', now())`,
		`DELETE FROM shown_handles`} {
		if err := s.DB.Exec(now).Error; err != nil {
			t.Fatal(err)
		}
		shown := strings.HasPrefix(now, "INSERT")
		for path, says := range map[string]string{"/u/quiet": `name="description" content="quiet: `, "/u/quiet/card.svg": "quiet", "/u/quiet/badge.svg": "solved",
			"/members": "/u/quiet", "/sitemaps/1": "/u/quiet", "/api/v1/members/quiet": `"name":"quiet"`, "/search?q=quiet": "/u/quiet", "/leaderboard": "/u/quiet"} {
			if got := strings.Contains(b.Get(path).Text, says); got != shown {
				t.Errorf("%s says %q: %t, want %t", path, says, got, shown)
			}
		}
		if strings.Contains(b.Get("/u/quiet").Text, "/u/ann") {
			t.Error("a visitor learns that ann follows quiet")
		}
	}
}

func TestWhatSearchEnginesLeaveOut(t *testing.T) {
	t.Parallel()
	s, _ := handlerstest.Community(t)
	b := s.Browser(t)
	for path, kept := range map[string]bool{"/": true, "/u/ada": true, "/awards": true, "/u/ada/awards": true,
		"/u/ada?at=2026-11-01T00:00:00Z": false, "/u/ada/days": false, "/compare/ada/bob": false, "/archive": false, "/?page=2": false, "/api/v1/members": false} {
		if got := b.Get(path).Header.Get("X-Robots-Tag") == ""; got != kept {
			t.Errorf("%s is found: %v", path, got)
		}
	}
}

func TestSharedLink(t *testing.T) {
	t.Parallel()
	s, _ := handlerstest.Community(t)
	b := s.Browser(t)
	page := b.Get("/u/ada").Is(t, http.StatusOK, `property="og:title"`, `/u/ada/preview.png"`, `name="description" content="ada: `)
	_, after, _ := strings.Cut(page.Text, `property="og:image" content="`)
	address, _, _ := strings.Cut(after, `"`)
	_, path, _ := strings.Cut(strings.TrimPrefix(address, "http://"), "/")
	if got := b.Get("/"+path).Is(t, http.StatusOK).Header.Get("Content-Type"); got != "image/png" {
		t.Errorf("%s is %s", address, got)
	}
	b.Get("/").Is(t, http.StatusOK, `/preview.png"`, `name="description" content="Submissions, ratings`)
}

func read(t *testing.T, text string, into any) {
	t.Helper()
	if err := xml.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
}
