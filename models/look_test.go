package models_test

import (
	"fmt"
	"testing"
	"time"

	"gorm.io/gorm"

	"laurel/models"
	pg "laurel/models/db"
	"laurel/models/modelstest"
)

// What a look does, for the tests of its parts.

var (
	noon  = modelstest.Noon
	lease = pg.Lease{ID: "worker", For: 5 * time.Minute}
)

const overlap = time.Hour

// claim leases the one account of a site that is asked for or due.
func claim(t testing.TB, db *gorm.DB, site string, now time.Time) *models.Due {
	t.Helper()
	due, err := models.ClaimAsked(t.Context(), db, site, lease, 1, now)
	if err == nil && len(due) == 0 {
		due, err = models.ClaimDue(t.Context(), db, site, lease, 1, now)
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(due) != 1 {
		t.Fatalf("nothing to claim on %s at %s", site, now)
	}
	return &due[0]
}

// found is a submission of the problem that its id names.
func found(id string, at time.Time, status string) models.Found {
	return models.Found{ID: id, At: at, ProblemKey: "p" + id, ProblemName: "Problem " + id, ProblemURL: "https://judge.example/p" + id,
		Status: status, Verdict: status, Language: "Go", URL: "https://judge.example/s" + id}
}

func storePage(t testing.TB, db *gorm.DB, d *models.Due, now time.Time, rows ...models.Found) models.Stored {
	t.Helper()
	s, err := models.StorePage(t.Context(), db, &d.Account, rows, 2, lease.For, now)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func finish(t testing.TB, db *gorm.DB, d *models.Due, res models.Result, now time.Time) models.Account {
	t.Helper()
	if res.Outcome == "" {
		res.Outcome = pg.OutcomeOK
	}
	if err := models.FinishRetrieval(t.Context(), db, d, res, rule, overlap, now); err != nil {
		t.Fatal(err)
	}
	return account(t, db, d.MemberID, d.Site)
}

// look is claim, store, finish.
func look(t testing.TB, db *gorm.DB, site string, now time.Time, rows ...models.Found) models.Account {
	t.Helper()
	d := claim(t, db, site, now)
	storePage(t, db, d, now, rows...)
	return finish(t, db, d, models.Result{}, now)
}

// dueNow makes an account due again without passing its days.
func dueNow(t testing.TB, db *gorm.DB, site string) {
	t.Helper()
	if err := db.Exec(`UPDATE accounts SET due_at = '2000-01-01' WHERE site = ?`, site).Error; err != nil {
		t.Fatal(err)
	}
}

func account(t testing.TB, db *gorm.DB, memberID int64, site string) models.Account {
	t.Helper()
	all, err := models.AccountsOf(t.Context(), db, memberID)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		if a.Site == site {
			return a
		}
	}
	t.Fatalf("member %d has no account on %s", memberID, site)
	return models.Account{}
}

// profile returns a member's profile with all its days.
func profile(t testing.TB, db *gorm.DB, name string) models.Profile {
	t.Helper()
	p, err := models.ProfileOf(t.Context(), db, name, time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC), 1000)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// days returns the days of a profile as text: 2026-11-21 3/1 is three submissions, one accepted.
func days(p models.Profile) []string {
	out := []string{}
	for _, d := range p.Days {
		out = append(out, dayText(d))
	}
	return out
}

func equal(a, b *time.Time) bool {
	return a == nil && b == nil || a != nil && b != nil && a.Equal(*b)
}

func dayText(d models.Day) string {
	return fmt.Sprintf("%s %d/%d", d.Day.Format(time.DateOnly), d.Submissions, d.Accepted)
}
