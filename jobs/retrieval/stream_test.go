package retrieval_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel/jobs/jobstest"
	"laurel/jobs/sites"
	"laurel/jobs/standin"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

// A stream world is one with members on a site that has a stream.
type streamWorld struct {
	*world
	t        *testing.T
	site     sites.Site
	streamer sites.Streamer
	members  map[string]members.Member // By handle.
	since    time.Time                 // Older rows are not asked for.
}

func newStreamWorld(t *testing.T, site string, o standin.Options) *streamWorld {
	t.Helper()
	w := &streamWorld{world: newWorld(t, o), t: t, members: map[string]members.Member{}}
	modelstest.CountAll(t, w.DB.DB)
	w.site, _ = sites.ByName(site)
	w.streamer = w.site.(sites.Streamer)
	w.enable(true)
	for _, p := range w.out.People() {
		if handle := p.Handles[site]; handle != "" {
			w.members[handle] = modelstest.Member(t, w.DB.DB, p.Name, map[string]string{site: handle}, w.Now())
		}
	}
	w.retrieve()
	return w
}

// enable is the admin's setting.
func (w *streamWorld) enable(on bool) {
	w.t.Helper()
	err := w.DB.Exec(`INSERT INTO site_streams (site, kind, enabled) VALUES (?, 'stream', ?) ON CONFLICT (site, kind) DO UPDATE SET enabled = EXCLUDED.enabled`, w.site.Info().Name, on).Error
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *streamWorld) retrieve() {
	w.t.Helper()
	if err := w.RetrieveDue(w.t.Context(), w.site); err != nil {
		w.t.Fatal(err)
	}
}

func (w *streamWorld) read() {
	w.t.Helper()
	if err := w.ReadStream(w.t.Context(), w.site, w.streamer); err != nil {
		w.t.Fatal(err)
	}
}

// asked counts the requests for the stream, and for all else.
func (w *streamWorld) asked() (stream, other int) {
	for _, r := range w.out.Log() {
		if strings.Contains(r.URI, "/v3/from/") || strings.HasPrefix(r.URI, "/status.aspx?locale=en&count=") {
			stream++
		} else {
			other++
		}
	}
	return stream, other
}

// missing lists what was shown for so long and is not stored as it is, by handle.
func (w *streamWorld) missing(shown time.Duration) (n int) {
	w.t.Helper()
	for handle, m := range w.members {
		rows := w.stored(w.t, m.ID, w.site.Info().Name)
		for _, want := range w.out.Submissions(w.site.Info().Name, handle) {
			if want.Seen.After(w.Now().Add(-shown)) || want.Settled.After(w.Now().Add(-shown)) || want.At.Before(w.since) {
				continue
			}
			if got, ok := rows[want.ID]; !ok || got.Verdict != want.Verdict {
				if n++; n <= 3 {
					w.t.Logf("%s: %s of %s, shown %s, %s, is stored as %q", handle, want.ID, want.At, want.Seen, want.Verdict, got.Verdict)
				}
			}
		}
	}
	return n
}

func (w *streamWorld) stream() (f retrieval.Stream) {
	w.t.Helper()
	if err := w.DB.WithContext(w.t.Context()).Raw(`SELECT `+pg.Columns[retrieval.Stream]("f")+` FROM site_streams f WHERE site = ? AND kind = 'stream'`, w.site.Info().Name).Scan(&f).Error; err != nil {
		w.t.Fatal(err)
	}
	return f
}

// After the first retrieval, the stream alone brings every row of everybody, also
// those that the site shows late and those whose verdict changed.
func TestStreamAloneIsEnough(t *testing.T) {
	t.Parallel()
	for _, site := range []string{"atcoder", "timus"} {
		t.Run(site, func(t *testing.T) {
			t.Parallel()
			w := newStreamWorld(t, site, standin.Options{Seed: 5, People: 30, Strangers: 1500, Begin: modelstest.Noon.AddDate(0, -4, 0)})
			before := jobstest.Count(t, w.DB, `SELECT count(*) FROM submissions`)
			w.out.Forget()
			w.read() // It begins.
			const days = 4
			for range days * 24 {
				w.clock.Pass(time.Hour)
				w.read()
			}
			stream, other := w.asked()
			found := jobstest.Count(t, w.DB, `SELECT count(*) FROM submissions`) - before
			t.Logf("%d rows of %d accounts in %d days for %d requests", found, len(w.members), days, stream)
			if found == 0 || other > 0 {
				t.Errorf("%d rows found, %d requests for others", found, other)
			}
			if n := w.missing(w.site.Info().Overlap + 9*time.Hour); n > 0 {
				t.Errorf("%d rows are missing or not as they are", n)
			}
			if n := jobstest.Count(t, w.DB, `SELECT count(*) FROM account_details a WHERE submissions <> (SELECT count(*) FROM submissions s WHERE s.account_id = a.id)
				OR accepted <> (SELECT count(*) FROM submissions s WHERE s.account_id = a.id AND status = 'AC')`); n > 0 {
				t.Errorf("the sums of %d accounts are not those of their rows", n)
			}
			if n := jobstest.Count(t, w.DB, `SELECT (SELECT count(*) FROM submissions) - count(DISTINCT split_part(event_id, '#', 1)) FROM events WHERE source = 'submissions'`); n != 0 {
				t.Errorf("%d rows have no event", n)
			}
			if w.stream().Gaps > 0 {
				t.Errorf("%d gaps", w.stream().Gaps)
			}
		})
	}
}

// With the stream, accounts are complete all the time for a small part of the retrievals.
func TestStreamCountsAsRetrievals(t *testing.T) {
	t.Parallel()
	for _, site := range []string{"atcoder", "timus"} {
		t.Run(site, func(t *testing.T) {
			t.Parallel()
			w := newStreamWorld(t, site, standin.Options{Seed: 6, People: 20, Strangers: 800, Begin: modelstest.Noon.AddDate(0, -4, 0)})
			w.read() // It begins.
			w.clock.Pass(26 * time.Hour)
			w.read()
			w.retrieve() // Once: accounts were not covered.
			before := jobstest.Count(t, w.DB, `SELECT sum(retrievals) FROM site_hours`)
			w.out.Forget()
			const days = 5
			for range days * 24 {
				w.clock.Pass(time.Hour)
				w.read()
				w.retrieve()
			}
			stream, _ := w.asked()
			retrievals, daily := jobstest.Count(t, w.DB, `SELECT sum(retrievals) FROM site_hours`)-before, len(w.members)*days
			t.Logf("%d accounts, %d days: %d requests of the stream, %d retrievals; daily ones would be %d", len(w.members), days, stream, retrievals, daily)
			if stream > days*30 || retrievals > daily/2 {
				t.Errorf("%d requests of the stream and %d retrievals, where daily ones are %d", stream, retrievals, daily)
			}
			if n := w.missing(w.site.Info().Overlap + 9*time.Hour); n > 0 {
				t.Errorf("%d rows are missing or not as they are", n)
			}
			late := 0
			for _, m := range w.members {
				if a := w.account(t, m.ID, site); a.CompleteUntil.Before(w.Now().Add(-6 * time.Hour)) {
					late++
				}
			}
			if late > 0 {
				t.Errorf("%d of %d accounts are complete until more than six hours ago", late, len(w.members))
			}
			if jobstest.Count(t, w.DB, `SELECT count(*) FROM account_details WHERE delay > 2`) == 0 {
				t.Error("nobody's delay grew")
			}
			if jobstest.Count(t, w.DB, `SELECT count(*) FROM account_details WHERE delay = 0`) == 0 {
				t.Error("nobody's delay was reset")
			}
		})
	}
}

// A page that has changed, or that lacks its rows, is nobody's silence: the stream
// stays where it is, and accounts are not changed by it.
func TestStreamThatChanged(t *testing.T) {
	t.Parallel()
	for _, site := range []string{"atcoder", "timus"} {
		for _, kind := range []string{"markup", "emptied", "503", "html", "cutjson"} {
			t.Run(site+" "+kind, func(t *testing.T) {
				t.Parallel()
				w := newStreamWorld(t, site, standin.Options{Seed: 6, People: 6, Strangers: 2000, Begin: modelstest.Noon.AddDate(0, -4, 0)})
				w.read()
				w.clock.Pass(5 * time.Hour)
				w.read()
				was := w.stream()
				if was.Outcome != pg.OutcomeOK || was.CursorID == "" {
					t.Fatalf("%+v", was)
				}
				if err := w.out.SetFault(site, standin.Fault{Kind: kind}); err != nil {
					t.Fatal(err)
				}
				accounts := `SELECT CAST(sum(extract(epoch FROM complete_until) + 7 * delay + extract(epoch FROM due_at)) AS bigint) FROM account_details`
				before := jobstest.Count(t, w.DB, accounts)
				w.clock.Pass(20 * time.Hour)
				w.read()
				f := w.stream()
				if f.Outcome == pg.OutcomeOK || f.Failures != 1 || !f.Until.Equal(*was.Until) || f.CursorID != was.CursorID || !f.DueAt.After(w.Now()) {
					t.Errorf("%s: %q, %d failures, until %s (was %s), due %s", f.Outcome, f.Message, f.Failures, f.Until, was.Until, f.DueAt)
				}
				if after := jobstest.Count(t, w.DB, accounts); after != before {
					t.Errorf("accounts were changed: %d, was %d", after, before)
				}
				w.out.ClearFaults(site)
				w.clock.Pass(2 * time.Minute)
				w.read()
				if f := w.stream(); f.Outcome != pg.OutcomeOK || f.Failures != 0 || f.Until.Before(w.Now().Add(-time.Hour)) {
					t.Errorf("it did not recover: %+v", f)
				}
			})
		}
	}
}

// A list that does not reach back to where we were has a gap, which is reported, and
// accounts that it may concern are not taken for complete.
func TestStreamWithAGap(t *testing.T) {
	t.Parallel()
	w := newStreamWorld(t, "timus", standin.Options{Seed: 6, People: 8, Strangers: 6000, Begin: modelstest.Noon.AddDate(0, -4, 0)})
	w.read()
	w.clock.Pass(time.Hour)
	w.read()
	w.clock.Pass(time.Hour)
	w.read()
	if f := w.stream(); f.Gaps > 0 {
		t.Fatalf("%+v", f)
	}
	w.clock.Pass(7 * time.Hour)
	complete := `SELECT CAST(extract(epoch FROM max(complete_until)) AS integer) FROM account_details`
	before := jobstest.Count(t, w.DB, complete)
	w.read()
	f := w.stream()
	if f.Gaps != 1 || f.GapFrom == nil || f.GapUntil.Sub(*f.GapFrom) < 2*time.Hour || !f.Since.Equal(*f.GapUntil) {
		t.Errorf("%d gaps, from %v until %v, since %v", f.Gaps, f.GapFrom, f.GapUntil, f.Since)
	}
	if after := jobstest.Count(t, w.DB, complete); after != before {
		t.Errorf("accounts are complete until %d, %d before", after, before)
	}
	w.clock.Pass(28 * time.Hour) // All are due by the ordinary rule.
	w.retrieve()
	if n := w.missing(time.Hour); n > 0 {
		t.Errorf("%d rows are missing", n)
	}
}

// A few members are not worth a list of everybody, unless an admin says so.
func TestStreamOfFew(t *testing.T) {
	t.Parallel()
	w := newStreamWorld(t, "atcoder", standin.Options{Seed: 6, People: 10, Strangers: 1000, Begin: modelstest.Noon.AddDate(0, -4, 0)})
	if err := w.DB.Exec(`UPDATE site_streams SET enabled = NULL`).Error; err != nil {
		t.Fatal(err)
	}
	w.out.Forget()
	pass := func() int {
		w.clock.Pass(2 * time.Hour)
		w.read()
		stream, _ := w.asked()
		return stream
	}
	if n := pass(); n > 0 || w.stream().Since != nil {
		t.Errorf("%d requests of a stream of few", n)
	}
	w.enable(true)
	if n := pass(); n == 0 || w.stream().Since == nil {
		t.Errorf("%d requests of a stream that is on: %+v", n, w.stream())
	}
	w.enable(false)
	before := pass()
	if n := pass(); n > before || w.stream().Since != nil {
		t.Errorf("a stream that is off goes on: %+v", w.stream())
	}
}

// While a site is paused or broken, its stream is not read.
func TestStreamOfASuspendedSite(t *testing.T) {
	t.Parallel()
	w := newStreamWorld(t, "timus", standin.Options{Seed: 6, People: 6, Strangers: 1000, Begin: modelstest.Noon.AddDate(0, -4, 0)})
	if err := w.DB.Exec(`INSERT INTO site_circuits (site, state, paused_at) VALUES ('timus', 'closed', ?)`, w.Now()).Error; err != nil {
		t.Fatal(err)
	}
	w.out.Forget()
	w.read()
	if n := w.out.Stats()["timus"].Statuses[http.StatusOK]; n > 0 {
		t.Errorf("%d requests to a paused site", n)
	}
}
