package profiles_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	pg "laurel/models/db"
	"laurel/models/modelstest"
	"laurel/models/profiles"
	"laurel/models/retrieval"
)

func TestMembers(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	for i, solved := range []int{3, 0, 5, 5} {
		name := []string{"Ada", "a_b", "eve", "Bob"}[i]
		modelstest.Member(t, tx, name, map[string]string{"a": "x", "b": "y"}, modelstest.Noon.Add(-time.Minute))
		var rows []retrieval.Found
		for j := range solved {
			rows = append(rows, found(fmt.Sprint(j), modelstest.Noon, "AC"))
		}
		if solved > 0 {
			look(t, tx, "a", modelstest.Noon, rows...)
		} else {
			modelstest.Finish(t, tx, modelstest.Claim(t, tx, "a", modelstest.Noon), retrieval.Result{Outcome: pg.OutcomeBlocked}, modelstest.Noon)
		}
		modelstest.Claim(t, tx, "b", modelstest.Noon)
	}
	modelstest.Member(t, tx, "zoe", nil, modelstest.Noon)
	for _, tt := range []struct {
		part          string
		offset, limit int
		want          string
		total         int64
	}{
		{"", 0, 10, "eve Bob Ada a_b zoe", 5}, {"", 0, 2, "eve Bob", 5}, {"", 2, 2, "Ada a_b", 5}, {"", 4, 2, "zoe", 5}, {"", 9, 2, "", 5},
		{"B", 0, 10, "Bob a_b", 2}, {"_", 0, 10, "a_b", 1}, {"%", 0, 10, "", 0}, {`\`, 0, 10, "", 0}, {"' OR true --", 0, 10, "", 0}, {"\x00ad\xffa", 0, 10, "Ada", 1},
	} {
		rows, total, err := profiles.Members(ctx, tx, tt.part, tt.offset, tt.limit, modelstest.Noon)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, r := range rows {
			names = append(names, r.Name)
		}
		if got := strings.Join(names, " "); got != tt.want || total != tt.total {
			t.Errorf("%q from %d: %s of %d, want %s of %d", tt.part, tt.offset, got, total, tt.want, tt.total)
		}
	}
	rows, _, err := profiles.Members(ctx, tx, "", 0, 10, modelstest.Noon)
	if err != nil {
		t.Fatal(err)
	}
	if r := rows[2]; r.Submissions != 3 || r.Solved != 3 || r.DayStreak != 1 || r.Accounts != 2 || r.Running != 1 || r.Failing != 0 || r.Unread != 1 || !equal(r.CompleteUntil, &modelstest.Noon) {
		t.Errorf("Ada: %+v", r)
	}
	if r := rows[3]; r.Failing != 1 || r.CompleteUntil != nil || r.LastDay != nil || r.Unread != 1 {
		t.Errorf("a_b: %+v", r)
	}
	if r := rows[4]; r.Accounts != 0 || r.Running != 0 || r.Unread != 0 || r.Failing != 0 {
		t.Errorf("zoe: %+v", r)
	}
	// What a site does not list any more makes an account incomplete, and not checked long ago.
	if err := tx.Exec(`UPDATE account_coverage SET missing = 7, complete_until = '2020-01-01'`).Error; err != nil {
		t.Fatal(err)
	}
	if rows, _, err = profiles.Members(ctx, tx, "Ada", 0, 10, modelstest.Noon); err != nil || rows[0].Incomplete != 2 || rows[0].CompleteUntil != nil {
		t.Errorf("Ada, of whom sites do not list all: %+v (%v)", rows[0], err)
	}
}
