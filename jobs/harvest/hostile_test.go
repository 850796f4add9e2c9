package harvest_test

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel/jobs/polite"
	pg "laurel/models/db"
)

// twist serves a list, except where it does something else.
func twist(l http.Handler, other map[string]http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(res http.ResponseWriter, req *http.Request) {
		for end, handle := range other {
			if strings.HasSuffix(req.URL.Path, end) {
				handle(res, req)
				return
			}
		}
		l.ServeHTTP(res, req)
	})
}

func sends(body []byte) http.HandlerFunc {
	return func(res http.ResponseWriter, _ *http.Request) { _, _ = res.Write(body) }
}

func status(code int) http.HandlerFunc {
	return func(res http.ResponseWriter, _ *http.Request) { res.WriteHeader(code) }
}

func leadsTo(address string) http.HandlerFunc {
	return func(res http.ResponseWriter, req *http.Request) { http.Redirect(res, req, address, http.StatusFound) }
}

// zeros are so many megabytes when they are unpacked.
func zeros(megabytes int) []byte {
	var b bytes.Buffer
	gz, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed) // Slower ones take a minute under the race detector.
	empty := make([]byte, 1<<20)
	for range megabytes {
		_, _ = gz.Write(empty)
	}
	_ = gz.Close()
	return b.Bytes()
}

var november = time.Date(2025, time.November, 3, 8, 0, 0, 0, time.UTC)

// twoMonths is a list of six messages, numbers 0 to 2 in October.
func twoMonths() *mailingList {
	l := &mailingList{}
	for i := range 6 {
		l.arrive(newMail(i, november.AddDate(0, i/3-1, i)))
	}
	return l
}

// What one page does badly harms that page alone: it is said, the rest is read, and
// the page is asked for again when it may be well.
func TestOnePageThatIsHostile(t *testing.T) {
	t.Parallel()
	l := twoMonths()
	packed := l.file("2025-November")
	const message, file, index = "/2025-November/000004.html", "/2025-November.txt.gz", "/2025-November/date.html"
	noFile := status(http.StatusNotFound)
	for _, tt := range []struct {
		name     string
		page     string
		does     http.HandlerFunc
		also     string // Another page that is not there.
		messages int
		says     string
	}{
		{"a file that is a bomb", file, sends(zeros(130)), "", 6, "too large"},
		{"a file that is cut off", file, sends(packed[:len(packed)-9]), "", 6, "not understood"},
		{"a file that is a page", file, sends([]byte("<html>Please log in</html>")), "", 6, "not understood"},
		{"a file that leads round and round", file, leadsTo("/list/2025-November.txt.gz"), "", 6, "redirects without end"},
		{"a file that leads to this machine", file, leadsTo("http://[::1]:5432/"), "", 6, "another host"},
		{"a file that is refused", file, status(http.StatusForbidden), "", 6, "refuses access"},
		{"a file of which the server dies", file, status(http.StatusInternalServerError), "", 6, "server error"},
		{"a file larger than anything", file, sends(make([]byte, 3<<20)), "", 6, "larger than"},
		{"a message that is a login form", message, sends([]byte("<html><form>Password</form></html>")), file, 5, "not understood"},
		{"a message larger than anything", message, sends(make([]byte, 3<<20)), file, 5, "larger than"},
		{"a message that leads into a private network", message, leadsTo("http://10.0.0.1/"), file, 5, "another host"},
		{"a message that leads round and round", message, leadsTo("/list/2025-November/000004.html"), file, 5, "redirects without end"},
		{"a message of which the server dies", message, status(http.StatusInternalServerError), file, 5, "server error"},
		{"an index that is a login form", index, sends([]byte("<html>Password</html>")), "", 3, "not understood"},
		{"an index that is cut off", index, sends(l.index("2025-November")[:400]), "", 3, "no end"},
		{"an index that robots are not to follow", index, sends(bytes.Replace(l.index("2025-November"), []byte("noindex,follow"), []byte("noindex,nofollow"), 1)), "", 3, "asks robots not to follow"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ill := true
			w := newArchiveWorld(t, twist(l, map[string]http.HandlerFunc{
				tt.page: func(res http.ResponseWriter, req *http.Request) {
					if ill {
						tt.does(res, req)
						return
					}
					l.ServeHTTP(res, req)
				},
			}))
			if tt.also != "" {
				w.srv.Config.Handler = twist(w.srv.Config.Handler, map[string]http.HandlerFunc{tt.also: noFile})
			}
			w.Client.MaxBytes = 2 << 20
			w.add("tides", "pipermail", "/list/")
			run := w.harvest("tides")
			if n := w.count(`SELECT count(*) FROM messages`); run.Outcome != pg.OutcomeOK || n != tt.messages || !strings.Contains(run.Message, tt.says) {
				t.Errorf("%d messages, %+v", n, run)
			}
			if odd := w.count(`SELECT count(*) FROM messages WHERE author NOT LIKE 'Sailor %' OR body NOT LIKE 'Is it true what they say%'`); odd > 0 {
				t.Errorf("%d messages are not the list's", odd)
			}
			ill = false
			if run := w.harvest("tides"); run.Outcome != pg.OutcomeOK || w.count(`SELECT count(*) FROM messages`) != 6 {
				t.Errorf("when it is well: %+v", run)
			}
		})
	}
}

// An archive that is all wrong ends the run soon, with what is wrong, and nothing of
// it is stored.
func TestAnArchiveThatIsHostile(t *testing.T) {
	t.Parallel()
	login := sends([]byte(`<html><script>location = "http://127.0.0.1/"</script>Please log in</html>`))
	many := &mailingList{noBulk: true}
	for i := range 40 {
		many.arrive(newMail(i, november.Add(time.Duration(i)*time.Hour)))
	}
	for _, tt := range []struct {
		name     string
		archive  http.Handler
		guarded  bool
		outcome  string
		says     string
		requests int
	}{
		{"a login form", login, false, pg.OutcomeParseError, "not understood", 2},
		{"a login form in place of every message", twist(many, map[string]http.HandlerFunc{".html": func(res http.ResponseWriter, req *http.Request) {
			if messageName.MatchString(req.URL.Path) {
				login(res, req)
				return
			}
			many.ServeHTTP(res, req)
		}}), false, pg.OutcomeParseError, "10 pages in a row", 13},
		{"a page without end", sends(make([]byte, 3<<20)), false, pg.OutcomeParseError, "larger than", 2},
		{"a ring of redirects", leadsTo("/list/"), false, pg.OutcomeUnreachable, "redirects without end", 12},
		{"a way to this machine", twist(leadsTo("http://169.254.169.254/latest/meta-data/"), map[string]http.HandlerFunc{"/robots.txt": http.NotFound}), false, pg.OutcomeUnreachable, "another host", 2},
		{"a way to this machine for robots", leadsTo("http://169.254.169.254/latest/meta-data/"), false, pg.OutcomeUnreachable, "not a public address", 1},
		{"this machine itself", twoMonths(), true, pg.OutcomeUnreachable, "not a public address", 0},
		{"robots may not follow", sends(bytes.Replace(twoMonths().root(), []byte("<body>"), []byte(`<META NAME="robots" CONTENT="nofollow"><body>`), 1)), false, pg.OutcomeBlocked, "not to follow", 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newArchiveWorld(t, tt.archive)
			w.Client.MaxBytes = 2 << 20
			if tt.guarded {
				w.Client.HTTP = polite.Guarded(nil)
			}
			w.add("tides", "pipermail", "/list/")
			run := w.harvest("tides")
			if asked := w.requests(); run.Outcome != tt.outcome || !strings.Contains(run.Message, tt.says) || len(asked) > tt.requests {
				t.Errorf("after %d requests: %+v", len(asked), run)
			}
			if n := w.count(`SELECT count(*) FROM messages`); n > 0 {
				t.Errorf("%d messages are stored", n)
			}
		})
	}
}

// Scripts in a message are its text, and nothing more.
func TestScriptsAreText(t *testing.T) {
	t.Parallel()
	l := &mailingList{noBulk: true}
	m := newMail(1, november)
	page := bytes.Replace(m.page(), []byte("Is it true"), []byte(`<script>alert(1)</script><img src=x onerror=alert(2)><b onclick="x()">Is it true</b>`), 1)
	m.page = func() []byte { return page }
	l.arrive(m)
	w := newArchiveWorld(t, l)
	w.add("tides", "pipermail", "/list/")
	w.harvest("tides")
	var body string
	if err := w.DB.Raw(`SELECT body FROM messages`).Scan(&body).Error; err != nil || strings.ContainsAny(body, "<>") || !strings.HasPrefix(strings.TrimSpace(body), "Is it true") {
		t.Errorf("the text is %q, %v", body, err)
	}
}
