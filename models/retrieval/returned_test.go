package retrieval_test

import (
	"slices"
	"testing"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

// quietWorld is a member with accounts that wait for days, of whom "busy" is fetched daily,
// "fresh" was fetched an hour ago, and "broken" fails.
func quietWorld(t *testing.T, tx *gorm.DB) members.Member {
	t.Helper()
	m := modelstest.Member(t, tx, "ada", nil, noon)
	long, hour, yesterday := noon.AddDate(0, 0, -2), noon.Add(-time.Hour), noon.AddDate(0, 0, -1)
	for site, s := range map[string]members.Schedule{
		"quiet": {Delay: 5, LastAttemptAt: &long}, "quieter": {Delay: 40, LastAttemptAt: &long},
		"busy": {Delay: 4, LastAttemptAt: &long}, "fresh": {Delay: 12, LastAttemptAt: &hour},
		"broken": {Delay: 12, LastAttemptAt: &long, Failures: 1},
	} {
		a := members.Account{Schedule: s}
		if site == "busy" {
			a.NewestAt = &yesterday
		}
		a.MemberID, a.Site, a.Handle, a.State, a.Outcome = m.ID, site, site, members.StateActive, pg.OutcomeOK
		a.LastRetrievedAt, a.CompleteUntil, a.DueAt, a.CreatedAt = a.LastAttemptAt, a.LastAttemptAt, noon.AddDate(0, 0, 3), noon.AddDate(-1, 0, 0)
		modelstest.Account(t, tx, &a)
	}
	return m
}

// dueFor returns the sites whose accounts are due at noon for a reason.
func dueFor(t *testing.T, tx *gorm.DB, reason retrieval.Reason) (sites []string) {
	t.Helper()
	err := tx.Raw(`SELECT site FROM account_details WHERE due_at <= ? AND reason = ? ORDER BY site`, noon, string(reason)).Scan(&sites).Error
	if err != nil {
		t.Fatal(err)
	}
	return sites
}

func TestSignedIn(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	m := quietWorld(t, tx)
	if err := retrieval.SignedIn(t.Context(), tx, m.ID, noon); err != nil {
		t.Fatal(err)
	}
	if got, want := dueFor(t, tx, retrieval.ReasonSignIn), []string{"quiet", "quieter"}; !slices.Equal(got, want) {
		t.Errorf("due after signing in: %v, want %v", got, want)
	}
}

// News of a quiet account make the member's other quiet ones due; news of a busy one do not.
// A bulk check that found them has set the delay to 0 before.
func TestNewsElsewhere(t *testing.T) {
	t.Parallel()
	for site, want := range map[string][]string{"quiet": {"quieter"}, "busy": nil} {
		t.Run(site, func(t *testing.T) {
			t.Parallel()
			tx := modelstest.Tx(t)
			quietWorld(t, tx)
			if err := tx.Exec(`UPDATE account_schedule SET delay = 0 WHERE site = ?`, site).Error; err != nil {
				t.Fatal(err)
			}
			dueNow(t, tx, site)
			fetch(t, tx, site, noon, found("1", noon.Add(-time.Hour), "AC"))
			if got := dueFor(t, tx, retrieval.ReasonReturn); !slices.Equal(got, want) {
				t.Errorf("due after news on %s: %v, want %v", site, got, want)
			}
		})
	}
}
