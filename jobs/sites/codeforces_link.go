package sites

import (
	"net/url"
	"regexp"
	"strings"
)

func init() {
	registerLinks("codeforces", codeforcesLink, "codeforces.com", "m1.codeforces.com", "m2.codeforces.com", "m3.codeforces.com",
		"mirror.codeforces.com", "codeforces.ru", "codeforces.net", "codeforc.es")
}

var cfIndex = regexp.MustCompile(`^[A-Z][A-Z0-9]{0,3}$|^[0-9]{1,3}$`)

// codeforcesLink knows the problem set, contests, the gym, groups and acmsguru.
func codeforcesLink(path []string, _ url.Values) (kind, key string) {
	if len(path) > 2 && path[0] == "group" {
		path = path[2:] // A group's contests are contests.
	}
	if rest := under(path, "problemsets", "acmsguru"); rest != nil {
		path = append([]string{"problemset"}, rest...)
	}
	if handle, ok := oneOf(path, "profile", "submissions"); ok {
		return handled(cfInfo.Handle, handle)
	}
	if id, ok := oneOf(path, "contests"); ok {
		return fits(linkNumber, LinkContest, id)
	}
	if rest := under(path, "problemset"); len(rest) == 3 {
		switch rest[0] {
		case "problem", "gymProblem":
			return cfProblemLink(rest[1], rest[2])
		case "submission":
			return fits(linkNumber, LinkSubmission, rest[2])
		}
	}
	contest, ok := oneOf(path, "contest", "gym")
	if !ok {
		return "", ""
	}
	if rest := path[2:]; len(rest) == 2 {
		switch rest[0] {
		case "problem":
			return cfProblemLink(contest, rest[1])
		case "submission":
			return fits(linkNumber, LinkSubmission, rest[1])
		}
	}
	return fits(linkNumber, LinkContest, contest)
}

func cfProblemLink(contest, index string) (kind, key string) {
	index = strings.ToUpper(index)
	if !linkNumber.MatchString(contest) || !cfIndex.MatchString(index) {
		return "", ""
	}
	if contest == "99999" {
		return LinkProblem, "acmsguru-" + index
	}
	return LinkProblem, contest + index
}
