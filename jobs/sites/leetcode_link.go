package sites

import "net/url"

func init() {
	registerLinks("leetcode", leetcodeLink, "leetcode.com", "leetcode.cn", "leetcode-cn.com")
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
