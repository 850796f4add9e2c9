package retrieval_test

import (
	"maps"
	"os"
	"strings"
	"testing"

	"laurel/jobs/standin"
	"laurel/models/modelstest"
)

// takenPart is how each submission was taken part in, and in which contest: "contest 1", or - for what is unknown.
func (w *world) takenPart(t *testing.T) map[string]string {
	t.Helper()
	var rows []struct{ Key, Facts string }
	if err := w.DB.WithContext(t.Context()).Raw(`
		SELECT a.site || ' ' || s.site_id AS key, coalesce(s.participation, '-') || ' ' || coalesce(c.key, '-') AS facts
		FROM submissions s JOIN accounts a ON a.id = s.account_id LEFT JOIN contests c ON c.id = s.contest_id`).Scan(&rows).Error; err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, r := range rows {
		all[r.Key] = r.Facts
	}
	return all
}

// Rows that were stored before Laurel knew of contests get them once: from kept answers, else from
// one whole reading, which the upgrade makes due. It is no revision.
func TestContestsOfOldRows(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Seed: 7, People: 1, Begin: modelstest.Noon.AddDate(0, -2, 0)})
	p := w.out.People()[0]
	m := modelstest.Member(t, w.DB.DB, p.Name, p.Handles, w.Now())
	w.round(t)
	want, known := w.takenPart(t), 0
	for _, facts := range want {
		if !strings.Contains(facts, "-") {
			known++
		}
	}
	if known < 20 {
		t.Fatalf("%d rows of %d have a contest; the test needs more", known, len(want))
	}
	forget := func() {
		t.Helper()
		if err := w.DB.Exec(`UPDATE submissions SET participation = NULL, contest_id = NULL`).Error; err != nil {
			t.Fatal(err)
		}
	}
	same := func(how string) {
		t.Helper()
		if got := w.takenPart(t); !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v", how, got, want)
		}
		var revised int
		if err := w.DB.Raw(`SELECT count(*) FROM submissions WHERE revised_at IS NOT NULL`).Scan(&revised).Error; err != nil || revised > 0 {
			t.Errorf("%s: %d rows count as revised, %v", how, revised, err)
		}
	}
	forget()
	w.out.Forget()
	w.reread(t, false)
	same("from kept answers")
	if n := len(w.out.Log()); n > 0 {
		t.Errorf("%d requests were made", n)
	}

	forget()
	if err := w.DB.Exec(`DELETE FROM fetches`).Error; err != nil {
		t.Fatal(err)
	}
	upgrade, err := os.ReadFile("../../migrations/00123_facts_of_old_rows.sql")
	if err != nil {
		t.Fatal(err)
	}
	_, statement, _ := strings.Cut(string(upgrade), "-- +goose Up")
	if err := w.DB.Exec(`UPDATE account_schedule SET audit_due_at = 'infinity'`).Error; err != nil {
		t.Fatal(err)
	}
	if err := w.DB.Exec(strings.ReplaceAll(statement, "now()", "CAST('"+w.Now().Format("2006-01-02 15:04:05Z07:00")+"' AS timestamptz)")).Error; err != nil {
		t.Fatal(err)
	}
	var idle []string
	if err := w.DB.Raw(`SELECT s.site FROM account_schedule s WHERE s.audit_due_at > ? AND EXISTS (
		SELECT FROM submissions x WHERE x.account_id = s.account_id)`, w.Now()).Scan(&idle).Error; err != nil || len(idle) > 0 {
		t.Errorf("the upgrade leaves %v as they are, %v", idle, err)
	}
	w.readWhole(t, m)
	same("from a whole reading")
}
