package badges_test

import (
	"bytes"
	"strings"
	"testing"

	"laurel/models/awards/rules"
	"laurel/models/badges"
	"laurel/models/badges/openbadge"
)

// Every icon that a document may name is drawn, and each looks different.
func TestEveryIconIsDrawn(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, name := range rules.Icons() {
		if !openbadge.HasIcon(name) {
			t.Errorf("there is no drawing of %s", name)
			continue
		}
		svg := string(openbadge.Picture{Slug: "x", Icon: name}.SVG())
		if seen[svg] != "" {
			t.Errorf("%s looks like %s", name, seen[svg])
		}
		seen[svg] = name
	}
	hue := int64(0)
	red := badges.Picture("x", &rules.Award{Picture: &rules.Picture{Hue: &hue, Emoji: "🔥"}})
	if svg := red.SVG(); !strings.Contains(string(svg), "🔥") || bytes.Equal(svg, badges.Picture("x", &rules.Award{}).SVG()) {
		t.Error("neither emoji nor hue is seen")
	}
}
