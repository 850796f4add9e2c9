package sites

import "net/url"

// Messages link to Kattis; its submissions are not read.
func init() { registerLinks("kattis", kattisLink, "open.kattis.com") }

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
