package accounts_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"io"
	"strings"
	"testing"

	"gorm.io/gorm"

	"laurel/models/accounts"
	"laurel/models/members"
	"laurel/models/modelstest"
)

// unzip reads the member's data back, by file.
func unzip(t *testing.T, db *gorm.DB, m *members.Member) map[string]string {
	t.Helper()
	var b bytes.Buffer
	if err := accounts.OwnData(t.Context(), db, m, &b, modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range r.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(text)
	}
	return files
}

func TestOwnData(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	ada := modelstest.Member(t, tx, "ada", map[string]string{"codeforces": "ada_l"}, modelstest.Noon)
	bob := modelstest.Member(t, tx, "bob", map[string]string{"codeforces": "bob_b"}, modelstest.Noon)
	addSubmissions(t, tx, ada.ID, "codeforces", "AC", "WA")
	addSubmissions(t, tx, bob.ID, "codeforces", "AC")
	if _, err := members.CreateToken(t.Context(), tx, ada.ID, "script", false, modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	if err := tx.Exec(`UPDATE submissions SET language = '=1+1' WHERE member_id = ?`, ada.ID).Error; err != nil {
		t.Fatal(err)
	}
	files := unzip(t, tx, &ada)
	sheet, err := csv.NewReader(strings.NewReader(files["submissions.csv"])).ReadAll()
	if err != nil || len(sheet) != 3 || sheet[1][0] != "2026-11-20 12:00:00" && !strings.HasSuffix(sheet[1][0], "12:00:00") || sheet[1][8] != "'=1+1" {
		t.Errorf("the sheet of submissions is %v (%v)", sheet, err)
	}
	if n := strings.Count(files["data/submissions.jsonl"], "\n"); n != 2 {
		t.Errorf("%d submissions, want 2", n)
	}
	if !strings.Contains(files["data/tokens.jsonl"], `"script"`) {
		t.Errorf("tokens are %s", files["data/tokens.jsonl"])
	}
	for name, text := range files {
		for _, never := range []string{"bob", "password", "argon2", `"hash"`, `"secret"`, "lease"} {
			if strings.Contains(text, never) && name != "README.txt" {
				t.Errorf("%s has %q: %s", name, never, text)
			}
		}
	}
}

// Whatever refers to a member is theirs to take along, or has a reason why not.
func TestEveryColumnOfAMemberIsInTheirData(t *testing.T) {
	t.Parallel()
	var columns []struct{ TableName, ColumnName string }
	err := modelstest.Tx(t).Raw(`
		SELECT c.table_name, c.column_name FROM information_schema.columns c
		JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
		WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
			AND c.column_name IN ('member_id', 'account_id', 'owner_id', 'grant_id', 'member', 'player', 'handle', 'follower_id', 'followed_id', 'blocker_id', 'blocked_id', 'reporter_id')`).
		Scan(&columns).Error
	if err != nil {
		t.Fatal(err)
	}
	if len(columns) < 50 {
		t.Fatalf("only %d columns refer to members", len(columns))
	}
	for _, c := range columns {
		if !accounts.InOwnData(c.TableName, c.ColumnName) {
			t.Errorf("%s.%s is neither in a member's data nor excused", c.TableName, c.ColumnName)
		}
	}
}
