package harvest_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	pg "laurel/models/db"
	"laurel/models/forums"
)

// What robots.txt forbids is not asked for; what of the archive it allows is read.
func TestRobotsForbidAPart(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rule     string
		messages int
		never    string
	}{
		{"Disallow: /list/*.gz", 6, ".gz"},
		{"Disallow: /list/2025-November/", 3, "2025-November/"},
		{"Disallow: /list/2025-November", 3, "2025-November"},
		{"Disallow: /", 0, "/list"},
		{"Disallow: /list/", 0, "/list"},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			t.Parallel()
			w := newArchiveWorld(t, twist(twoMonths(), map[string]http.HandlerFunc{"/robots.txt": sends([]byte("User-agent: *\n" + tt.rule + "\n"))}))
			w.add("tides", "pipermail", "/list/")
			run := w.harvest("tides")
			if n := w.count(`SELECT count(*) FROM messages`); n != tt.messages || !strings.Contains(run.Message, "robots.txt does not allow") {
				t.Errorf("%d messages: %+v", n, run)
			}
			for _, path := range w.requests() {
				if strings.Contains(path, tt.never) {
					t.Errorf("asked for was %s", path)
				}
			}
		})
	}
}

// A message whose page asks robots not to index it is not stored, and not asked for
// again.
func TestNoIndexIsHonoured(t *testing.T) {
	t.Parallel()
	l := twoMonths()
	l.noBulk = true
	page := bytes.Replace(l.mails[4].page(), []byte("index,nofollow"), []byte("noindex,nofollow"), 1)
	l.mails[4].page = func() []byte { return page }
	w := newArchiveWorld(t, l)
	w.add("tides", "pipermail", "/list/")
	if run := w.harvest("tides"); run.New != 5 || run.Missing != 0 {
		t.Errorf("the run is %+v", run)
	}
	w.requests()
	w.harvest("tides")
	for _, path := range w.requests() {
		if messageName.MatchString(path) {
			t.Errorf("asked for again was %s", path)
		}
	}
}

// A host that asks to be left alone for half a minute is, by runs that are due, by
// kicks and by bursts; after that the archive is read on.
func TestRetryAfterHoldsForEverybody(t *testing.T) {
	t.Parallel()
	for _, code := range []int{http.StatusTooManyRequests, http.StatusServiceUnavailable} {
		l := twoMonths()
		alone := true
		n := 0
		w := newArchiveWorld(t, http.HandlerFunc(func(res http.ResponseWriter, req *http.Request) {
			if n++; n > 3 && alone {
				res.Header().Set("Retry-After", "30")
				res.WriteHeader(code)
				return
			}
			l.ServeHTTP(res, req)
		}))
		w.Client.Rate = 1
		w.add("tides", "pipermail", "/list/")
		if _, err := forums.Kick(t.Context(), w.DB.DB, "tides", true, false, w.Now()); err != nil {
			t.Fatal(err)
		}
		run, _, err := w.HarvestOne(t.Context(), "tides")
		if err != nil || run.Why != "burst" || run.Outcome == pg.OutcomeOK || len(w.requests()) != 4 {
			t.Errorf("the burst is %+v, %v", run, err)
		}
		if f, err := forums.BySlug(t.Context(), w.DB.DB, "tides"); err != nil || f.Burst || f.NextRunAt == nil || f.NextRunAt.Before(w.Now().Add(29*time.Second)) {
			t.Errorf("after it the forum is %+v, %v", f, err)
		}
		if _, ok, err := w.HarvestOne(t.Context(), "tides"); ok || err != nil {
			t.Errorf("it is harvested before it is due: %v", err)
		}
		for _, burst := range []bool{false, true} {
			if _, err := forums.Kick(t.Context(), w.DB.DB, "tides", burst, false, w.Now()); err != nil {
				t.Fatal(err)
			}
			run, _, err := w.HarvestOne(t.Context(), "tides")
			if asked := w.requests(); err != nil || run.Outcome != pg.OutcomeRateLimited || len(asked) != 0 {
				t.Errorf("a kick meanwhile asks for %v: %+v, %v", asked, run, err)
			}
		}
		alone, w.Client.Rate = false, 1000
		w.clock.Pass(31 * time.Second)
		if run := w.harvest("tides"); run.Outcome != pg.OutcomeOK || w.count(`SELECT count(*) FROM messages`) != 6 {
			t.Errorf("after that: %+v", run)
		}
	}
}

// A host's robots.txt may be on another host; what says nothing is no leave.
func TestRobotsElsewhere(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		there    http.HandlerFunc
		outcome  string
		messages int
	}{
		{"it forbids", sends([]byte("User-agent: *\nDisallow: /list/\n")), pg.OutcomeBlocked, 0},
		{"it allows", sends([]byte("User-agent: *\nDisallow: /other/\n")), pg.OutcomeOK, 6},
		{"there is none", status(http.StatusNotFound), pg.OutcomeOK, 6},
		{"it is refused", status(http.StatusForbidden), pg.OutcomeOK, 6},
		{"it is broken", status(http.StatusInternalServerError), pg.OutcomeServerError, 0},
		{"a challenge", func(res http.ResponseWriter, _ *http.Request) {
			res.Header().Set("Cf-Mitigated", "challenge")
			res.WriteHeader(http.StatusServiceUnavailable)
		}, pg.OutcomeBlocked, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			there := httptest.NewServer(tt.there)
			t.Cleanup(there.Close)
			w := newArchiveWorld(t, twist(twoMonths(), map[string]http.HandlerFunc{"/robots.txt": leadsTo(strings.Replace(there.URL, "127.0.0.1", "localhost", 1) + "/robots.txt")}))
			w.add("tides", "pipermail", "/list/")
			run := w.harvest("tides")
			if n := w.count(`SELECT count(*) FROM messages`); run.Outcome != tt.outcome || n != tt.messages {
				t.Errorf("%d messages: %+v", n, run)
			}
		})
	}
}

// What a page asks of robots in its header is heeded as what it asks in its markup.
func TestRobotsInHeadersAreHeeded(t *testing.T) {
	for _, tt := range []struct {
		name, page, tag string
		messages        int
		outcome         string
	}{
		{"a message", "/000004.html", "noindex", 5, pg.OutcomeOK},
		{"a message, none at all", "/000004.html", "noarchive, none", 5, pg.OutcomeOK},
		{"a message, for us", "/000004.html", "otherbot: index, laurel: noindex", 5, pg.OutcomeOK},
		{"a message, for others", "/000004.html", "otherbot: noindex, nofollow", 6, pg.OutcomeOK},
		{"a message, no copies shown", "/000004.html", "noarchive, nofollow", 6, pg.OutcomeOK},
		{"an index", "/2025-November/date.html", "nofollow", 3, pg.OutcomeOK},
		{"an index, not shown by others", "/2025-November/date.html", "noindex", 6, pg.OutcomeOK},
		{"the entry point", "/list/", "noindex, nofollow", 0, pg.OutcomeBlocked},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l := twoMonths()
			l.noBulk = true
			w := newArchiveWorld(t, twist(l, map[string]http.HandlerFunc{tt.page: func(res http.ResponseWriter, req *http.Request) {
				res.Header().Add("X-Robots-Tag", "unavailable_after: 25 Jun 2030 15:00:00 GMT")
				res.Header().Add("X-Robots-Tag", tt.tag)
				l.ServeHTTP(res, req)
			}}))
			w.add("tides", "pipermail", "/list/")
			run := w.harvest("tides")
			if n := w.count(`SELECT count(*) FROM messages`); n != tt.messages || run.Outcome != tt.outcome {
				t.Errorf("%d messages: %+v", n, run)
			}
		})
	}
}

// A file or a page of many messages with such a header is none of ours: a month's
// file gives way to its pages.
func TestManyMessagesThatRobotsAreNotToIndex(t *testing.T) {
	tagged := func(archive http.Handler) http.HandlerFunc {
		return func(res http.ResponseWriter, req *http.Request) {
			res.Header().Set("X-Robots-Tag", "noindex")
			archive.ServeHTTP(res, req)
		}
	}
	l := twoMonths()
	w := newArchiveWorld(t, twist(l, map[string]http.HandlerFunc{".gz": tagged(l)}))
	w.add("tides", "pipermail", "/list/")
	if run := w.harvest("tides"); run.New != 6 || run.Requests < 10 || run.Outcome != pg.OutcomeOK {
		t.Errorf("the run is %+v", run)
	}
	h := newHarbour(120)
	w = newArchiveWorld(t, h.serve(tagged(http.HandlerFunc(h.board))))
	w.add("berths", "discourse", "/")
	if run := w.harvest("berths"); run.New != 0 || run.Outcome != pg.OutcomeBlocked || !strings.Contains(run.Message, "not to index") {
		t.Errorf("the run is %+v", run)
	}
}

// A redirect does not lead around robots.txt.
func TestRobotsForbidWhereARedirectLeads(t *testing.T) {
	l := twoMonths()
	l.noBulk = true
	for rule, messages := range map[string]int{"Disallow: /private/": 5, "Disallow: /other/": 6} {
		w := newArchiveWorld(t, twist(l, map[string]http.HandlerFunc{
			"/robots.txt":                     sends([]byte("User-agent: *\n" + rule + "\n")),
			"/list/2025-November/000004.html": leadsTo("/private/4"),
			"/private/4":                      sends(l.mails[4].page()),
		}))
		w.add("tides", "pipermail", "/list/")
		run := w.harvest("tides")
		asked := strings.Join(w.requests(), " ")
		if n := w.count(`SELECT count(*) FROM messages`); n != messages || strings.Contains(asked, "/private") != (messages == 6) || (run.Message == "") != (messages == 6) {
			t.Errorf("%s: %d messages, %+v after %s", rule, n, run, asked)
		}
	}
}
