package pushes_test

import (
	"fmt"
	"testing"
	"time"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

// What a member brings of what a site counts and does not list is no longer missing, before the next fetch.
func TestWhatIsBroughtIsNotMissing(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	sites := declared(t, tx)
	m := modelstest.Member(t, tx, "ada", map[string]string{"uva": "ada"}, noon)
	d := modelstest.Claim(t, tx, "uva", noon)
	modelstest.StorePage(t, tx, d, noon, retrieval.Found{ID: "9", At: noon.Add(-time.Hour), ProblemKey: "a", Status: "AC"})
	day := noon.AddDate(0, 0, -9).Truncate(24 * time.Hour)
	modelstest.Finish(t, tx, d, retrieval.Result{Outcome: pg.OutcomeOK, Reported: &retrieval.Counted{
		Total: 6, Solved: 6, Days: map[time.Time]int{day: 2, noon.Truncate(24 * time.Hour): 1}}}, noon)
	line := func(id int, at time.Time) string {
		return fmt.Sprintf(`{"site":"uva","id":"%d","problem":{"key":"p%d"},"status":"AC","submitted_at":%q}`, id, id, at.Format(time.RFC3339))
	}
	lacks := func(missing int) {
		t.Helper()
		as, err := members.AccountsOf(t.Context(), tx, m.ID)
		if err != nil {
			t.Fatal(err)
		}
		p := modelstest.Profile(t, tx, "ada")
		if a := as[0]; a.Missing != missing || p.Stats.UndetailedSubmissions != missing || a.MissingFrom != nil {
			t.Errorf("%d are missing from %v on, the profile adds %d; want %d", a.Missing, a.MissingFrom, p.Stats.UndetailedSubmissions, missing)
		}
	}
	lacks(5) // Two of that day, and three nobody knows of when.
	bring(t, tx, m, sites, []string{line(1, day.Add(time.Hour)), line(2, noon.AddDate(-1, 0, 0))}, noon)
	lacks(3)
	bring(t, tx, m, sites, []string{line(3, day.Add(time.Hour)), line(4, noon.AddDate(-1, 0, 0)), line(5, noon.AddDate(-2, 0, 0))}, noon)
	lacks(0)
	bring(t, tx, m, sites, []string{line(6, noon.AddDate(-3, 0, 0))}, noon) // One more than the site counts.
	lacks(0)
}

// Where days are known to lack some, a day that is brought is none of them any more.
func TestADayThatIsBroughtIsWhole(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	sites := declared(t, tx)
	m := modelstest.Member(t, tx, "ada", map[string]string{"uva": "ada"}, noon)
	d := modelstest.Claim(t, tx, "uva", noon)
	first, last := noon.AddDate(0, 0, -9).Truncate(24*time.Hour), noon.AddDate(0, 0, -5).Truncate(24*time.Hour)
	modelstest.Finish(t, tx, d, retrieval.Result{Outcome: pg.OutcomeOK, Reported: &retrieval.Counted{
		Total: 2, Solved: 2, Days: map[time.Time]int{first: 1, last: 1}}}, noon)
	bring(t, tx, m, sites, []string{fmt.Sprintf(`{"site":"uva","id":"1","problem":{"key":"p"},"status":"AC","submitted_at":%q}`,
		first.Add(time.Hour).Format(time.RFC3339))}, noon)
	as, err := members.AccountsOf(t.Context(), tx, m.ID)
	if err != nil {
		t.Fatal(err)
	}
	if a := as[0]; a.Missing != 1 || a.MissingFrom == nil || !a.MissingFrom.Equal(last) || !a.MissingUntil.Equal(last) {
		t.Errorf("%d are missing from %v until %v, want 1 on %s", a.Missing, a.MissingFrom, a.MissingUntil, last)
	}
}
