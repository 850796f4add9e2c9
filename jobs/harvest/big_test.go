package harvest_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel/jobs/jobstest"
	pg "laurel/models/db"
	"laurel/models/forums"
)

// harbourKinds are the kinds of archive that are one list, with how many requests a
// message may cost.
var harbourKinds = []struct {
	kind, path string
	show       func(*harbour) http.HandlerFunc
	messages   int // Of one request, at least.
}{
	{"hyperkitty", "/list/berths@harbour.example.org/", func(h *harbour) http.HandlerFunc { return h.kitty }, 45},
	{"discourse", "/", func(h *harbour) http.HandlerFunc { return h.board }, 49},
	{"public-inbox", "/berths/", func(h *harbour) http.HandlerFunc { return h.inbox }, 20},
}

func harbourSize() int {
	if jobstest.Soak() {
		return 6000
	}
	return 700
}

// eachHarbour runs a test for a forum of every kind.
func eachHarbour(t *testing.T, test func(t *testing.T, h *harbour, w *archiveWorld, messages int)) {
	for _, tt := range harbourKinds {
		t.Run(tt.kind, func(t *testing.T) {
			t.Parallel()
			h := newHarbour(harbourSize())
			w := newArchiveWorld(t, h.serve(tt.show(h)))
			w.add("berths", tt.kind, tt.path)
			test(t, h, w, tt.messages)
		})
	}
}

// stored holds what is stored of messages against what the archive shows.
func (h *harbour) stored(t *testing.T, w *archiveWorld) {
	t.Helper()
	var rows []struct {
		MessageID, URL, Subject, Author, Body string
		SentAt                                time.Time
		Thread                                int64 `gorm:"column:thread_id"`
		Parent                                string
	}
	if err := w.DB.Raw(`SELECT message_id, url, subject, author, body, sent_at, thread_id, in_reply_to AS parent FROM messages`).Scan(&rows).Error; err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	threads := map[int]int64{}
	for _, r := range rows {
		seen[r.Body]++
		var number int
		if _, err := fmt.Sscanf(r.Body, "Ship %d is in.", &number); err != nil || number < 1 || number > len(h.letters) {
			t.Errorf("stored is %+v", r)
			continue
		}
		l := h.letters[number-1]
		if !r.SentAt.Equal(l.at) || r.Author != l.author() || r.Body != strings.TrimSpace(l.body()) {
			t.Errorf("message %d is %+v", l.number, r)
		}
		if was, ok := threads[l.thread]; ok && was != r.Thread && len(h.gone)+len(h.moved) == 0 {
			t.Errorf("message %d is in thread %d, others of it in %d", l.number, r.Thread, was)
		}
		threads[l.thread] = r.Thread
	}
	missing, twice := 0, 0
	for _, l := range h.living() {
		switch n := seen[strings.TrimSpace(l.body())]; {
		case n == 0:
			missing++
		case n > 1:
			twice++
		}
	}
	if missing > 0 || twice > 0 {
		t.Errorf("of %d messages that are shown %d are missing and %d stored twice", len(h.living()), missing, twice)
	}
}

// A forum of thousands of messages is read whole, from the newest back, at a bounded
// price of each message; when all is known a check costs one request.
func TestAForumOfThousandsIsReadWhole(t *testing.T) {
	eachHarbour(t, func(t *testing.T, h *harbour, w *archiveWorld, messages int) {
		began := time.Now()
		run := w.harvest("berths")
		took := time.Since(began)
		if run.Outcome != pg.OutcomeOK || run.New != len(h.letters) || run.Duplicates > 0 || run.Missing > 0 || run.Requests > len(h.letters)/messages+3 {
			t.Errorf("the first run is %+v", run)
		}
		t.Logf("%d messages: %d requests, %s, %s a message", run.New, run.Requests, took.Round(time.Millisecond), (took / time.Duration(run.New)).Round(time.Microsecond))
		h.stored(t, w)
		if run := w.harvest("berths"); run.Outcome != pg.OutcomeOK || run.New != 0 || run.Requests != 1 {
			t.Errorf("the second run is %+v", run)
		}
		wrong := w.count(`SELECT count(*) FROM (SELECT date_trunc('month', sent_at AT TIME ZONE 'UTC')::date AS month, count(*) AS n FROM messages GROUP BY 1) x FULL JOIN forum_months f USING (month) WHERE x.n IS DISTINCT FROM f.messages`)
		if wrong > 0 {
			t.Errorf("%d months are counted wrongly", wrong)
		}
		if n := w.count(`SELECT count(*) FROM (SELECT stored_at, max(sent_at) AS newest, lag(min(sent_at)) OVER (ORDER BY stored_at) AS before FROM messages GROUP BY stored_at) x WHERE newest > before + interval '1 day'`); n > 0 {
			t.Errorf("%d times newer messages were stored after older ones", n)
		}
	})
}

// Runs that are cut short at any request lose nothing in the end, while messages
// arrive and are deleted, and threads move.
func TestAForumOfThousandsThatChangesUnderRunsThatAreCutShort(t *testing.T) {
	eachHarbour(t, func(t *testing.T, h *harbour, w *archiveWorld, _ int) {
		random := rand.New(rand.NewPCG(5, 0))
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		die := 0
		h.between = func(n int) {
			if n%5 == 0 {
				h.grow(random.IntN(12))
			}
			if n%7 == 0 {
				for range random.IntN(9) { // Those of a whole purge are near each other.
					h.gone[len(h.letters)-random.IntN(100)] = true
				}
				h.moved[1+random.IntN(len(h.letters))] = 1
			}
			if n == die {
				cancel()
			}
		}
		cuts := 0
		for h.size() < 4*harbourSize() {
			h.locked(func() { die = h.asked + 1 + random.IntN(max(8, harbourSize()/100)) })
			w.clock.Pass(2 * time.Hour)
			if _, err := forums.Kick(t.Context(), w.DB.DB, "berths", false, false, w.Now()); err != nil {
				t.Fatal(err)
			}
			run, ok, err := w.HarvestOne(ctx, "berths")
			if err != nil && ctx.Err() == nil || !ok {
				t.Fatalf("%v: %v %+v", ok, err, run)
			}
			if run.Outcome == pg.OutcomeOK {
				break
			}
			cuts++
			h.locked(func() { // An answer may still be under way.
				h.purge(random.IntN(30))
				ctx, cancel = context.WithCancel(t.Context())
			})
			defer cancel()
		}
		h.locked(func() { h.between = nil })
		w.clock.Pass(2 * time.Hour)
		run := w.harvest("berths")
		t.Logf("%d runs were cut short, of %d messages %d are gone; the last run is %+v", cuts, len(h.letters), len(h.gone), run)
		h.stored(t, w)
	})
}

// purge deletes many of the newest messages at once.
func (h *harbour) purge(n int) {
	for i := range n {
		h.gone[max(1, len(h.letters)-20-i)] = true
	}
}
