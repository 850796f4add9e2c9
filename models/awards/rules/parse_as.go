package rules

import (
	"slices"
	"strings"
)

// ParseAs reads an award whose slug is given elsewhere, such as in an address: the
// document may leave it out, and must not say another one. The keys of others are
// passed over: what was put beside the document when it was shown.
func ParseAs(slug string, doc []byte, others ...string) (Award, Mistakes) {
	a, m := Parse(doc)
	m = slices.DeleteFunc(m, func(one Mistake) bool {
		return one.Path == "slug" && one.Text == "is missing" ||
			slices.Contains(others, one.Path) && strings.HasPrefix(one.Text, "is unknown")
	})
	switch {
	case len(slug) > 64 || !slugs.MatchString(slug):
		m = slices.Insert(m, 0, Mistake{"slug", "must be lower-case letters and digits with single hyphens between them, at most 64"})
	case a.Slug != "" && a.Slug != slug && !m.at("slug"):
		m.add("slug", "is %q, but the address says %q", a.Slug, slug)
	}
	a.Slug = slug
	return a, m
}
