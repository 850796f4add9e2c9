package awards

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

// Each text of a phrase is among those of pages.
func TestPhraseTexts(t *testing.T) {
	t.Parallel()
	files, _ := filepath.Glob("../../models/awards/rules/*.go")
	files = append(files, "../../models/awards/explain_item.go", "../../models/awards/reasons.go")
	phrase, n := regexp.MustCompile(`\b(?:Say|wants|oneOf)\(("(?:\\.|[^"\\])*")`), 0
	for _, name := range files {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range phrase.FindAllSubmatch(source, -1) {
			text, _ := strconv.Unquote(string(m[1]))
			if n++; letters.MatchString(text) && !slices.Contains(phraseTexts, text) {
				t.Errorf("%s: %q is not in phraseTexts", name, text)
			}
		}
	}
	if n < len(phraseTexts) {
		t.Errorf("only %d phrases were found", n)
	}
}

var letters = regexp.MustCompile(`(^|[^%])[a-z]`)
