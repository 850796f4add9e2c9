package awards_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"laurel/models/awards"
	"laurel/models/modelstest"
	"laurel/models/submissions"
)

const solver = `{"slug":"%s","title":"Solver","permanence":"live","objectives":[{"id":"o","filters":[
	{"name":"SourceFilter","config":{"sources":["submissions"]}},{"name":"StatusFilter","config":{"statuses":["active"]}}],
	"rule":{"name":"UniqueByObjectRule"}}],"strategy":{"objective_id":"o","goal":9},"levels":[{"title":"I","goal":2},{"title":"II","goal":5},{"title":"III","goal":9}]}`

// An ownWorld has submissions of two members, and what they should be worth, counted from a list that the test keeps.
type ownWorld struct {
	*modelstest.AwardWorld
	accounts map[string]int64 // By member.
	ids      map[string]int64
	rows     map[int]*solved
}

type solved struct {
	member, problem string
	at              time.Time
	accepted        bool
}

func newOwnWorld(t *testing.T) *ownWorld {
	w := &ownWorld{AwardWorld: modelstest.NewAwardWorld(t), accounts: map[string]int64{}, ids: map[string]int64{}, rows: map[int]*solved{}}
	for i := range 40 { // So that they are in different parts.
		name := fmt.Sprint("m", i)
		if i%39 == 0 {
			name = map[int]string{0: "ada", 39: "grace"}[i]
		}
		m := modelstest.Member(t, w.DB, name, map[string]string{"codeforces": name}, w.Now)
		if i%39 == 0 {
			w.ids[name] = m.ID
			w.accounts[name] = int64(w.Count(fmt.Sprint("SELECT id FROM accounts WHERE member_id = ", m.ID)))
		}
	}
	for i := range 12 {
		w.exec(`INSERT INTO problems (site, key, name, url) VALUES ('codeforces', ?, 'P', '')`, fmt.Sprint("p", i))
	}
	return w
}

func (w *ownWorld) exec(stmt string, args ...any) {
	w.Helper()
	if err := w.DB.Exec(stmt, args...).Error; err != nil {
		w.Fatal(err)
	}
}

// puts stores submission n as it is now, and says so or not.
func (w *ownWorld) puts(n int, s solved, tell bool) {
	w.Helper()
	w.rows[n] = &s
	status := map[bool]string{true: "AC", false: "WA"}[s.accepted]
	w.exec(`INSERT INTO submissions (account_id, member_id, site, site_id, problem_id, status, verdict, language, submitted_at, url, first_seen_at)
		SELECT ?, ?, 'codeforces', ?, id, ?, '', '', ?, '', ? FROM problems WHERE key = ?
		ON CONFLICT (account_id, site_id) DO UPDATE SET status = EXCLUDED.status, submitted_at = EXCLUDED.submitted_at, problem_id = EXCLUDED.problem_id,
			revised_at = EXCLUDED.first_seen_at`, w.accounts[s.member], w.ids[s.member], fmt.Sprint(n), status, s.at, w.Now, s.problem)
	if tell {
		w.tells(n, s.member)
	}
}

func (w *ownWorld) id(n int) int {
	return w.Count(fmt.Sprintf(`SELECT coalesce(max(id), 0) FROM submissions WHERE site_id = '%d'`, n))
}

func (w *ownWorld) tells(n int, member string) {
	if err := submissions.EmitSubmissions(w.Context(), w.DB, w.ids[member], fmt.Sprintf("[%d]", w.id(n)), w.Now); err != nil {
		w.Fatal(err)
	}
}

func (w *ownWorld) removes(n int) {
	if err := submissions.EmitDeleted(w.Context(), w.DB, fmt.Sprintf("[%d]", w.id(n)), w.Now); err != nil {
		w.Fatal(err)
	}
	w.exec(`DELETE FROM submissions WHERE site_id = ?`, fmt.Sprint(n))
	delete(w.rows, n)
}

// should is what a member should have: distinct problems accepted, and when each level was reached.
func (w *ownWorld) should(member string) string {
	first := map[string]time.Time{}
	for _, s := range w.rows {
		if at, ok := first[s.problem]; s.member == member && s.accepted && (!ok || s.at.Before(at)) {
			first[s.problem] = s.at
		}
	}
	out := fmt.Sprint(len(first), " of 9")
	var times []time.Time
	for _, at := range first {
		i := 0
		for i < len(times) && times[i].Before(at) {
			i++
		}
		times = append(times[:i], append([]time.Time{at}, times[i:]...)...)
	}
	for level, goal := range []int{2, 5, 9} {
		if len(times) >= goal {
			out += fmt.Sprint(", ", level+1, " since ", times[goal-1].UTC().Format("15:04"))
		}
	}
	return out
}

var lost = regexp.MustCompile(`, \d lost, was since ..:..`)

func (w *ownWorld) compares(slug, what string) {
	w.Helper()
	for member := range w.ids {
		got := lost.ReplaceAllString(w.Has(member, slug), "")
		want := w.should(member)
		if got != want && (got != "" || want != "0 of 9") {
			w.Errorf("%s: %s has %q, want %q", what, member, got, want)
		}
	}
	if list, _, _ := differences(w.AwardWorld); len(list) > 0 {
		w.Errorf("%s: %s", what, strings.Join(list, "; "))
	}
}

// Submissions that come, are judged anew, get another time and go, in any order and told more than once, count as a
// list in memory says; an award that comes later counts the same.
func TestOwnRowsAreCountedFromThemselves(t *testing.T) {
	t.Parallel()
	runs := 3
	if os.Getenv("LAUREL_SOAK") != "" {
		runs = 40
	}
	for run := range runs {
		seed := uint64(time.Now().UnixNano())
		r := rand.New(rand.NewPCG(seed, 0))
		w := newOwnWorld(t)
		early := r.IntN(2) == 0
		if early {
			w.Runs(fmt.Sprintf(solver, "first"))
		}
		for range 60 {
			n := r.IntN(30)
			member := []string{"ada", "grace"}[n%2]
			if w.rows[n] != nil && r.IntN(4) == 0 {
				w.removes(n)
				continue
			}
			s := solved{member, fmt.Sprint("p", r.IntN(12)), modelstest.Noon.Add(time.Duration(r.IntN(60)) * time.Minute), r.IntN(3) > 0}
			w.puts(n, s, true)
			if r.IntN(3) == 0 {
				w.tells(n, member)
			}
			if r.IntN(5) == 0 {
				w.Works()
			}
		}
		if !early {
			if rows := w.Count(`SELECT (SELECT count(*) FROM items) + (SELECT count(*) FROM events)`); rows != 0 {
				t.Errorf("%d rows in ledger and bus while no award counts", rows)
			}
		}
		w.Runs(fmt.Sprintf(solver, "second"))
		w.Works()
		if early {
			w.compares("first", fmt.Sprint("run ", run, " of seed ", seed))
		}
		w.compares("second", fmt.Sprint("run ", run, " of seed ", seed, ", counted later"))
		if n := w.Count(`SELECT count(*) FROM items WHERE body <> '' OR contributions = '[]'`); n > 0 {
			t.Errorf("%d rows of the ledger hold a body, or nothing that counts", n)
		}
	}
}

// A transaction that did not know that an award counts its source is waited for.
func TestARecountWaitsForWhoDidNotTell(t *testing.T) {
	t.Parallel()
	w := newOwnWorld(t)
	other := w.DB.Begin()
	mine := *w.AwardWorld
	mine.DB = other
	quiet := &ownWorld{AwardWorld: &mine, accounts: w.accounts, ids: w.ids, rows: w.rows}
	quiet.puts(1, solved{"ada", "p1", modelstest.Noon, true}, true)
	w.Runs(fmt.Sprintf(solver, "first"))
	for range 3 {
		if worked, err := awards.RecountPending(t.Context(), w.DB, w.Ruleset, 1000, w.Now); err != nil {
			t.Fatal(err)
		} else if open := w.Count(`SELECT count(*) FROM award_recounts WHERE finished_at IS NULL`); open != 1 {
			t.Fatalf("the recount did not wait (worked %v)", worked)
		}
	}
	if err := other.Commit().Error; err != nil {
		t.Fatal(err)
	}
	w.Works()
	w.compares("first", "after the other transaction")
}
