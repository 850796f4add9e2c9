package sites

import (
	"net/url"
	"strings"
)

func init() { registerLinks("hackerearth", hackerearthLink, "hackerearth.com") }

// hackerearthLink finds problems behind their kind, wherever that stands.
func hackerearthLink(path []string, _ url.Values) (kind, key string) {
	if len(path) > 0 && strings.HasPrefix(path[0], "@") {
		return handled(anyHandle, path[0][1:])
	}
	if id, ok := oneOf(path, "submission"); ok {
		return fits(linkNumber, LinkSubmission, id)
	}
	for i, part := range path {
		if (part == "algorithm" || part == "approximate" || part == "machine-learning") && i > 0 && i+1 < len(path) {
			return fits(linkSlug, LinkProblem, path[i+1])
		}
	}
	if rest := under(path, "challenges", "*"); rest != nil {
		return fits(linkSlug, LinkContest, rest[0])
	}
	return "", ""
}
