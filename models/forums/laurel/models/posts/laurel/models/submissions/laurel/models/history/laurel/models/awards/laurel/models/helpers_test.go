package models_test

import (
	"fmt"
	"regexp"
	"testing"
	"time"

	"gorm.io/gorm"

	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

func second[T any](_ T, err error) error { return err }

// sub is a row of a site's list, some hours after noon.
func sub(id, problem, status string, hours int) retrieval.Found {
	return retrieval.Found{ID: id, At: modelstest.Noon.Add(time.Duration(hours) * time.Hour), ProblemKey: problem, ProblemName: "Sample " + problem, ProblemURL: "https://judge.example/" + problem,
		Status: status, Verdict: status, Language: "Go", URL: "https://judge.example/s/" + id}
}

// counting is an award with one objective that has these filters and this rule.
func counting(slug, filters, rule string) string {
	return fmt.Sprintf(`{"slug":%q,"title":"T","permanence":"live","objectives":[{"id":"o","filters":[%s],"rule":%s}],"strategy":{"objective_id":"o","goal":100}}`, slug, filters, rule)
}

var judgeSite = members.Site{Name: "judge", Title: "Judge", Handle: regexp.MustCompile(`^[a-z]{1,9}$`), Hint: "1 to 9 letters"}

// found is a submission of the problem that its id names.
func found(id string, at time.Time, status string) retrieval.Found {
	return retrieval.Found{ID: id, At: at, ProblemKey: "p" + id, ProblemName: "Problem " + id, ProblemURL: "https://judge.example/p" + id,
		Status: status, Verdict: status, Language: "Go", URL: "https://judge.example/s" + id}
}

// look is claim, store, finish.
func look(t testing.TB, db *gorm.DB, site string, now time.Time, rows ...retrieval.Found) members.Account {
	t.Helper()
	d := modelstest.Claim(t, db, site, now)
	modelstest.StorePage(t, db, d, now, rows...)
	return modelstest.Finish(t, db, d, retrieval.Result{}, now)
}

// dueNow makes an account due again without passing its days.
func dueNow(t testing.TB, db *gorm.DB, site string) {
	t.Helper()
	if err := db.Exec(`UPDATE accounts SET due_at = '2000-01-01' WHERE site = ?`, site).Error; err != nil {
		t.Fatal(err)
	}
}

func equal(a, b *time.Time) bool {
	return a == nil && b == nil || a != nil && b != nil && a.Equal(*b)
}
