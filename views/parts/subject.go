package parts

import (
	"regexp"
	"strings"
)

// answerMark is what mail programs put before the subject of an answer; listMark is what a list puts there.
var (
	answerMark = regexp.MustCompile(`(?i)^(re|fwd?|aw|sv|antw|vs)(\[\d+\])?:\s*`)
	listMark   = regexp.MustCompile(`^\[[^\]\s]{1,40}\]\s*`)
)

// Subject is a message's subject without "Re:" and the mark of its list; of nothing but marks, all of it.
func Subject(subject string) string {
	rest := strings.TrimSpace(subject)
	for list := false; ; {
		short := answerMark.ReplaceAllString(rest, "")
		if !list && listMark.MatchString(short) {
			list, short = true, listMark.ReplaceAllString(short, "")
		}
		switch short {
		case rest:
			return rest
		case "":
			return subject
		}
		rest = short
	}
}
