package retrieval_test

import (
	"fmt"
	"testing"
	"time"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

// When a contest ends, who has a rated one of the last 30 days is due, one after the other
// by the site's gap; but not who is known beyond its end.
func TestContestEnded(t *testing.T) {
	t.Parallel()
	tx, ended, gap := modelstest.Tx(t), noon.Add(-15*time.Minute), 2*time.Second
	due := map[string]time.Time{"ada": noon.Add(gap), "bob": noon.Add(2 * gap)}
	for i, tt := range []struct {
		name         string
		rated, known time.Duration // Before the end.
	}{{"ada", 24 * time.Hour, time.Hour}, {"long ago", 31 * 24 * time.Hour, time.Hour}, {"known", 24 * time.Hour, -time.Minute}, {"never", 0, time.Hour}, {"bob", 29 * 24 * time.Hour, 99 * time.Hour}} {
		m := modelstest.Member(t, tx, fmt.Sprint("m", i), nil, noon)
		known, read, later := ended.Add(-tt.known), noon.Add(-time.Hour), noon.Add(20*time.Hour)
		a := members.Account{
			MemberID:  m.ID,
			Site:      "codeforces",
			Handle:    tt.name,
			CreatedAt: known,
			Schedule:  members.Schedule{State: members.StateActive, Outcome: pg.OutcomeOK, LastRetrievedAt: &read, LastAttemptAt: &read, DueAt: later},
			Coverage:  members.Coverage{CompleteUntil: &known},
		}
		modelstest.Account(t, tx, &a)
		if tt.rated > 0 {
			if err := tx.Exec(`INSERT INTO ratings (account_id, contest, name, url, rank, rating, rated_at) VALUES (?, '1', '', '', 1, 1, ?)`, a.ID, ended.Add(-tt.rated)).Error; err != nil {
				t.Fatal(err)
			}
		}
		if due[tt.name].IsZero() {
			due[tt.name] = later
		}
	}
	if n, err := retrieval.ContestEnded(t.Context(), tx, "codeforces", ended, gap, noon); err != nil || n != 2 {
		t.Errorf("%d are due, %v", n, err)
	}
	var got []members.Account
	if err := tx.Raw(`SELECT handle, due_at FROM account_details`).Scan(&got).Error; err != nil {
		t.Fatal(err)
	}
	for _, a := range got {
		if !a.DueAt.Equal(due[a.Handle]) {
			t.Errorf("%s is due %s, want %s", a.Handle, a.DueAt, due[a.Handle])
		}
	}
}
