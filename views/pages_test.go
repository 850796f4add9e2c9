package views

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"
)

var pagesDir = flag.String("pages", "", "write every sample page into this folder")

func rendered(t testing.TB, page templ.Component) string {
	t.Helper()
	var b strings.Builder
	if err := page.Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPages holds every page, in every state, to what all of them promise.
func TestPages(t *testing.T) {
	for name, page := range allPages() {
		t.Run(name, func(t *testing.T) {
			html := rendered(t, page)
			if *pagesDir != "" {
				if err := os.WriteFile(filepath.Join(*pagesDir, name+".html"), []byte(html), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			doc, err := goquery.NewDocumentFromReader(strings.NewReader(html))
			if err != nil {
				t.Fatal(err)
			}
			for selector, want := range map[string]int{
				"h1": 1, "main": 1, "head title": 1,
				"[style], style, script:not([src]), [onclick]": 0, // The content security policy forbids them.
				"table:not(:has(tbody th[scope=row]))":         0,
				"th:not([scope])":                              0,
				"[href^='about:'], [action^='about:']":         0, // What templ found unsafe.
			} {
				if got := doc.Find(selector).Length(); got != want {
					t.Errorf("%d of %q, want %d", got, selector, want)
				}
			}
			ids := map[string]bool{}
			doc.Find("[id]").Each(func(_ int, s *goquery.Selection) {
				if id := s.AttrOr("id", ""); ids[id] {
					t.Errorf("two elements have the id %q", id)
				} else {
					ids[id] = true
				}
			})
		})
	}
}

// TestProfileIsSmall keeps the promise of 15 KB for a full profile.
func TestProfileIsSmall(t *testing.T) {
	html := rendered(t, ProfilePage(sampleProfile()))
	t.Logf("%d bytes", len(html))
	if len(html) > 15<<10 {
		t.Errorf("a full profile takes %d bytes, want at most %d", len(html), 15<<10)
	}
}

// TestProfileSays looks for the words of each state.
func TestProfileSays(t *testing.T) {
	for _, tt := range []struct {
		name    string
		profile Profile
		want    []string
	}{
		{"idle", sampleProfile(), []string{
			"up to date at 14:02; next check tomorrow (nothing new since 13 Nov)",
			"not answering since 09:12 (connection refused)", "up to date as of yesterday 09:40; next check 14:20",
			"Last requested yesterday 12:05", "Up to date at 14:02", "Retrieve my submissions", "Codeforces Round 900 (Div. 2)",
		}},
		{"running", runningProfile(), []string{
			"Started 14:04:56 · 1 of 3 sites checked, 17 new", "3 new", "up to date at 13:58", "loading page 3, 14 new", "waiting",
			`sse-connect="/u/ada/retrieval/events"`, `<meta http-equiv="refresh" content="2">`,
		}},
		{"cooling down", coolingProfile(), []string{
			"Requested 12 minutes ago; available again at 14:23", `aria-disabled="true"`, "handle not found", "next check 27 Nov", "Correct it", "paused",
			"No rated contests yet",
		}},
		{"new", newProfile(), []string{"first check starting now", "Loading your first submissions"}},
		{"without handles", emptyProfile(), []string{"No handles yet.", "no account here, followed by bob", "Sign in"}},
	} {
		html := rendered(t, ProfilePage(tt.profile))
		for _, want := range tt.want {
			if !strings.Contains(html, want) {
				t.Errorf("%s: the page does not say %q", tt.name, want)
			}
		}
	}
}
