package harvest_test

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	pg "laurel/models/db"
)

// Of a forum of which some messages cannot be read where they stand, the rest is
// read; they are gaps that say why, are asked for again after pauses that grow, and
// are closed when they are well.
func TestMessagesThatCannotBeReadAreGaps(t *testing.T) {
	eachHarbour(t, func(t *testing.T, h *harbour, w *archiveWorld, _ int) {
		for _, n := range []int{len(h.letters) - 33, len(h.letters) - 234, len(h.letters) - 235, 41} {
			h.garbage[n] = true
		}
		run := w.harvest("berths")
		t.Logf("%+v", run)
		if run.Outcome != pg.OutcomeOK || run.Missing == 0 || run.Message == "" {
			t.Errorf("the first run is %+v", run)
		}
		if n := w.count(`SELECT count(*) FROM messages`); n != len(h.letters)-4 {
			t.Errorf("%d of %d messages are stored", n, len(h.letters)-4)
		}
		if n := w.count(`SELECT count(*) FROM forum_gaps WHERE reason <> ''`); n < 3 || n > 4 {
			t.Errorf("%d gaps", n)
		}
		h.grow(60)
		w.harvest("berths")
		w.requests()
		if run := w.harvest("berths"); run.Outcome != pg.OutcomeOK || run.Requests > 20 { // Now the gaps have time, but the entry point is what it is.
			t.Errorf("in the pause: %+v, %v", run, w.requests())
		}
		pauses := w.count(`SELECT count(*) FROM forum_gaps WHERE due_at > tried_at + interval '1 hour' AND tries > 1`)
		if pauses == 0 {
			t.Error("no pause grows")
		}
		clear(h.garbage)
		for range 2 {
			w.clock.Pass(31 * 24 * time.Hour)
			run = w.harvest("berths")
		}
		if n := w.count(`SELECT count(*) FROM forum_gaps`); n > 0 || run.Missing > 0 {
			t.Errorf("%d gaps are left: %+v", n, run)
		}
		h.stored(t, w)
		if run := w.harvest("berths"); run.Requests != 1 || run.New > 0 {
			t.Errorf("when all is well: %+v", run)
		}
	})
}

// A page of a list that the server does not give, or gives as something else, is gone
// around.
func TestAPageThatCannotBeReadIsAGap(t *testing.T) {
	pages := map[string]func(h *harbour) string{
		"hyperkitty": func(*harbour) string { return "/api/list/berths@harbour.example.org/emails/?limit=100&offset=285" },
		"discourse":  func(h *harbour) string { return "/posts.json?before=" + strconv.Itoa(len(h.letters)-150) },
		"public-inbox": func(h *harbour) string {
			return "/berths/new.atom?t=" + h.letters[len(h.letters)-25].at.Format("20060102150405")
		},
	}
	for name, fault := range map[string]http.HandlerFunc{"500": status(http.StatusInternalServerError), "garbage": sends([]byte("<html><p>Sorry, <b>we")), "404": status(http.StatusNotFound)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachHarbour(t, func(t *testing.T, h *harbour, w *archiveWorld, _ int) {
				kind := ""
				if err := w.DB.Raw(`SELECT kind FROM forums`).Row().Scan(&kind); err != nil {
					t.Fatal(err)
				}
				if kind == "public-inbox" && name == "404" {
					t.Skip("which is how it says that nothing is older")
				}
				h.faults[pages[kind](h)] = fault
				run := w.harvest("berths")
				n := w.count(`SELECT count(*) FROM messages`)
				t.Logf("%d of %d messages, %d gaps: %+v", n, len(h.letters), w.count(`SELECT count(*) FROM forum_gaps`), run)
				if run.Outcome != pg.OutcomeOK || n < len(h.letters)-30 || kind != "public-inbox" && n < len(h.letters) {
					t.Errorf("%d of %d messages: %+v", n, len(h.letters), run)
				}
				clear(h.faults)
				w.clock.Pass(24 * time.Hour)
				w.harvest("berths")
				h.stored(t, w)
				if n := w.count(`SELECT count(*) FROM forum_gaps`); n > 0 {
					t.Errorf("%d gaps are left", n)
				}
			})
		})
	}
}

// A forum whose pages are all broken is left alone soon.
func TestAForumThatIsIllIsLeftAlone(t *testing.T) {
	eachHarbour(t, func(t *testing.T, h *harbour, w *archiveWorld, _ int) {
		show := w.srv.Config.Handler
		w.srv.Config.Handler = http.HandlerFunc(func(res http.ResponseWriter, req *http.Request) {
			if h.asked >= 3 {
				h.asked++
				res.WriteHeader(http.StatusInternalServerError)
				return
			}
			show.ServeHTTP(res, req)
		})
		run := w.harvest("berths")
		if run.Outcome != pg.OutcomeServerError || h.asked > 3+12 {
			t.Errorf("after %d requests: %+v", h.asked, run)
		}
		w.srv.Config.Handler = show
		w.clock.Pass(24 * time.Hour)
		w.harvest("berths")
		h.stored(t, w)
	})
}

// Messages that are put in behind covered ground are found where the list counts.
func TestMessagesThatArePutInFurtherBackAreFound(t *testing.T) {
	h := newHarbour(500)
	w := newArchiveWorld(t, h.serve(h.kitty))
	w.add("berths", "hyperkitty", "/list/berths@harbour.example.org/")
	hidden := []int{200, 201, 350}
	for _, n := range hidden {
		h.gone[n] = true
	}
	w.harvest("berths")
	clear(h.gone)
	h.grow(5)
	w.clock.Pass(time.Hour)
	if run := w.harvest("berths"); run.New != 8 {
		t.Errorf("%+v", run)
	}
	h.stored(t, w)
	if run := w.harvest("berths"); run.Requests != 1 {
		t.Errorf("then %+v", run)
	}
}
