package submissions_test

import (
	"testing"
	"time"

	"gorm.io/gorm"

	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

// found is a submission of the problem that its id names.
func found(id string, at time.Time, status string) retrieval.Found {
	return retrieval.Found{ID: id, At: at, ProblemKey: "p" + id, ProblemName: "Problem " + id, ProblemURL: "https://judge.example/p" + id,
		Status: status, Verdict: status, Language: "Go", URL: "https://judge.example/s" + id}
}

// fetch is claim, store, finish.
func fetch(t testing.TB, db *gorm.DB, site string, now time.Time, rows ...retrieval.Found) members.Account {
	t.Helper()
	d := modelstest.Claim(t, db, site, now)
	modelstest.StorePage(t, db, d, now, rows...)
	return modelstest.Finish(t, db, d, retrieval.Result{}, now)
}

// dueNow makes an account due again without passing its days.
func dueNow(t testing.TB, db *gorm.DB, site string) {
	t.Helper()
	if err := db.Exec(`UPDATE account_schedule SET due_at = '2000-01-01' WHERE site = ?`, site).Error; err != nil {
		t.Fatal(err)
	}
}

func equal(a, b *time.Time) bool {
	return a == nil && b == nil || a != nil && b != nil && a.Equal(*b)
}

func ptr[T any](v T) *T { return &v }
