package networks

import (
	"slices"
	"strings"
)

// Parse knows ids and links to a post: x.com/jack/status/20 with anything behind
// it, /i/status/20, /i/web/status/20, /statuses/20, the API's /2/tweets/20, on
// the hosts of both names.
func (x) Parse(text string) (Ref, bool) {
	text = strings.TrimSpace(text)
	if isNumeral(text) {
		return Ref{Network: "x", ID: text}, true
	}
	l, ok := readLink(text)
	if host := l.under("www.", "mobile.", "m.", "api."); !ok || host != "x.com" && host != "twitter.com" {
		return Ref{}, false
	}
	path := l.path
	if bang, ok := strings.CutPrefix(l.fragment, "!/"); ok && len(path) == 0 { // As links were in 2011.
		path = strings.Split(bang, "/")
	}
	for i, part := range path[:max(len(path)-1, 0)] {
		if i > 2 || !slices.Contains([]string{"status", "statuses", "tweets"}, part) {
			continue
		}
		if id := path[i+1]; isNumeral(id) && xBefore(path[:i], part) {
			return Ref{Network: "x", ID: id}, true
		}
	}
	return Ref{}, false
}

// xBefore reports whether a post's address may begin so.
func xBefore(before []string, part string) bool {
	if part == "tweets" {
		return slices.Equal(before, []string{"2"})
	}
	switch len(before) {
	case 0:
		return part == "statuses"
	case 1:
		return xName.MatchString(before[0])
	}
	return slices.Equal(before, []string{"i", "web"})
}
