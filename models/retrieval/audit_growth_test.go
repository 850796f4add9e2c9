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

// However many have grown too much, the next one that fits is read whole.
func TestManyHistoriesThatGrew(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	const many = 25
	for i := range many + 1 {
		name := fmt.Sprint("judge", i)
		modelstest.Member(t, tx, name, map[string]string{"judge": name}, noon.AddDate(-1, 0, 0))
	}
	now := noon.AddDate(0, 1, 0)
	for range many + 1 {
		var rows []retrieval.Found
		for i := range 30 {
			rows = append(rows, found(fmt.Sprint(i), noon.Add(time.Duration(30-i)*time.Minute), "AC"))
		}
		fetch(t, tx, "judge", now, rows...)
	}
	for _, statement := range []string{
		`UPDATE account_schedule SET audited_at = '2000-01-01', audit_due_at = '2001-01-01', audit_requests = 2`, // 30 rows since: 3 requests more.
		`UPDATE account_schedule SET audited_at = '2100-01-01', audit_due_at = '2002-01-01'
			WHERE account_id IN (SELECT id FROM accounts WHERE handle = 'judge25')`,
		`DELETE FROM site_hours`,
		`INSERT INTO site_hours (site, hour, outcome, retrievals, requests, new_rows, audit_requests, first_at, last_at, message)
			VALUES ('judge', '2000-01-01', 'ok', 1, 36, 0, 0, '2000-01-01', '2000-01-01', '')`, // A tenth is 4.
	} {
		if err := tx.Exec(statement).Error; err != nil {
			t.Fatal(err)
		}
	}
	if err := retrieval.StartAudits(t.Context(), tx, now); err != nil {
		t.Fatal(err)
	}
	var started []string
	err := tx.Raw(`SELECT handle FROM account_schedule JOIN accounts ON id = account_id WHERE audit_at IS NOT NULL`).Scan(&started).Error
	if err != nil || fmt.Sprint(started) != "[judge25]" {
		t.Errorf("%v are read whole (%v), want judge25", started, err)
	}
}
