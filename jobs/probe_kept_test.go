package jobs_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/jobs/jobstest"
	"laurel/jobs/sites"
	"laurel/jobs/standin"
	"laurel/models"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
)

// newKept is a world whose accounts on LeetCode were read, and two days that passed.
func newKept(t *testing.T) *fedWorld {
	t.Helper()
	w := &fedWorld{world: newWorld(t, standin.Options{Seed: 5, People: 12, Begin: modelstest.Noon.AddDate(0, -1, 0)}), t: t, members: map[string]members.Member{}}
	w.site, _ = sites.ByName("leetcode")
	w.Sites = []sites.Site{w.site}
	for _, p := range w.out.People() {
		w.members[p.Handles["leetcode"]] = modelstest.Member(t, w.DB.DB, p.Name, map[string]string{"leetcode": p.Handles["leetcode"]}, w.Now())
	}
	w.look()
	w.since = w.Now()
	w.clock.Pass(48 * time.Hour)
	w.out.Forget()
	return w
}

func (w *fedWorld) probe() {
	w.t.Helper()
	if err := w.Probe(w.t.Context(), w.site, w.site.(sites.Prober)); err != nil {
		w.t.Fatal(err)
	}
}

// One answer about many is a look at each of them who has news: nobody's list is
// asked for, and the account is known as it was when the answer was asked for.
func TestAnAnswerAboutManyIsALook(t *testing.T) {
	t.Parallel()
	w := newKept(t)
	before, asked := jobstest.Count(t, w.DB, `SELECT count(*) FROM submissions`), w.Now()
	w.probe()
	many, alone := 0, 0
	for _, r := range w.out.Log() {
		if strings.Contains(r.Handle, ";") {
			many++
		} else {
			alone++
		}
	}
	fresh := jobstest.Count(t, w.DB, `SELECT count(*) FROM submissions`) - before
	looked := jobstest.Count(t, w.DB, `SELECT count(*) FROM accounts WHERE last_attempt_at >= ?`, asked)
	t.Logf("%d new rows of %d accounts: %d questions about many, %d about one", fresh, looked, many, alone)
	if many != 1 || fresh == 0 || looked == 0 || alone > 2*looked { // Ratings and own pages are asked for.
		t.Errorf("%d new rows of %d accounts: %d questions about many, %d about one", fresh, looked, many, alone)
	}
	if n := jobstest.Count(t, w.DB, `SELECT count(*) FROM accounts WHERE last_attempt_at >= ? AND missing = 0 AND complete_until > ?`, asked, asked.Add(time.Minute)); n > 0 {
		t.Errorf("%d accounts are complete until after they were asked about", n)
	}
	if n := w.missing(0); n > 0 {
		t.Errorf("%d rows are missing or not as they are", n)
	}
	var handles []string
	if err := w.DB.Raw(`SELECT handle FROM accounts WHERE last_attempt_at >= ?`, asked).Scan(&handles).Error; err != nil {
		t.Fatal(err)
	}
	w.out.Forget()
	w.look()
	for _, r := range w.out.Log() {
		if slices.Contains(handles, r.Handle) {
			t.Errorf("looked again: %+v", r)
		}
	}
}

// Who dies between an answer about many and the looks that it is leaves these to
// others, with a question of their own; and nothing is taken back that somebody
// has read since the answer.
func TestWhoProbedDies(t *testing.T) {
	t.Parallel()
	w := newKept(t)
	lease := pg.Lease{ID: "the dead one", For: 5 * time.Minute}
	ids := accountIDs(t, w)
	for _, id := range ids { // It gets as far as its leases.
		if due, err := models.ClaimKept(t.Context(), w.DB.DB, "leetcode", id, w.Now(), lease, w.Now()); err != nil || due == nil {
			t.Fatalf("%v, %v", due, err)
		}
	}
	asked := w.Now()
	w.probe()
	if log := w.out.Log(); len(log) > 0 {
		t.Fatalf("accounts that somebody looks at were asked about: %+v", log)
	}
	w.clock.Pass(20 * time.Minute)
	if err := w.DB.Exec(`UPDATE accounts SET due_at = ?`, w.Now()).Error; err != nil {
		t.Fatal(err)
	}
	w.look()
	if n := w.missing(0); n > 0 {
		t.Errorf("%d rows are missing or not as they are", n)
	}
	for _, id := range ids {
		if due, err := models.ClaimKept(t.Context(), w.DB.DB, "leetcode", id, asked, lease, w.Now()); err != nil || due != nil {
			t.Errorf("account %d was read after the answer, and may be read from it: %v", id, err)
		}
	}
}

func accountIDs(t *testing.T, w *fedWorld) (ids []int64) {
	t.Helper()
	if err := w.DB.Raw(`SELECT id FROM accounts WHERE state = 'active' ORDER BY id`).Scan(&ids).Error; err != nil || len(ids) == 0 {
		t.Fatalf("%d accounts, %v", len(ids), err)
	}
	return ids
}
