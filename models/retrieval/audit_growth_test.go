package retrieval_test

import (
	"fmt"
	"testing"
	"time"

	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

// A history that has grown since it was read whole takes more requests than then.
func TestAuditsOfHistoriesThatGrew(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		requests int
		started  int
	}{
		{100, 0}, {107, 0}, {108, 1}, // 2 requests for 20 rows then, and 12 rows a page: 117 rows more take 10 more.
	} {
		tx := modelstest.Tx(t)
		m := modelstest.Member(t, tx, "ada", map[string]string{"judge": "x"}, noon.AddDate(-1, 0, 0))
		var rows []retrieval.Found
		for i := range 137 {
			rows = append(rows, found(fmt.Sprint(i), noon.Add(time.Duration(20-i)*time.Minute), "AC"))
		}
		now := noon.AddDate(0, 1, 0)
		fetch(t, tx, "judge", now, rows...)
		err := tx.Exec(`UPDATE account_schedule SET audited_at = ?, audit_due_at = ?, audit_requests = 2`, noon.Add(-97*time.Minute), now).Error
		if err != nil {
			t.Fatal(err)
		}
		if err := tx.Exec(`DELETE FROM site_hours`).Error; err != nil {
			t.Fatal(err)
		}
		err = tx.Exec(`INSERT INTO site_hours (site, hour, outcome, retrievals, requests, new_rows, audit_requests, first_at, last_at, message)
			VALUES ('judge', ?, 'ok', 1, ?, 0, 0, ?, ?, '')`, now, tt.requests, now, now).Error
		if err != nil {
			t.Fatal(err)
		}
		if err := retrieval.StartAudits(t.Context(), tx, now); err != nil {
			t.Fatal(err)
		}
		var started int
		err = tx.Raw(`SELECT count(*) FROM account_schedule WHERE account_id IN (SELECT id FROM accounts WHERE member_id = ?) AND audit_at IS NOT NULL`, m.ID).Scan(&started).Error
		if err != nil || started != tt.started {
			t.Errorf("of %d requests: %d read whole (%v), want %d", tt.requests, started, err, tt.started)
		}
	}
}
