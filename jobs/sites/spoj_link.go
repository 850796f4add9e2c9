package sites

import (
	"net/url"
	"regexp"
)

func init() { registerLinks("spoj", spojLink, "spoj.com", "spoj.pl") }

var spojCode = regexp.MustCompile(`^[A-Z][A-Z0-9_]{1,15}$`)

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
