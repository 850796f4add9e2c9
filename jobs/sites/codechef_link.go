package sites

import (
	"net/url"
	"regexp"
	"strings"
)

func init() { registerLinks("codechef", codechefLink, "codechef.com") }

var (
	codechefCode    = regexp.MustCompile(`^[A-Z0-9_]{1,32}$`)
	codechefContest = regexp.MustCompile(`^[A-Z]+[0-9]+[A-Z]*$`)
)

func codechefLink(path []string, _ url.Values) (kind, key string) {
	if handle, ok := oneOf(path, "users"); ok {
		return handled(anyHandle, handle)
	}
	if id, ok := oneOf(path, "viewsolution"); ok {
		return fits(linkNumber, LinkSubmission, id)
	}
	if code, ok := oneOf(path, "problems", "problems-old", "submit"); ok {
		return fits(codechefCode, LinkProblem, strings.ToUpper(code))
	}
	if rest := under(path, "*", "problems"); rest != nil {
		return fits(codechefCode, LinkProblem, strings.ToUpper(rest[0]))
	}
	if contest, ok := oneOf(path, "rankings"); ok {
		return fits(codechefContest, LinkContest, contest)
	}
	if len(path) > 0 {
		return fits(codechefContest, LinkContest, path[0])
	}
	return "", ""
}
