package accounts_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"laurel/models/accounts"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
	"laurel/models/submissions"
)

// addSubmissions stores one submission a minute from noon on, newest last, each
// to a problem of its own, and brings the sums up to them.
func addSubmissions(t *testing.T, db *gorm.DB, memberID int64, site string, statuses ...string) {
	t.Helper()
	accounts, err := members.AccountsOf(t.Context(), db, memberID)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(accounts, func(a members.Account) bool { return a.Site == site })
	a := &accounts[at]
	var rows []retrieval.Found
	for i, status := range statuses {
		n := string(rune('A' + i))
		rows = append(rows, retrieval.Found{ID: n, At: modelstest.Noon.Add(time.Duration(i) * time.Minute), ProblemKey: n, ProblemName: "Sample " + n,
			ProblemURL: "https://judge.example/" + n, Status: status, Verdict: status, Language: "Go", URL: "https://judge.example/s/" + n})
	}
	if _, err := retrieval.StorePage(t.Context(), db, a, retrieval.Page{Rows: rows, Next: 1, Lease: time.Minute}, modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	if err := db.Exec(`UPDATE account_stats SET accepted = 1, solved = (SELECT count(*) FROM submissions WHERE account_id = @id AND status = 'AC'),
		submissions = (SELECT count(*) FROM submissions WHERE account_id = @id) WHERE account_id = @id`, map[string]any{"id": a.ID}).Error; err != nil {
		t.Fatal(err)
	}
	if err := submissions.RefreshMember(t.Context(), db, memberID, modelstest.Noon); err != nil {
		t.Fatal(err)
	}
}

func TestExport(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	boss := modelstest.Admin(t, tx)
	if _, err := members.CreateToken(t.Context(), tx, boss.ID, "t", true, modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	ada := modelstest.Member(t, tx, "ada", map[string]string{"codeforces": "ada_l"}, modelstest.Noon)
	addSubmissions(t, tx, ada.ID, "codeforces", "AC", "WA")

	var first, second bytes.Buffer
	if err := accounts.Export(t.Context(), tx, &first); err != nil {
		t.Fatal(err)
	}
	if err := accounts.Export(t.Context(), tx, &second); err != nil || first.String() != second.String() {
		t.Errorf("the second export differs from the first (%v)", err)
	}
	rows := map[string]int{}
	for line := range strings.Lines(first.String()) {
		if !strings.HasPrefix(line, `{"table":"`) {
			t.Fatalf("line %s: want the table first", line)
		}
		var row map[string]any
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatalf("line %s: %v", line, err)
		}
		rows[row["table"].(string)]++
		for column := range row {
			if regexp.MustCompile(`hash|secret|password|token|lease|session`).MatchString(column) {
				t.Errorf("column %s of %s was exported", column, row["table"])
			}
		}
	}
	if rows["members"] != 2 || rows["accounts"] != 1 || rows["submissions"] != 2 || rows["problems"] != 2 || rows["days"] != 1 {
		t.Errorf("rows by table: %v", rows)
	}
	for _, secret := range []string{boss.PasswordHash, "set_up", "argon2"} {
		if strings.Contains(first.String(), secret) {
			t.Errorf("%q was exported", secret)
		}
	}
}

// A new table must be decided on: data, or not.
func TestEveryTableIsExportedOrHasAReasonNotToBe(t *testing.T) {
	t.Parallel()
	var tables []string
	if err := modelstest.Tx(t).Raw(`SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`).Scan(&tables).Error; err != nil {
		t.Fatal(err)
	}
	if diff := accounts.UndecidedTables(tables); len(diff) > 0 {
		t.Errorf("neither exported nor excused, or gone: %v", diff)
	}
}
