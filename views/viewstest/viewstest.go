// Package viewstest is what the tests of all pages share: a time, a frame, and
// what every page promises.
package viewstest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"

	"laurel/views/parts"
)

// The zone and the times of samples.
var (
	Riga = time.FixedZone("Europe/Riga", 2*60*60)
	Now  = time.Date(2026, 11, 21, 14, 5, 0, 0, Riga)
	Then = time.Date(2026, 3, 4, 12, 0, 0, 0, Riga)
)

// March returns a time in March 2026.
func March(day, hour, minute int) time.Time { return time.Date(2026, 3, day, hour, minute, 0, 0, Riga) }

// Frame returns the frame of a page for a viewer; ada is an admin.
func Frame(title, path, viewer string) parts.Frame {
	return parts.Frame{
		Title: title, Path: path, Viewer: parts.Viewer{Name: viewer, Admin: viewer == "ada"}, Build: "0.1",
		Assets: parts.Assets{Styles: "/static/laurel-0123456789.css", Script: "/static/laurel-0123456789.js",
			Awards: "/static/awards-0123456789.css", Editor: "/static/editor-0123456789.js",
			Posts: "/static/posts-0123456789.css", Curve: "/static/curve-0123456789.js", Forums: "/static/forums-0123456789.css",
			Past: "/static/past-0123456789.css"},
		Health: "UVa has not answered since yesterday 18:05",
	}
}

// ForumsFrame has the styles of the forums.
func ForumsFrame(title, path, viewer string) parts.Frame {
	f := Frame(title, path, viewer)
	f.Forums = true
	return f
}

// Rendered is a component as HTML.
func Rendered(t testing.TB, page templ.Component) string {
	t.Helper()
	var b strings.Builder
	if err := page.Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var pagesDir = flag.String("pages", "", "write every sample page into this folder")

// CheckPages holds pages, in every state, to what all of them promise.
func CheckPages(t *testing.T, pages map[string]templ.Component) {
	t.Helper()
	for name, page := range pages {
		t.Run(name, func(t *testing.T) {
			html := Rendered(t, page)
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
