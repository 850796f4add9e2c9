package retrieval_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Only the plan writes when an account is fetched next.
func TestOnePlaceWritesDueAt(t *testing.T) {
	t.Parallel()
	writes := regexp.MustCompile(`(?s)UPDATE account_schedule[^;]*?\bdue_at = [^;]*`)
	structs := regexp.MustCompile(`(?s)Table\("account_schedule"\).*?Updates\(`)
	var found []string
	err := filepath.WalkDir("../..", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") || !strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, ".sql") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, s := range regexp.MustCompile("`[^`]*`").FindAllString(string(text), -1) {
			if strings.HasSuffix(path, ".go") && writes.MatchString(s) {
				found = append(found, path)
			}
		}
		for _, s := range structs.FindAllString(string(text), -1) {
			if !strings.Contains(path, "modelstest") && !strings.Contains(s, `Omit("due_at", "reason")`) {
				found = append(found, path)
			}
		}
		if strings.HasSuffix(path, ".sql") && writes.Match(text) {
			found = append(found, path)
		}
		return err
	})
	if err != nil || len(found) != 1 || found[0] != "../../models/retrieval/sql/plan_write.sql" {
		t.Errorf("written in %v, %v", found, err)
	}
}
