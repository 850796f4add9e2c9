package sites

import "net/url"

func init() { registerLinks("hackerrank", hackerrankLink, "hackerrank.com") }

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
