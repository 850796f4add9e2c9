package retrieval_test

import (
	"testing"
	"time"

	"laurel/jobs/fakesite"
	"laurel/jobs/standin"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/profiles"
	"laurel/models/retrieval"
)

func (w *world) statuses(t *testing.T, memberID int64, site string) map[string]int {
	t.Helper()
	counts := map[string]int{}
	for _, s := range w.stored(t, memberID, site) {
		counts[s.Status]++
	}
	return counts
}

// A person's real history, through HTTP, the reader and the database, twice.
func TestReplayCodeforces(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Replay: fakesite.RecordedPath(t, "judges")})
	m := modelstest.Member(t, w.DB.DB, "Uakkes", map[string]string{"codeforces": "Uakkes"}, w.Now())
	w.round(t)
	want := map[string]int{"AC": 128, "WA": 143, "TLE": 21, "CE": 5, "RE": 3}
	got := w.statuses(t, m.ID, "codeforces")
	for status, n := range want {
		if got[status] != n {
			t.Errorf("%d submissions are %s, want %d", got[status], status, n)
		}
	}
	rows := w.stored(t, m.ID, "codeforces")
	first, last := rows["269141668"], rows["233103247"]
	if len(rows) != 300 || first.ProblemKey != "1692G" || first.SubmittedAt.Unix() != 1720314013 || last.ProblemKey != "1899A" || last.SubmittedAt.Unix() != 1700231961 {
		t.Errorf("%d rows, newest %+v, oldest %+v", len(rows), first, last)
	}
	w.clock.Pass(time.Hour)
	if _, err := retrieval.Request(t.Context(), w.DB.DB, m.ID, 0, w.Now()); err != nil {
		t.Fatal(err)
	}
	w.round(t)
	if a := w.account(t, m.ID, "codeforces"); a.LastNew != 0 || a.Delay != 1 || a.Submissions != 300 {
		t.Errorf("the second retrieval inserted %d, delay %d, %d rows; want 0, 1, 300", a.LastNew, a.Delay, a.Submissions)
	}
}

// The sites' answers for "nobody has this handle" make invalid handles.
func TestReplayUnknownHandles(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Replay: fakesite.RecordedPath(t, "judges")})
	m := modelstest.Member(t, w.DB.DB, "nobody", map[string]string{"codeforces": "zz_nobody_zz", "atcoder": "zz_nobody_zz", "uva": "zz_nobody_zz", "hackerrank": "zz_nobody_zz"}, w.Now())
	w.round(t)
	w.clock.Pass(time.Hour)
	w.round(t)
	for _, site := range []string{"codeforces", "atcoder", "uva", "hackerrank"} {
		if a := w.account(t, m.ID, site); a.State != members.StateInvalid || a.Outcome != pg.OutcomeNotFound {
			t.Errorf("%s: state %s, outcome %s (%s), want invalid", site, a.State, a.Outcome, a.Message)
		}
	}
}

func TestReplayOtherFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Replay: fakesite.RecordedPath(t, "judges")})
	for _, tt := range []struct {
		site, handle string
		statuses     map[string]int
		ratings      int
	}{
		{"codeforces", "tourist", map[string]int{"AC": 1, "WA": 1}, 2},
		{"atcoder", "user", map[string]int{"AC": 2, "WA": 1}, 5},
		{"uva", "robot", map[string]int{"AC": 1, "WA": 1, "PENDING": 1}, 0},
	} {
		m := modelstest.Member(t, w.DB.DB, "m-"+tt.handle, map[string]string{tt.site: tt.handle}, w.Now())
		w.round(t)
		got := w.statuses(t, m.ID, tt.site)
		for status, n := range tt.statuses {
			if got[status] != n {
				t.Errorf("%s on %s: %v, want %v", tt.handle, tt.site, got, tt.statuses)
				break
			}
		}
		accounts, err := profiles.RatingsOf(t.Context(), w.DB.DB, m.ID)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(accounts[0].Ratings); n != tt.ratings {
			t.Errorf("%s on %s: %d ratings, want %d (outcome %s %s)", tt.handle, tt.site, n, tt.ratings, accounts[0].Outcome, accounts[0].Message)
		}
	}
}
