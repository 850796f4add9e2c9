package harvest_test

import (
	"net/http"
	"testing"

	"laurel/models/forums"
)

const pipermailRoot = `<html><head><title>The Weather &amp; Wind Archives</title></head><body><h1>The Weather Archives</h1>
<table border=3><tr><td>Archive</td><td>View by:</td><td>Downloadable version</td></tr>
<tr><td>November 2026:</td><td><A href="2026-November/thread.html">[ Thread ]</a><A href="2026-November/date.html">[ Date ]</a></td><td><A href="2026-November.txt.gz">[ Gzip'd Text 2 KB ]</a></td></tr>
<tr><td>October 2026:</td><td><A href="2026-October/thread.html">[ Thread ]</a><A href="2026-October/date.html">[ Date ]</a></td><td><A href="2026-October.txt.gz">[ Gzip'd Text 1 KB ]</a></td></tr>
</table></body></html>`

func TestInspectForums(t *testing.T) {
	t.Parallel()
	pages := map[string]string{"/pipermail/weather/": pipermailRoot, "/pipermail/weather": pipermailRoot, "/": "<title>Welcome</title> no archive", "/closed/": pipermailRoot,
		"/robots.txt": "User-agent: *\nDisallow: /closed/\n"}
	w := newArchiveWorld(t, http.HandlerFunc(func(res http.ResponseWriter, req *http.Request) {
		page, ok := pages[req.URL.Path]
		if !ok {
			http.NotFound(res, req)
			return
		}
		_, _ = res.Write([]byte(page))
	}))
	ask := func(path string) forums.Inspection {
		t.Helper()
		look, err := forums.RequestInspection(t.Context(), w.DB.DB, w.srv.URL+path, "boss", w.Now())
		if err == nil {
			err = w.Inspect(t.Context())
		}
		if err == nil {
			look, err = forums.InspectionByID(t.Context(), w.DB.DB, look.ID)
		}
		if err != nil || look.AnsweredAt == nil {
			t.Fatalf("%s: %+v, %v", path, look, err)
		}
		return look
	}
	base := w.srv.URL + "/pipermail/weather/"
	got := ask("/pipermail/weather/")
	if got.Kind != "pipermail" || got.Base != base || got.Name != "Weather & Wind" || got.Periods != 2 || got.Robots != "robots.txt allows it" || got.Message != "" {
		t.Errorf("the archive is %+v", got)
	}
	if asked := w.requests(); len(asked) != 2 || asked[0] != "/robots.txt" {
		t.Errorf("it was asked for %v", asked)
	}
	if got := ask("/pipermail/weather"); got.Kind != "pipermail" || got.Base != base {
		t.Errorf("without its slash it is %+v", got)
	}
	w.requests()
	if got := ask("/closed/"); got.Kind != "" || got.Message == "" || got.Robots != "robots.txt does not allow /closed/" {
		t.Errorf("what robots.txt forbids is %+v", got)
	}
	if asked := w.requests(); len(asked) != 0 {
		t.Errorf("what robots.txt forbids was asked for: %v", asked)
	}
	for _, path := range []string{"/", "/none/"} {
		if got := ask(path); got.Kind != "" || got.Message == "" {
			t.Errorf("%s is %+v", path, got)
		}
	}
	if n := w.count(`SELECT (SELECT count(*) FROM forums) + (SELECT count(*) FROM messages)`); n != 0 {
		t.Errorf("a look has stored %d things", n)
	}
	if got := forums.SlugFor(base); got != "weather" {
		t.Errorf("the slug is %q", got)
	}
}
