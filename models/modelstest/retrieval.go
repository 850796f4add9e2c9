package modelstest

import (
	"testing"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/notices"
	"laurel/models/retrieval"
)

// Lease is the lease of the one worker of most tests.
var Lease = pg.Lease{ID: "worker", For: 5 * time.Minute}

// Overlap is how long rows of the invented site may change.
const Overlap = time.Hour

// Claim leases the one account of a site that is asked for or due.
func Claim(t testing.TB, db *gorm.DB, site string, now time.Time) *retrieval.Due {
	t.Helper()
	due, err := retrieval.ClaimRequested(t.Context(), db, site, Lease, 1, now)
	if err == nil && len(due) == 0 {
		due, err = retrieval.ClaimDue(t.Context(), db, site, Lease, 1, now)
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(due) != 1 {
		t.Fatalf("nothing to claim on %s at %s", site, now)
	}
	return &due[0]
}

// Take leases a member's account on a site, due or not.
func Take(t testing.TB, db *gorm.DB, m members.Member, site string, now time.Time) *retrieval.Due {
	t.Helper()
	err := db.Exec(`UPDATE account_schedule SET lease_id = 'test', leased_until = @until, started_at = @now
		WHERE site = @site AND account_id IN (SELECT id FROM accounts WHERE member_id = @id)`,
		map[string]any{"until": now.Add(time.Minute), "now": now, "id": m.ID, "site": site}).Error
	if err != nil {
		t.Fatal(err)
	}
	return &retrieval.Due{Account: AccountOn(t, db, m.ID, site), TimeZone: m.TimeZone}
}

// StorePage stores rows of one page.
func StorePage(t testing.TB, db *gorm.DB, d *retrieval.Due, now time.Time, rows ...retrieval.Found) retrieval.Stored {
	t.Helper()
	s, err := retrieval.StorePage(t.Context(), db, &d.Account, retrieval.Page{Rows: rows, Next: 2, Lease: Lease.For}, now)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Finish ends a retrieval, well if nothing else is given, and returns the account.
func Finish(t testing.TB, db *gorm.DB, d *retrieval.Due, res retrieval.Result, now time.Time) members.Account {
	t.Helper()
	if res.Outcome == "" {
		res.Outcome = pg.OutcomeOK
	}
	if err := retrieval.Finish(t.Context(), db, d, res, Rule, now); err != nil {
		t.Fatal(err)
	}
	return AccountOn(t, db, d.MemberID, d.Site)
}

// AccountOn returns a member's account on a site.
func AccountOn(t testing.TB, db *gorm.DB, memberID int64, site string) members.Account {
	t.Helper()
	all, err := members.AccountsOf(t.Context(), db, memberID)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		if a.Site == site {
			return a
		}
	}
	t.Fatalf("member %d has no account on %s", memberID, site)
	return members.Account{}
}

// Rule is the schedule of tests.
var Rule = retrieval.Rule{Rate: 1, Overlap: Overlap}

// Heard lets out the notices that are due, and returns what a member reads.
func Heard(t testing.TB, db *gorm.DB, memberID int64, now time.Time) (sentences []string) {
	t.Helper()
	if _, err := notices.Release(t.Context(), db, notices.Ways{}, 100, now); err != nil {
		t.Fatal(err)
	}
	lines, _, err := notices.Of(t.Context(), db, memberID, pg.Cursor{}, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines {
		sentences = append(sentences, l.Sentence())
	}
	return sentences
}
