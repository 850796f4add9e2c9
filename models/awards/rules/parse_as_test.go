package rules

import (
	"strings"
	"testing"
)

func TestASlugFromTheAddress(t *testing.T) {
	without := strings.Replace(string(document(seedStrategy)), `"slug":"explorer",`, ``, 1)
	for _, tt := range []struct{ slug, doc, want string }{
		{"explorer", without, ""},
		{"explorer", string(document(seedStrategy)), ""},
		{"other", string(document(seedStrategy)), `slug: is "explorer", but the address says "other"`},
		{"a b", without, "slug: must be lower-case letters and digits with single hyphens between them, at most 64"},
		{"", without, "slug: must be lower-case letters and digits with single hyphens between them, at most 64"},
		{"explorer", `{"version":3,` + without[1:], ""},
		{"explorer", `{"verzion":3,` + without[1:], "verzion: is unknown (known: slug, title, text, picture, objectives, strategy, permanence, backfill, window, levels)"},
		{"explorer", strings.Replace(without, `"title":"Explorer"`, `"title":""`, 1), "title: must not be empty"},
	} {
		a, m := ParseAs(tt.slug, []byte(tt.doc), "version", "state")
		if m.Error() != tt.want || a.Slug != tt.slug {
			t.Errorf("as %q: %q, slug %q, want %q\n%s", tt.slug, m, a.Slug, tt.want, tt.doc)
		}
	}
}
