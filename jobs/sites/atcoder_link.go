package sites

import (
	"net/url"
	"regexp"
	"strings"
)

func init() {
	registerLinks("atcoder", atcoderLink, "atcoder.jp", "beta.atcoder.jp")
	registerLinks("atcoder", func(path []string, query url.Values) (kind, key string) {
		return atcoderLink(append([]string{"contests"}, path...), query)
	}, "*.contest.atcoder.jp") // Until 2018.
}

var atcoderName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,99}$`)

// atcoderLink knows contests with their tasks and submissions, and users.
func atcoderLink(path []string, _ url.Values) (kind, key string) {
	if handle, ok := oneOf(path, "users", "user"); ok {
		return handled(atcoderInfo.Handle, handle)
	}
	contest, ok := oneOf(path, "contests")
	if !ok {
		return "", ""
	}
	if rest := path[2:]; len(rest) >= 2 {
		switch rest[0] {
		case "tasks":
			return fits(atcoderName, LinkProblem, strings.ToLower(rest[1]))
		case "submissions":
			if linkNumber.MatchString(rest[1]) {
				return LinkSubmission, rest[1]
			}
		}
	}
	return fits(atcoderName, LinkContest, strings.ToLower(contest))
}
