package sites

import (
	"net/url"
	"strings"
)

func init() { registerLinks("timus", timusLink, "acm.timus.ru", "timus.online") }

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
