package retrieval_test

import (
	"testing"
	"time"

	pg "laurel/models/db"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

// Whole readings take a tenth of a site's requests, whoever waits longest first; who needs more than
// that tenth alone keeps nobody waiting.
func TestAuditsStayWithinATenth(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name                string
		requests, audits    int
		age                 time.Duration // Of these requests.
		first, second, want string        // How many requests the two took that are due, the first for longer.
	}{
		{"both fit", 1000, 0, time.Hour, "50", "3", "first"},
		{"the first fits exactly", 450, 0, time.Hour, "50", "3", "first"},
		{"the first waits for its part", 460, 10, time.Hour, "50", "3", ""},
		{"the first needs more than there is", 449, 0, time.Hour, "50", "3", "second"},
		{"what is left is enough for the second", 449, 20, time.Hour, "50", "3", "second"},
		{"what is left is not", 449, 45, time.Hour, "50", "3", ""},
		{"of a year ago", 1000, 0, 365 * 24 * time.Hour, "50", "3", "first"},
		{"of a year ago, less", 449, 45, 365 * 24 * time.Hour, "50", "3", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tx := modelstest.Tx(t)
			for i, name := range []string{"first", "second"} {
				m := modelstest.Member(t, tx, name, map[string]string{"judge": name}, noon.AddDate(-1, 0, 0))
				err := tx.Exec(`UPDATE account_schedule SET state = 'active', audit_due_at = ?, audit_requests = ? WHERE account_id IN (SELECT id FROM accounts WHERE member_id = ?)`,
					noon.Add(time.Duration(i-9)*time.Hour), []string{tt.first, tt.second}[i], m.ID).Error
				if err != nil {
					t.Fatal(err)
				}
			}
			at := noon.Add(-tt.age)
			err := tx.Exec(`INSERT INTO site_hours (site, hour, outcome, retrievals, requests, new_rows, audit_requests, first_at, last_at, message)
				VALUES ('judge', ?, 'ok', 1, ?, 0, ?, ?, ?, '')`, at, tt.requests, tt.audits, at, at).Error
			if err != nil {
				t.Fatal(err)
			}
			for range 2 { // What is old enough is folded, and counts as before.
				if err := pg.CleanUp(t.Context(), tx, noon); err != nil {
					t.Fatal(err)
				}
			}
			if err := retrieval.StartAudits(t.Context(), tx, noon); err != nil {
				t.Fatal(err)
			}
			var got string
			err = tx.Raw(`SELECT coalesce(string_agg(a.handle, ' '), '') FROM accounts a JOIN account_schedule s ON s.account_id = a.id WHERE s.audit_at = ?`, noon).Scan(&got).Error
			if err != nil || got != tt.want {
				t.Errorf("%q is read whole (%v), want %q", got, err, tt.want)
			}
		})
	}
}
