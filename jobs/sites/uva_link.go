package sites

import (
	"net/url"
	"regexp"
	"strings"
)

func init() {
	registerLinks("uva", uvaLink, "onlinejudge.org", "uva.onlinejudge.org", "uhunt.onlinejudge.org")
}

// uvaStatement is the file of a problem: its name is the number that people know,
// not the id that submissions tell.
var uvaStatement = regexp.MustCompile(`^p?([1-9][0-9]{2,4})\.(html?|pdf)$`)

// uvaLink knows problems by their id and by their number, and users of uHunt.
func uvaLink(path []string, query url.Values) (kind, key string) {
	if rest := under(path, "external", "*"); len(rest) == 1 {
		if m := uvaStatement.FindStringSubmatch(strings.ToLower(rest[0])); m != nil {
			return LinkNumber, m[1]
		}
		return "", ""
	}
	if handle, ok := oneOf(path, "u"); ok {
		return handled(uvaInfo.Handle, handle)
	}
	if option := query.Get("option"); option != "onlinejudge" && option != "com_onlinejudge" {
		return "", ""
	}
	switch query.Get("page") {
	case "show_problem":
		return fits(linkNumber, LinkProblem, query.Get("problem"))
	case "problem_stats":
		return fits(linkNumber, LinkProblem, query.Get("problemid"))
	}
	return "", ""
}
