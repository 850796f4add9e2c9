package submissions_test

import (
	"fmt"
	"testing"
	"time"

	"laurel/models/accounts"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
	modelsubmissions "laurel/models/submissions"
)

// sub is a row of a site's list, some hours after noon.
func sub(id, problem, status string, hours int) retrieval.Found {
	return retrieval.Found{ID: id, At: modelstest.Noon.Add(time.Duration(hours) * time.Hour), ProblemKey: problem, ProblemName: "Sample " + problem, ProblemURL: "https://judge.example/" + problem,
		Status: status, Verdict: status, Language: "Go", URL: "https://judge.example/s/" + id}
}

// counting is an award with one objective that has these filters and this rule.
func counting(slug, filters, rule string) string {
	return fmt.Sprintf(`{"slug":%q,"title":"T","permanence":"live","objectives":[{"id":"o","filters":[%s],"rule":%s}],"strategy":{"objective_id":"o","goal":100}}`, slug, filters, rule)
}

func TestSubmissionsAreEvents(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t)
	ada := modelstest.Member(t, w.DB, "ada", map[string]string{"a": "x"}, modelstest.Noon)
	w.Runs(counting("accepted", `{"name":"TypeFilter","config":{"types":["submission"]}}`, `{"name":"CountRule"}`))
	w.Runs(counting("problems", `{"name":"SourceFilter","config":{"sources":["submissions"]}}`, `{"name":"UniqueByObjectRule"}`))
	w.Runs(counting("first", `{"name":"TypeFilter","config":{"types":["submission"]}},{"name":"FirstSolveFilter"},{"name":"TimeOfDayFilter","config":{"from":"12:00","until":"14:00"}}`, `{"name":"CountRule"}`))
	w.Runs(counting("days", `{"name":"SourceFilter","config":{"sources":["days"]}}`, `{"name":"ConsecutiveDaysRule"}`))
	w.Runs(counting("rating", `{"name":"TypeFilter","config":{"types":["rating"]}}`, `{"name":"MaxRule","config":{"fact":"rating"}}`))
	fetch := func(ratings []modelsubmissions.RatingFound, rows ...retrieval.Found) {
		t.Helper()
		dueNow(t, w.DB, "a")
		d := modelstest.Claim(t, w.DB, "a", modelstest.Noon)
		modelstest.StorePage(t, w.DB, d, modelstest.Noon, rows...)
		modelstest.Finish(t, w.DB, d, retrieval.Result{Outcome: pg.OutcomeOK, Ratings: ratings, RatingsRead: ratings != nil}, modelstest.Noon)
		w.Works()
	}
	wants := func(accepted, problems, first, days, rating string) {
		t.Helper()
		for slug, want := range map[string]string{"accepted": accepted, "problems": problems, "first": first, "days": days, "rating": rating} {
			if got := w.Has("ada", slug); got != want {
				t.Errorf("%s: %q, want %q", slug, got, want)
			}
		}
	}
	fetch([]modelsubmissions.RatingFound{{Contest: "c1", Rating: 90, Rank: 3, At: modelstest.Noon}, {Contest: "c2", Rating: 70, Rank: 5, At: modelstest.Noon}},
		sub("4", "P", "AC", 25), sub("5", "Q", "PENDING", 26), sub("6", "R", "WA", 50))
	wants("1 of 100", "1 of 100", "1 of 100", "2 of 100", "90 of 100")
	// An older solution of P comes later, at another time of day; Q was judged.
	fetch([]modelsubmissions.RatingFound{{Contest: "c2", Rating: 75, Rank: 5, At: modelstest.Noon}}, sub("1", "P", "AC", 5), sub("5", "Q", "AC", 26))
	wants("3 of 100", "2 of 100", "0 of 100", "3 of 100", "75 of 100")
	// The older one was rejudged: the later one is the first again.
	fetch(nil, sub("1", "P", "WA", 5))
	wants("2 of 100", "2 of 100", "1 of 100", "3 of 100", "75 of 100")
	if err := accounts.SetHandles(t.Context(), w.DB, []members.Site{{Name: "a"}}, ada.ID, map[string]string{"a": ""}, modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	w.Works()
	wants("0 of 100", "0 of 100", "0 of 100", "0 of 100", "0 of 100")
	if err := accounts.Delete(t.Context(), w.DB, ada.ID); err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"items", "objective_cells", "objective_counters", "award_log", "user_awards"} {
		var n int
		if err := w.DB.Raw(`SELECT count(*) FROM ` + table).Scan(&n).Error; err != nil || n != 0 {
			t.Errorf("%d rows of a deleted member in %s, %v", n, table, err)
		}
	}
}
