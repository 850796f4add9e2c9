package awards_test

import (
	"fmt"
	"testing"
	"time"

	"gorm.io/gorm"

	"laurel/models/modelstest"
	"laurel/models/retrieval"
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

// dueNow makes an account due again without passing its days.
func dueNow(t testing.TB, db *gorm.DB, site string) {
	t.Helper()
	if err := db.Exec(`UPDATE accounts SET due_at = '2000-01-01' WHERE site = ?`, site).Error; err != nil {
		t.Fatal(err)
	}
}
