package sites

import (
	"net/url"
	"regexp"
	"strings"
)

// Sites that messages link to, whether their submissions are read or not. Their
// problems have the keys that the sites have in their own addresses.
func init() {
	registerLinks("codechef", codechefLink, "codechef.com")
	registerLinks("spoj", spojLink, "spoj.com", "spoj.pl")
	registerLinks("hackerrank", hackerrankLink, "hackerrank.com")
	registerLinks("hackerearth", hackerearthLink, "hackerearth.com")
	registerLinks("leetcode", leetcodeLink, "leetcode.com", "leetcode.cn", "leetcode-cn.com")
	registerLinks("timus", timusLink, "acm.timus.ru", "timus.online")
	registerLinks("kattis", kattisLink, "open.kattis.com")
}

var (
	anyHandle       = regexp.MustCompile(`^[a-z0-9_][a-z0-9_.-]{0,63}$`)
	codechefCode    = regexp.MustCompile(`^[A-Z0-9_]{1,32}$`)
	codechefContest = regexp.MustCompile(`^[A-Z]+[0-9]+[A-Z]*$`)
	spojCode        = regexp.MustCompile(`^[A-Z][A-Z0-9_]{1,15}$`)
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

func spojLink(path []string, _ url.Values) (kind, key string) {
	if handle, ok := oneOf(path, "users"); ok {
		return handled(anyHandle, handle)
	}
	if code, ok := oneOf(path, "problems", "submit", "ranks"); ok {
		return fits(spojCode, LinkProblem, code)
	}
	if rest := under(path, "*", "problems"); rest != nil { // In a contest.
		return fits(spojCode, LinkProblem, rest[0])
	}
	return "", ""
}

func hackerrankLink(path []string, _ url.Values) (kind, key string) {
	if handle, ok := oneOf(path, "profile"); ok {
		return handled(anyHandle, handle)
	}
	if slug, ok := oneOf(path, "challenges"); ok {
		return fits(linkSlug, LinkProblem, slug)
	}
	contest, ok := oneOf(path, "contests")
	if !ok || !linkSlug.MatchString(contest) {
		return "", ""
	}
	rest := under(path, "contests", "*", "challenges")
	switch {
	case rest == nil:
		return LinkContest, contest
	case !linkSlug.MatchString(rest[0]):
		return "", ""
	case contest == "master": // What it calls no contest.
		return LinkProblem, rest[0]
	}
	return LinkProblem, contest + "/" + rest[0]
}

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

func leetcodeLink(path []string, _ url.Values) (kind, key string) {
	if handle, ok := oneOf(path, "u"); ok {
		return handled(anyHandle, handle)
	}
	if rest := under(path, "submissions", "detail"); rest != nil {
		return fits(linkNumber, LinkSubmission, rest[0])
	}
	if rest := under(path, "problems", "*", "submissions"); rest != nil && linkNumber.MatchString(rest[0]) {
		return LinkSubmission, rest[0]
	}
	if rest := under(path, "contest", "*", "problems"); rest != nil {
		return fits(linkSlug, LinkProblem, rest[0])
	}
	if slug, ok := oneOf(path, "problems"); ok {
		return fits(linkSlug, LinkProblem, slug)
	}
	if contest, ok := oneOf(path, "contest"); ok {
		return fits(linkSlug, LinkContest, contest)
	}
	return "", ""
}

func timusLink(path []string, query url.Values) (kind, key string) {
	if id, ok := oneOf(path, "getsubmit.aspx"); ok {
		id, _, _ = strings.Cut(id, ".")
		return fits(linkNumber, LinkSubmission, id)
	}
	if len(path) != 1 {
		return "", ""
	}
	switch path[0] {
	case "problem.aspx":
		if space := query.Get("space"); space == "" || space == "1" { // Others are copies for contests.
			return fits(linkNumber, LinkProblem, query.Get("num"))
		}
	case "author.aspx":
		return fits(linkNumber, LinkAccount, query.Get("id"))
	}
	return "", ""
}

func kattisLink(path []string, _ url.Values) (kind, key string) {
	if handle, ok := oneOf(path, "users"); ok {
		return handled(anyHandle, handle)
	}
	if id, ok := oneOf(path, "submissions"); ok {
		return fits(linkNumber, LinkSubmission, id)
	}
	if rest := under(path, "contests", "*", "problems"); rest != nil {
		return fits(linkSlug, LinkProblem, rest[0])
	}
	if slug, ok := oneOf(path, "problems"); ok {
		return fits(linkSlug, LinkProblem, slug)
	}
	if contest, ok := oneOf(path, "contests"); ok {
		return fits(linkSlug, LinkContest, contest)
	}
	return "", ""
}
