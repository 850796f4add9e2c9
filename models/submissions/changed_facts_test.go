package submissions_test

import (
	"fmt"
	"testing"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
	modelsubmissions "laurel/models/submissions"
)

// sent is a row of a contest's problem.
func sent(id, problem, contest, participation string, hours int) retrieval.Found {
	f := sub(id, problem, "AC", hours)
	f.Contest, f.ContestURL, f.Participation = contest, "https://judge.example/c/"+contest, participation
	return f
}

func tellFacts(t *testing.T, db *gorm.DB) {
	t.Helper()
	for more := true; more; {
		var err error
		if more, err = modelsubmissions.EmitChangedFacts(t.Context(), db, modelstest.Noon); err != nil {
			t.Fatal(err)
		}
	}
}

func exec(t *testing.T, db *gorm.DB, statement string, args ...any) {
	t.Helper()
	if err := db.Exec(statement, args...).Error; err != nil {
		t.Fatal(err)
	}
}

// What a row tells is stored with it, and what it does not tell takes nothing away.
func TestFactsOfRows(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	m := modelstest.Member(t, tx, "ada", map[string]string{"a": "x"}, modelstest.Noon)
	one := sent("1", "P", "c1", "virtual", 1)
	one.Difficulty, one.Tags = new(1500), []string{"dp", "math"}
	fetch(t, tx, "a", modelstest.Noon, one, sent("2", "P", "c1", "", 2), sub("3", "Q", "WA", 3))
	stored := func(id string) string {
		s := modelstest.Stored(t, tx, m.ID)[id]
		difficulty := "none"
		if s.Difficulty != nil {
			difficulty = fmt.Sprint(*s.Difficulty)
		}
		return fmt.Sprint(difficulty, " ", s.Tags, " ", s.ContestKey, " ", s.Participation)
	}
	for id, want := range map[string]string{"1": "1500 [dp math] c1 virtual", "2": "1500 [dp math] c1 unknown", "3": "none []  unknown"} {
		if got := stored(id); got != want {
			t.Errorf("submission %s: %s, want %s", id, got, want)
		}
	}
	// The contest's times become known: what was sent in it took part, what came later practised.
	exec(t, tx, `UPDATE contests SET starts_at = ?, ends_at = ?, times_due = true`, modelstest.Noon, modelstest.Noon.Add(150*time.Minute))
	tellFacts(t, tx)
	dueNow(t, tx, "a")
	fetch(t, tx, "a", modelstest.Noon, sent("1", "P", "c1", "virtual", 1), sent("2", "P", "c1", "", 2), sent("4", "P", "c1", "", 4))
	for id, want := range map[string]string{"1": "1500 [dp math] c1 virtual", "2": "1500 [dp math] c1 contest", "4": "1500 [dp math] c1 practice"} {
		if got := stored(id); got != want {
			t.Errorf("submission %s: %s, want %s", id, got, want)
		}
	}
	var linked, revised int
	exec(t, tx, `UPDATE submissions SET contest_id = NULL, participation = NULL`) // As releases before stored them.
	dueNow(t, tx, "a")
	if a := fetch(t, tx, "a", modelstest.Noon, one, sent("2", "P", "c1", "", 2)); a.Submissions != 4 {
		t.Errorf("%d submissions, want 4", a.Submissions)
	}
	if err := tx.Raw(`SELECT (SELECT count(*) FROM contest_problems), (SELECT count(*) FROM submissions WHERE past IS NOT NULL)`).
		Row().Scan(&linked, &revised); err != nil || linked != 1 || revised != 0 {
		t.Errorf("%d problems of contests, %d revised, %v; want 1 and 0", linked, revised, err)
	}
	if got, want := stored("1"), "1500 [dp math] c1 virtual"; got != want {
		t.Errorf("submission 1 again: %s, want %s", got, want)
	}
}

// Awards follow what becomes known of problems and contests later, and only what changed is told
// again.
func TestAwardsFollowFacts(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t)
	modelstest.Member(t, w.DB, "ada", map[string]string{"a": "x"}, modelstest.Noon)
	w.Runs(counting("hard", `{"name":"DifficultyFilter","config":{"min":2000}}`, `{"name":"CountRule"}`))
	w.Runs(counting("dp", `{"name":"TagFilter","config":{"tags":["dp"]}}`, `{"name":"CountRule"}`))
	w.Runs(counting("rounds", `{"name":"ContestFilter"}`, `{"name":"CountRule"}`))
	w.Runs(counting("virtual", `{"name":"ContestFilter","config":{"participations":["virtual"]}}`, `{"name":"CountRule"}`))
	hard := sent("1", "P", "c1", "virtual", 1)
	hard.Difficulty, hard.Tags = new(2400), []string{"dp"}
	d := modelstest.Claim(t, w.DB, "a", modelstest.Noon)
	modelstest.StorePage(t, w.DB, d, modelstest.Noon, hard, sent("2", "Q", "c2", "", 2), sent("3", "R", "c3", "contest", 3), sub("4", "S", "AC", 4))
	modelstest.Finish(t, w.DB, d, retrieval.Result{Outcome: pg.OutcomeOK}, modelstest.Noon)
	wants := func(hard, dp, rounds, virtual string) {
		t.Helper()
		w.Works()
		for slug, want := range map[string]string{"hard": hard, "dp": dp, "rounds": rounds, "virtual": virtual} {
			if got := w.Has("ada", slug); got != want+" of 100" {
				t.Errorf("%s: %q, want %s", slug, got, want)
			}
		}
	}
	wants("1", "1", "1", "1")
	before := w.Count(`SELECT count(*) FROM events`)
	tellFacts(t, w.DB)
	exec(t, w.DB, `UPDATE problems SET difficulty = 2100, tags = '{dp,math}', facts_due = true WHERE key = 'Q'`)
	exec(t, w.DB, `UPDATE contests SET starts_at = ?, ends_at = ?, times_due = true WHERE key = 'c2'`, modelstest.Noon, modelstest.Noon.Add(5*time.Hour))
	tellFacts(t, w.DB)
	if told := w.Count(`SELECT count(*) FROM events`) - before; told != 1 {
		t.Errorf("%d events, want 1: of the one submission that changed", told)
	}
	wants("2", "2", "2", "1")
	exec(t, w.DB, `UPDATE problems SET difficulty = 1900, facts_due = true WHERE key = 'P'`)
	tellFacts(t, w.DB)
	wants("1", "2", "2", "1")
}
