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

// A recipe is a block of the cookbook: the part of a document that matters.
func TestRecipesOfTheGuide(t *testing.T) {
	_, cookbook, _ := strings.Cut(guide(t, "admin.md"), "### Cookbook")
	var recipes int
	for block := range strings.SplitSeq(cookbook, "\n\n") {
		if !strings.HasPrefix(block, `    "objectives"`) {
			continue
		}
		recipes++
		if _, mistakes := Parse([]byte(`{"slug": "recipe", "title": "Recipe", ` + block + `}`)); len(mistakes) > 0 {
			t.Errorf("%v in\n%s", mistakes, block)
		}
	}
	if recipes < 5 {
		t.Errorf("the cookbook has %d recipes", recipes)
	}
}
