package retrieval_test

import (
	"strings"
	"testing"
	"time"

	pg "laurel/models/db"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

// A submission that comes without the site's number, and with it later, is one.
func TestStorePageRenumbers(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	m := modelstest.Member(t, tx, "ada", map[string]string{"judge": "x"}, noon)
	modelstest.CountAll(t, tx)
	d := modelstest.Claim(t, tx, "judge", noon)
	first, second := found("minute-1", noon, "AC"), found("minute-2", noon, "AC")
	first.Formerly, second.Formerly, first.ToMinute = "minute-1", "minute-2", true
	if got := modelstest.StorePage(t, tx, d, noon, first, second); got.Inserted != 2 {
		t.Fatalf("%+v, want both", got)
	}
	first.ID, first.URL = "77", "https://judge.example/77"
	for i, want := range []retrieval.Stored{{Revised: 1}, {}} {
		if got := modelstest.StorePage(t, tx, d, noon.Add(time.Minute), first, second); got != want {
			t.Errorf("fetch %d with a number: %+v, want %+v", i+1, got, want)
		}
	}
	rows := modelstest.Stored(t, tx, m.ID)
	if len(rows) != 2 || !rows["77"].ToMinute || rows["minute-2"].ToMinute {
		t.Errorf("stored %+v", rows)
	}
	var reported []string
	if err := tx.Raw(`SELECT split_part(event_id, '#', 1) FROM events WHERE source = 'submissions' ORDER BY id`).Scan(&reported).Error; err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(reported, ", "); strings.Count(got, "judge/minute-1@") != 2 || !strings.Contains(got, "judge/77@") {
		t.Errorf("reported %s", got)
	}
}

// Where a first retrieval goes on is stored with the rows before it, and forgotten
// when all is read.
func TestResumePoint(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	m := modelstest.Member(t, tx, "ada", map[string]string{"judge": "x"}, noon)
	d := modelstest.Claim(t, tx, "judge", noon)
	d.Cursor = "page 3"
	modelstest.StorePage(t, tx, d, noon, found("1", noon, "AC"))
	if err := retrieval.Finish(t.Context(), tx, d, retrieval.Result{Outcome: pg.OutcomeServerError, Requests: 1}, modelstest.Rule, noon); err != nil {
		t.Fatal(err)
	}
	if a := modelstest.AccountOn(t, tx, m.ID, "judge"); a.Cursor != "page 3" {
		t.Errorf("after a failure the place is %q", a.Cursor)
	}
	later := noon.AddDate(0, 0, 2)
	d = modelstest.Claim(t, tx, "judge", later)
	if err := retrieval.Finish(t.Context(), tx, d, retrieval.Result{Outcome: pg.OutcomeOK, Requests: 1}, modelstest.Rule, later); err != nil {
		t.Fatal(err)
	}
	if a := modelstest.AccountOn(t, tx, m.ID, "judge"); a.Cursor != "" {
		t.Errorf("after the end the place is %q", a.Cursor)
	}
}
