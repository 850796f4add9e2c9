package badges_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The terms of a badge are those of the contexts that 1EdTech and W3C publish: expanded by them, nothing is left over. Its
// shape is that of 1EdTech's schema, as a wallet reads it. Contexts, wallet and the library that expands are packages of npm,
// beside those of the pages.
func TestABadgeIsAsPublished(t *testing.T) {
	t.Parallel()
	static, err := filepath.Abs("../../static")
	if err != nil {
		t.Fatal(err)
	}
	node, err := exec.LookPath("node")
	if _, missing := os.Stat(filepath.Join(static, "node_modules", "jsonld")); err != nil || missing != nil {
		t.Skip("there is no node, or the packages of static/package.json are not installed: run `make assets`")
	}
	s := smiths(t)
	b := s.Browser(t)
	badge := b.Get(badge(t, s, "ada", "smith", 2) + ".json").Text
	for _, tt := range []struct{ name, from, to, want string }{
		{"as it is", "", "", "expanded"},
		{"a key that nobody defines", `"criteria":`, `"criterium":{"narrative":"x"},"criteria":`, "refused"},
		{"a type that nobody defines", `"AchievementSubject"`, `"AchievementSubjekt"`, "refused"},
		{"another context", "context-3.0.3.json", "context-9.json", "refused"},
		{"a proof of no time", `"created":`, `"expires":`, "refused: not of the shape: proof"},
		{"a name that is a number", `"name": "`, `"name": 7, "description": "`, "refused: not of the shape: "},
		{"an achievement without criteria", `"criteria":`, `"description":`, "refused"},
	} {
		text := badge
		if tt.from != "" {
			text = strings.Replace(badge, tt.from, tt.to, 1)
			if text == badge {
				t.Fatalf("%s: the badge has no %s:\n%s", tt.name, tt.from, badge)
			}
		}
		file := filepath.Join(t.TempDir(), "badge.json")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.CommandContext(t.Context(), node, "../../models/badges/openbadge/testdata/expand.mjs", filepath.Join(static, "package.json"), file).CombinedOutput()
		if err != nil || !strings.HasPrefix(string(out), tt.want) {
			t.Errorf("%s: %v, %s", tt.name, err, out)
		}
	}
}
