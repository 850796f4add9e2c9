package jobs_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"laurel/jobs/jobstest"
	"laurel/jobs/sites"
	"laurel/jobs/standin"
	"laurel/models"
	"laurel/models/modelstest"
)

// A cost is what a kind of day took of requests about one account alone.
type cost struct{ days, status, rating, info int }

// add counts the requests about a handle alone since the journal was forgotten.
func (c *cost) add(log []standin.Request, handle string) {
	c.days++
	for _, r := range log {
		if r.Handle != handle {
			continue
		}
		switch u, _ := url.Parse(r.URI); u.Path {
		case "/api/user.status":
			c.status++
		case "/api/user.rating":
			c.rating++
		case "/api/user.info":
			c.info++
		}
	}
}

// A day without submissions costs nothing but the questions about all, one with
// news one request for each look, and one with a new rating one request more: the
// questions about all show the accounts' own pages and their ratings, too.
func TestWhatADayCosts(t *testing.T) {
	t.Parallel()
	people := 20
	if jobstest.Soak() {
		people = 40 // As docs/retrieval.md tells.
	}
	w := newWorld(t, standin.Options{Seed: 5, People: people, Begin: modelstest.Noon.AddDate(0, -4, 0)})
	w.Rule.Rhythm = true
	site, _ := sites.ByName("codeforces")
	w.Sites = []sites.Site{site}
	var handles []string
	for _, p := range w.out.People() {
		handles = append(handles, p.Handles["codeforces"])
		modelstest.Member(t, w.DB.DB, p.Name, map[string]string{"codeforces": p.Handles["codeforces"]}, w.Now())
	}
	w.round(t)
	w.probed(t, 16, probeStep/2) // The first days are still those of the first looks.
	const days = 13
	var quiet, news, rated cost
	changes, bulk, kept := 0, 0, jobstest.Count(t, w.DB, `SELECT count(*) FROM archive_retrievals r JOIN archive_pages p ON p.id = r.page_id WHERE p.address LIKE '%user.info'`)
	for range days {
		w.out.Forget()
		before := w.ratings(t)
		w.probed(t, 8, probeStep/2)
		after, log := w.ratings(t), w.out.Log()
		for _, h := range handles {
			c := &quiet
			for _, s := range w.out.Submissions("codeforces", h) {
				if s.At.After(w.clock.Outside().AddDate(0, 0, -1)) && !s.At.After(w.clock.Outside()) {
					c = &news
				}
			}
			if after[h] != before[h] {
				c, changes = &rated, changes+after[h]-before[h]
			}
			c.add(log, h)
		}
		for _, r := range log {
			if strings.Contains(r.Handle, ";") {
				bulk++
			}
		}
	}
	t.Logf("%d accounts, %d days, %d questions about all; quiet %+v, news %+v, new rating %+v (%d ratings)", len(handles), days, bulk, quiet, news, rated, changes)
	if all := quiet.info + news.info + rated.info; all > 0 {
		t.Errorf("%d questions for the own page of one account", all)
	}
	if bulk != 4*days {
		t.Errorf("%d questions about all in %d days", bulk, days)
	}
	if quiet.days == 0 || news.days == 0 || changes == 0 || quiet.status*10 > quiet.days {
		t.Errorf("a quiet day costs too much: %+v", quiet)
	}
	if weeks := days/7 + 1; quiet.rating+news.rating > weeks*len(handles) || rated.rating > rated.days {
		t.Errorf("ratings are asked for where they are known: %+v, %+v, %+v", quiet, news, rated)
	}
	if n := jobstest.Count(t, w.DB, `SELECT count(*) FROM archive_retrievals r JOIN archive_pages p ON p.id = r.page_id WHERE p.address LIKE '%user.info' AND r.outcome = 'ok'`) - kept; n == 0 || n > bulk {
		t.Errorf("%d pages are kept of %d questions", n, bulk)
	}
	w.sameRatings(t)
}

// ratings counts the ratings stored, by handle.
func (w *world) ratings(t *testing.T) map[string]int {
	t.Helper()
	var rows []struct {
		Handle string
		N      int
	}
	if err := w.DB.WithContext(t.Context()).Raw(`SELECT a.handle, count(r.contest) AS n FROM accounts a LEFT JOIN ratings r ON r.account_id = a.id GROUP BY a.handle`).Scan(&rows).Error; err != nil {
		t.Fatal(err)
	}
	of := map[string]int{}
	for _, r := range rows {
		of[r.Handle] = r.N
	}
	return of
}

// sameRatings compares what is stored with what the site shows, but for ratings of
// the last days.
func (w *world) sameRatings(t *testing.T) {
	t.Helper()
	late := 0
	for handle, n := range w.ratings(t) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://codeforces.com/api/user.rating?handle="+handle, http.NoBody)
		rec := httptest.NewRecorder()
		w.out.ServeHTTP(rec, r)
		var answer struct {
			Result []struct{ RatingUpdateTimeSeconds int64 }
		}
		if err := json.Unmarshal(rec.Body.Bytes(), &answer); err != nil {
			t.Fatal(err)
		}
		old := 0
		for _, c := range answer.Result {
			if time.Unix(c.RatingUpdateTimeSeconds, 0).Before(w.clock.Outside().AddDate(0, 0, -1)) {
				old++
			}
		}
		if n < old {
			late++
			t.Logf("%s: %d ratings are stored of %d that are a day old", handle, n, old)
		}
	}
	if late > 0 {
		t.Errorf("%d accounts lack a rating that is a day old", late)
	}
}

// Whoever presses the button in the days after a round is shown the new rating, also
// where a probe said a moment ago that there was none.
func TestTheButtonAsksForRatings(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Seed: 5, People: 1, Begin: modelstest.Noon.AddDate(0, -4, 0)})
	handle := w.out.People()[0].Handles["codeforces"]
	m := modelstest.Member(t, w.DB.DB, "ada", map[string]string{"codeforces": handle}, w.Now())
	w.round(t)
	for day := 0; ; day++ {
		if day == 40 {
			t.Fatal("nothing happens to press the button for")
		}
		before := w.account(t, m.ID, "codeforces").RatingsAt
		w.probed(t, 1, 12*time.Hour)
		a := w.account(t, m.ID, "codeforces")
		if known := a.RatingsKnownAt; known == nil || known.Before(w.Now().Add(-time.Hour)) || a.NewestAt.Before(w.Now().Add(-48*time.Hour)) || !a.RatingsAt.Equal(*before) {
			continue
		}
		if _, err := models.RequestRetrieval(t.Context(), w.DB.DB, m.ID, time.Minute, w.Now()); err != nil {
			t.Fatal(err)
		}
		w.round(t)
		if a := w.account(t, m.ID, "codeforces"); !a.RatingsAt.After(*before) {
			t.Errorf("ratings are of %s, as before", a.RatingsAt)
		}
		return
	}
}
