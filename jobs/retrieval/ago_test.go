package retrieval_test

import (
	"testing"
	"time"

	"laurel/jobs/jobstest"
	"laurel/jobs/sites"
	"laurel/jobs/standin"
	"laurel/models/members"
	"laurel/models/modelstest"
)

// CodeChef may show of the last day only how long ago it was. Rows are there at once, about
// when they were made, and at the right minute after a day; none comes twice, and who has one
// that nothing can be called after is not complete beyond it.
func TestTimesThatAreAboutRight(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Seed: 5, People: 24, Begin: modelstest.Noon.AddDate(0, -1, 0), Ago: true})
	site, _ := sites.ByName("codechef")
	w.Sites = []sites.Site{site}
	modelstest.CountAll(t, w.DB.DB)
	people := map[string]members.Member{}
	for _, p := range w.out.People() {
		if h := p.Handles["codechef"]; h != "" {
			people[h] = modelstest.Member(t, w.DB.DB, p.Name, map[string]string{"codechef": h}, w.Now())
		}
	}
	young, waiting := 0, 0
	for range 20 {
		w.clock.Pass(5 * time.Hour)
		if err := w.DB.WithContext(t.Context()).Exec(`UPDATE account_schedule SET due_at = ?`, w.Now()).Error; err != nil {
			t.Fatal(err)
		}
		w.round(t)
		for handle, m := range people {
			y, h := w.aboutRight(t, m.ID, handle)
			young, waiting = young+y, waiting+h
		}
	}
	if young == 0 || waiting == 0 {
		t.Errorf("%d rows of the last day and %d that had to wait: nothing was tried", young, waiting)
	}
	if n := jobstest.Count(t, w.DB, `SELECT count(*) FROM submissions WHERE (SELECT count(DISTINCT p ->> 'submitted_at') FROM jsonb_array_elements(past) p) > 1`); n != 0 {
		t.Errorf("%d rows had more than one time before their minute was shown", n)
	}
	if n := jobstest.Count(t, w.DB, `SELECT count(*) FROM events WHERE source = 'submissions'
		AND regexp_replace(event_id, '#[0-9]+$', '') NOT IN (SELECT item FROM submissions_events)`); n != 0 {
		t.Errorf("%d events are of rows that are gone", n)
	}
}

// aboutRight compares what is stored with what was made, and returns how many rows are
// of the last day, and how many of them are not there yet.
func (w *world) aboutRight(t *testing.T, member int64, handle string) (young, waiting int) {
	t.Helper()
	rows, a, now := w.stored(t, member, "codechef"), w.account(t, member, "codechef"), w.clock.Outside()
	truth := w.out.Submissions("codechef", handle)
	for _, x := range truth {
		got, ok := rows[x.ID]
		off := got.SubmittedAt.Sub(x.At).Abs()
		switch {
		case now.Sub(x.At) < 24*time.Hour && x.Unnumbered:
			if waiting++; a.CompleteUntil.After(x.At) {
				t.Errorf("%s is complete until %s, and a row of %s is not there", handle, a.CompleteUntil, x.At)
			}
		case now.Sub(x.At) < 24*time.Hour:
			if young++; !ok || off > 31*time.Minute {
				t.Errorf("%s: row %s of %s is there: %t, of %s", handle, x.ID, x.At, ok, got.SubmittedAt)
			}
		case !x.Unnumbered && (!ok || off >= time.Minute):
			t.Errorf("%s: row %s of %s is there after a day: %t, of %s", handle, x.ID, x.At, ok, got.SubmittedAt)
		}
	}
	if len(rows) != len(truth)-waiting {
		t.Errorf("%s has %d rows, and %d are there but for %d", handle, len(truth), len(rows), waiting)
	}
	return young, waiting
}
