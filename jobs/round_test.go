package jobs_test

import (
	"os"
	"strings"
	"sync"
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

// roundEnds is when the first round after noon ends; another one does six days later.
var roundEnds = time.Date(2026, 11, 25, 16, 35, 0, 0, time.UTC)

// newRounds is a world whose accounts on Codeforces were read, and with rounds read
// until now. Strangers are what one of ten pages has; with LAUREL_SOAK, pages are as
// long as on the real site, which takes half a minute on a machine that does much else.
func newRounds(t *testing.T, people, strangers int) *fedWorld {
	t.Helper()
	o := standin.Options{Seed: 5, People: people, Strangers: strangers, Page: 1000, Begin: modelstest.Noon.AddDate(0, -1, 0)}
	if os.Getenv("LAUREL_SOAK") != "" {
		o.Page, o.Strangers = 0, 10*strangers
	}
	w := &fedWorld{world: newWorld(t, o), t: t, members: map[string]members.Member{}}
	w.site, _ = sites.ByName("codeforces")
	w.Sites = []sites.Site{w.site}
	for _, p := range w.out.People() {
		w.members[p.Handles["codeforces"]] = modelstest.Member(t, w.DB.DB, p.Name, map[string]string{"codeforces": p.Handles["codeforces"]}, w.Now())
	}
	w.look()
	w.readRounds()
	w.out.Forget()
	return w
}

func (w *fedWorld) readRounds() {
	w.t.Helper()
	if err := w.Rounds(w.t.Context(), w.site, w.site.(sites.Rounder)); err != nil {
		w.t.Fatal(err)
	}
}

// until lets time pass until a moment; passes go on meanwhile, before the last day.
func (w *fedWorld) until(at time.Time) {
	for ; at.Sub(w.Now()) > 24*time.Hour; w.readRounds() {
		w.clock.Pass(23 * time.Hour)
	}
	w.clock.Pass(at.Sub(w.Now()))
	w.out.Forget()
}

// questions counts requests by what was asked.
func (w *fedWorld) questions() map[string]int {
	n := map[string]int{}
	for _, r := range w.out.Log() {
		path, _, _ := strings.Cut(strings.TrimPrefix(r.URI, "/api/"), "?")
		n[path]++
	}
	return n
}

// rowsOf counts the rows of the round that ends at roundEnds: those that were made,
// and those that are stored as they are.
func (w *fedWorld) rowsOf() (made, stored, people int) {
	w.t.Helper()
	for handle, m := range w.members {
		rows, before := w.stored(w.t, m.ID, "codeforces"), made
		for _, x := range w.out.Submissions("codeforces", handle) {
			if x.At.Before(roundEnds.Add(-2*time.Hour)) || x.At.After(roundEnds) || !strings.HasPrefix(x.Problem, roundID) {
				continue
			}
			made++
			if got, ok := rows[x.ID]; ok && got.Verdict == x.Verdict {
				stored++
			}
		}
		if made > before {
			people++
		}
	}
	return made, stored, people
}

const roundID = "2307"

// A quarter of an hour after a round, everything that members submitted in it is
// there, for one question about who took part and one for each ten thousand rows.
// Nobody is complete by that, and everybody's look comes as it would.
func TestARoundIsRead(t *testing.T) {
	t.Parallel()
	w := newRounds(t, 90, 2500)
	before := w.settledSum()
	w.until(roundEnds.Add(5 * time.Minute))
	w.readRounds()
	if made, stored, _ := w.rowsOf(); made == 0 || stored != 0 {
		t.Fatalf("%d rows were made, and %d are there too early: the round is not over for long enough", made, stored)
	}
	w.until(roundEnds.Add(16 * time.Minute))
	w.readRounds()
	made, stored, people := w.rowsOf()
	asked := w.questions()
	t.Logf("%d members made %d rows: %v", people, made, asked)
	if people < 15 || stored != made {
		t.Errorf("%d rows are stored of %d by %d people: %+v", stored, made, people, w.progress(models.KindRounds))
	}
	if asked["contest.standings"] != 1 || asked["contest.status"] != 3 || asked["user.status"] != 0 {
		t.Errorf("asked %v", asked)
	}
	if after := w.settledSum(); after != before {
		t.Errorf("accounts were settled by the round: %d, was %d", after, before)
	}
	for _, q := range []string{
		`SELECT count(*) FROM accounts a WHERE submissions <> (SELECT count(*) FROM submissions s WHERE s.account_id = a.id)`,
		`SELECT (SELECT count(*) FROM submissions) - count(DISTINCT CAST(body AS jsonb) ->> 'item') FROM events WHERE source = 'submissions'`,
	} {
		if n := jobstest.Count(t, w.DB, q); n != 0 {
			t.Errorf("%d: %s", n, q)
		}
	}
	if n := jobstest.Count(t, w.DB, `SELECT count(*) FROM archive_pages WHERE address LIKE '%contest.status?contestId=`+roundID+`'`); n != people {
		t.Errorf("the round is the evidence of %d people, want %d", n, people)
	}
	w.out.Forget()
	w.until(roundEnds.Add(3 * time.Hour))
	w.readRounds()
	if asked := w.questions(); asked["contest.status"] != 0 || asked["contest.standings"] != 0 {
		t.Errorf("the round is read again: %v", asked)
	}
	w.clock.Pass(30 * time.Hour)
	w.look()
	if n := w.missing(time.Hour); n > 0 {
		t.Errorf("%d rows are missing or not as they are", n)
	}
}

// settledSum changes where an account is complete until another moment, or was
// looked at.
func (w *fedWorld) settledSum() int {
	w.t.Helper()
	return jobstest.Count(w.t, w.DB, `SELECT CAST(sum(extract(epoch FROM complete_until) + extract(epoch FROM last_retrieved_at)) AS bigint) FROM accounts WHERE site = 'codeforces'`)
}

// A day after a round, when hacks and system tests are over, it is read once more: what
// changed is revised, and nobody needs a look for that.
func TestARoundIsReadAgain(t *testing.T) {
	t.Parallel()
	w := newRounds(t, 90, 2500)
	w.until(roundEnds.Add(16 * time.Minute))
	w.readRounds()
	made, _, people := w.rowsOf()
	const open = `SELECT count(*) FROM accounts WHERE open_at > '2026-11-25 14:35Z' AND open_at <= '2026-11-25 16:35Z'`
	if n := jobstest.Count(t, w.DB, open); n != people || n < 15 {
		t.Fatalf("%d of %d people may have other verdicts tomorrow", n, people)
	}
	if err := w.DB.Exec(`UPDATE submissions SET status = 'HCK', verdict = 'CHALLENGED' WHERE submitted_at > '2026-11-25 14:35Z' AND submitted_at <= '2026-11-25 16:35Z'`).Error; err != nil {
		t.Fatal(err)
	}
	w.until(roundEnds.Add(23 * time.Hour))
	w.readRounds()
	if asked := w.questions(); asked["contest.status"] != 0 {
		t.Errorf("it is read too early: %v", asked)
	}
	w.until(roundEnds.Add(24*time.Hour + time.Minute))
	w.readRounds()
	asked := w.questions()
	if _, stored, _ := w.rowsOf(); stored != made || asked["contest.status"] != 3 || asked["user.status"] != 0 {
		t.Errorf("%d of %d rows are as they are: %v", stored, made, asked)
	}
	if n := jobstest.Count(t, w.DB, open); n != 0 {
		t.Errorf("%d people still wait for a look", n)
	}
	w.until(roundEnds.Add(26 * time.Hour))
	w.readRounds()
	if asked := w.questions(); asked["contest.status"] != 0 {
		t.Errorf("it is read a third time: %v", asked)
	}
}

// A round that cannot be read again is tried for half a day; then it is left to looks, and
// the next one is read.
func TestARoundThatIsNotThereAgain(t *testing.T) {
	t.Parallel()
	w := newRounds(t, 90, 100)
	w.until(roundEnds.Add(16 * time.Minute))
	w.readRounds()
	if err := w.out.SetFault("codeforces", standin.Fault{Kind: "503", Path: "contest.status"}); err != nil {
		t.Fatal(err)
	}
	w.until(roundEnds.Add(24*time.Hour + time.Minute))
	w.readRounds()
	if f := w.progress(models.KindRounds); f.Failures != 1 || !f.LateAt.Before(roundEnds) {
		t.Errorf("%d failures, read again until %s", f.Failures, f.LateAt)
	}
	w.clock.Pass(13 * time.Hour)
	w.readRounds()
	if f := w.progress(models.KindRounds); f.Failures != 0 || f.LateAt.Before(roundEnds) {
		t.Errorf("%d failures (%s), read again until %s", f.Failures, f.Message, f.LateAt)
	}
	if n := jobstest.Count(t, w.DB, `SELECT count(*) FROM accounts WHERE open_at > '2026-11-25 14:35Z'`); n < 15 {
		t.Errorf("%d people wait for a look", n)
	}
}

// Where few took part, they are looked at, and a list of everybody is not read; where
// nobody did, nothing is asked.
func TestARoundOfFew(t *testing.T) {
	t.Parallel()
	w := newRounds(t, 40, 2500)
	w.until(roundEnds.Add(16 * time.Minute))
	if err := w.DB.Exec(`UPDATE accounts SET due_at = ?`, w.Now().AddDate(0, 0, 3)).Error; err != nil {
		t.Fatal(err)
	}
	w.readRounds()
	w.look()
	made, stored, people := w.rowsOf()
	asked := w.questions()
	t.Logf("%d members made %d rows: %v", people, made, asked)
	if people == 0 || people >= 15 || stored != made || asked["contest.status"] != 0 || asked["contest.standings"] != 1 || asked["user.status"] < people || asked["user.status"] > people+2 {
		t.Errorf("%d rows are stored of %d by %d people: %v", stored, made, people, asked)
	}
	w.out.Forget()
	if err := w.DB.Exec(`UPDATE accounts SET newest_at = '2020-01-01'`).Error; err != nil { // Everybody stopped long ago.
		t.Fatal(err)
	}
	w.until(roundEnds.Add(6*24*time.Hour + 16*time.Minute))
	w.readRounds()
	if asked := w.questions(); asked["contest.status"]+asked["contest.standings"] != 0 {
		t.Errorf("nobody took part: %v", asked)
	}
	if err := w.DB.Exec(`DELETE FROM accounts WHERE id NOT IN (SELECT id FROM accounts WHERE site = 'codeforces' ORDER BY id LIMIT 2)`).Error; err != nil {
		t.Fatal(err)
	}
	w.out.Forget()
	w.clock.Pass(24 * time.Hour)
	w.readRounds()
	if asked := w.questions(); len(asked) != 0 {
		t.Errorf("the list of rounds is not worth it for two: %v", asked)
	}
}

// An answer that cannot be read moves nothing, and the round is read when it is back.
func TestARoundThatBreaks(t *testing.T) {
	t.Parallel()
	for path, kinds := range map[string][]string{"contest.list": {"emptied", "cutjson"}, "contest.standings": {"markup", "503"}, "contest.status": {"markup", "emptied", "cutjson"}} {
		for _, kind := range kinds {
			t.Run(path+" "+kind, func(t *testing.T) {
				t.Parallel()
				w := newRounds(t, 90, 100)
				was, before := w.progress(models.KindRounds), w.settledSum()
				w.until(roundEnds.Add(16 * time.Minute))
				if err := w.out.SetFault("codeforces", standin.Fault{Kind: kind, Path: path}); err != nil {
					t.Fatal(err)
				}
				w.readRounds()
				f := w.progress(models.KindRounds)
				if want := map[string]string{"503": pg.OutcomeServerError}[kind]; f.Outcome == pg.OutcomeOK || want != "" && f.Outcome != want || !f.CursorAt.Equal(*was.CursorAt) || f.Failures != 1 || !f.DueAt.After(w.Now()) {
					t.Errorf("%s (%s), cursor %s, was %s, due %s", f.Outcome, f.Message, f.CursorAt, was.CursorAt, f.DueAt)
				}
				if _, stored, _ := w.rowsOf(); stored != 0 || w.settledSum() != before {
					t.Errorf("%d rows are stored", stored)
				}
				w.out.ClearFaults("")
				w.clock.Pass(2 * time.Minute)
				w.readRounds()
				if made, stored, _ := w.rowsOf(); made == 0 || stored != made {
					t.Errorf("%d rows of %d when it is back: %+v", stored, made, w.progress(models.KindRounds))
				}
			})
		}
	}
}

// Two processes read a round once.
func TestTwoReadARound(t *testing.T) {
	t.Parallel()
	w := newRounds(t, 90, 3000)
	w.until(roundEnds.Add(16 * time.Minute))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if err := w.Rounds(t.Context(), w.site, w.site.(sites.Rounder)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if made, stored, _ := w.rowsOf(); made == 0 || stored != made {
		t.Errorf("%d rows of %d: %+v", stored, made, w.progress(models.KindRounds))
	}
	if asked := w.questions(); asked["contest.list"] != 1 || asked["contest.standings"] != 1 || asked["contest.status"] > 5 {
		t.Errorf("asked %v", asked)
	}
}
