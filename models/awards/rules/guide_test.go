package rules

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// guide reads a page of docs/guide.
func guide(t *testing.T, name string) string {
	t.Helper()
	root := "."
	for range 5 {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		root = filepath.Join(root, "..")
	}
	page, err := os.ReadFile(filepath.Join(root, "docs", "guide", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// The guide is complete, whatever is added.
func TestEveryKindIsInTheGuide(t *testing.T) {
	page := guide(t, "awards.md")
	for _, kind := range Kinds() {
		if !strings.Contains(page, "`"+kind.Name+"`") {
			t.Errorf("docs/guide/awards.md does not list %s", kind.Name)
		}
		for _, key := range kind.Keys {
			if key.Help == "" || !strings.Contains(page, "`"+key.Name+"`") {
				t.Errorf("%s: nothing says what %s (%s) means", kind.Name, key.Name, key.Of)
			}
		}
	}
}
