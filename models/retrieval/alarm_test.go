package retrieval_test

import (
	"testing"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

func alarms(t testing.TB, db *gorm.DB) (open []string) {
	t.Helper()
	if err := db.Raw(`SELECT kind || ' ' || subject || ' ' || times FROM site_alarms WHERE closed_at IS NULL ORDER BY kind, subject`).Scan(&open).Error; err != nil {
		t.Fatal(err)
	}
	return open
}

// Admins hear once of each alarm, and not of one that ends within a minute.
func TestAdminsHearOfAlarms(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	boss := modelstest.Admin(t, tx)
	ada := broken(t, tx)
	if got := alarms(t, tx); len(got) != 1 || got[0] != "circuit  1" {
		t.Errorf("alarms %q", got)
	}
	for i := range 3 {
		due, err := retrieval.ClaimTrial(t.Context(), tx, "judge", modelstest.Lease, noon.Add(time.Duration(i)*time.Hour+time.Minute))
		if err != nil || len(due) != 1 {
			t.Fatal(due, err)
		}
		modelstest.Finish(t, tx, &due[0], retrieval.Result{Outcome: pg.OutcomeBlocked, Requests: 1}, noon.Add(time.Duration(i)*time.Hour+time.Minute))
	}
	got := modelstest.Heard(t, tx, boss.ID, noon.Add(4*time.Hour))
	if len(got) != 1 || got[0] != "A judge site needs attention: judge: several handles failed one after the other with no good answer between them, so the site is not asked; one handle is tried from time to time." {
		t.Errorf("notified of %q", got)
	}
	if got := modelstest.Heard(t, tx, ada.ID, noon.Add(4*time.Hour)); len(got) != 0 {
		t.Errorf("who is no admin was notified of %q", got)
	}
	due, err := retrieval.ClaimTrial(t.Context(), tx, "judge", modelstest.Lease, noon.Add(9*time.Hour))
	if err != nil || len(due) != 1 {
		t.Fatal(due, err)
	}
	modelstest.Finish(t, tx, &due[0], retrieval.Result{Requests: 1}, noon.Add(9*time.Hour))
	if got := alarms(t, tx); len(got) != 0 {
		t.Errorf("open alarms %q", got)
	}
	for range 3 {
		fails(t, tx, "judge", noon.AddDate(0, 0, 3))
	}
	if err := tx.Exec(`UPDATE site_circuits SET next_try_at = ?`, noon).Error; err != nil {
		t.Fatal(err)
	}
	if due, err = retrieval.ClaimTrial(t.Context(), tx, "judge", modelstest.Lease, noon.AddDate(0, 0, 3)); err != nil || len(due) != 1 {
		t.Fatal(due, err)
	}
	modelstest.Finish(t, tx, &due[0], retrieval.Result{Requests: 1}, noon.AddDate(0, 0, 3))
	if got := modelstest.Heard(t, tx, boss.ID, noon.AddDate(0, 0, 4)); len(got) != 1 {
		t.Errorf("of an alarm that ended at once, notified of %q", got)
	}
}

// Verdicts without a status and languages that are new are stored, counted and reported.
func TestNewTerms(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	boss := modelstest.Admin(t, tx)
	modelstest.Member(t, tx, "ada", map[string]string{"judge": "x"}, noon)
	termOf := func(id, language, verdict string) retrieval.Found {
		f := found(id, noon, "AC")
		f.Language = language
		if verdict != "" {
			f.Status, f.Verdict = "OTH", verdict
		}
		return f
	}
	d := modelstest.Claim(t, tx, "judge", noon)
	expected := termOf("0", "Go", "SUN")
	expected.Expected = true
	modelstest.StorePage(t, tx, d, noon, expected, termOf("1", "Go", ""), termOf("2", "C++", "MOON"), termOf("3", "C++", "MOON"))
	if got := alarms(t, tx); len(got) != 1 || got[0] != "verdict MOON 1" {
		t.Errorf("in the first week: %q", got)
	}
	later := noon.AddDate(0, 0, 8)
	modelstest.StorePage(t, tx, d, later, termOf("1", "Go", ""), termOf("4", "Go", ""), termOf("5", "Zig", "MOON"), termOf("6", "Zig", ""))
	if got := alarms(t, tx); len(got) != 2 || got[0] != "language Zig 1" || got[1] != "verdict MOON 2" {
		t.Errorf("later: %q", got)
	}
	terms, err := retrieval.SiteTerms(t.Context(), tx, false)
	if err != nil || len(terms) != 2 || terms[0].Term != "MOON" || terms[0].Times != 3 || terms[1].Term != "Zig" || terms[1].Times != 2 || !terms[1].FirstAt.Equal(later) || terms[1].Handle != "x" {
		t.Errorf("terms %+v (%v)", terms, err)
	}
	if got := modelstest.Heard(t, tx, boss.ID, later); len(got) != 1 || got[0] != "A judge site needs attention: judge, MOON: a verdict without a status of ours; its submissions are stored as OTH, with the site's own verdict." {
		t.Errorf("notified of %q", got)
	}
	if err := retrieval.AcknowledgeTerm(t.Context(), tx, "judge", "verdict", "MOON", later); err != nil {
		t.Fatal(err)
	}
	modelstest.StorePage(t, tx, d, later, termOf("7", "Zig", "MOON"))
	if got := alarms(t, tx); len(got) != 1 || got[0] != "language Zig 2" {
		t.Errorf("of a term that is known: %q", got)
	}
	if err := retrieval.WatchSites(t.Context(), tx, later.AddDate(0, 0, 8)); err != nil {
		t.Fatal(err)
	}
	if got := alarms(t, tx); len(got) != 0 {
		t.Errorf("not seen for a week: %q", got)
	}
}

// A good part of unreadable answers is an alarm until it is small again.
func TestUnreadableShare(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	for _, tt := range []struct {
		bad, good int
		want      bool
	}{{2, 0, false}, {3, 27, true}, {3, 28, false}, {30, 10, true}, {0, 50, false}} {
		if err := tx.Exec(`DELETE FROM site_hours`).Error; err != nil {
			t.Fatal(err)
		}
		for outcome, n := range map[string]int{"parse_error": tt.bad, "ok": tt.good} {
			if err := tx.Exec(`INSERT INTO site_hours VALUES ('judge', ?, ?, ?, 1, 0, ?, ?, '')`, noon, outcome, n, noon, noon).Error; err != nil {
				t.Fatal(err)
			}
		}
		if err := retrieval.WatchSites(t.Context(), tx, noon.Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		if got := alarms(t, tx); len(got) == 1 != tt.want {
			t.Errorf("%d bad, %d good: %q", tt.bad, tt.good, got)
		}
	}
}
