package sites

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/PuerkitoBio/goquery"
)

var codechefScore = regexp.MustCompile(`^\(?\s*(-?[0-9]{1,9}(?:\.[0-9]{1,9})?)\s*(?:pts?|points?)?\s*\)?$`)

// codechefResult reads the word of a result, which stands in a title, and the
// score, which stands below it in brackets where there is one.
func codechefResult(cell *goquery.Selection) (verdict string, points *float64) {
	texts := []string{clean(cell.AttrOr("title", ""))}
	for _, span := range cell.Find("span").EachIter() {
		if title := clean(span.AttrOr("title", "")); verdict == "" && title != "" {
			verdict = title
		}
		texts = append(texts, words(span))
	}
	for _, text := range append(texts, words(cell)) {
		if m := codechefScore.FindStringSubmatch(text); m != nil {
			if score, err := strconv.ParseFloat(m[1], 64); err == nil {
				points = &score
				break
			}
		}
	}
	if verdict != "" {
		return verdict, points
	}
	for _, text := range append([]string{words(cell)}, texts...) {
		if text != "" && (points == nil || !codechefScore.MatchString(text)) {
			return text, points
		}
	}
	return "", points
}

// codechefStatus: a score of less than 100 is a part of the way.
func codechefStatus(verdict string, points *float64) string {
	word, partial := strings.ToLower(verdict), points != nil && *points > 0 && *points < 100
	switch {
	case strings.HasPrefix(word, "partial"):
		return PS
	case word == "accepted", word == "ac", word == "correct answer":
		if partial {
			return PS
		}
		return AC
	case word == "wrong answer", word == "wa":
		if partial {
			return PS
		}
		return WA
	case strings.HasPrefix(word, "time limit exceeded"), word == "tle":
		return TLE
	case strings.HasPrefix(word, "memory limit exceeded"), word == "mle":
		return MLE
	case strings.HasPrefix(word, "runtime error"), word == "re", word == "rte":
		return RE
	case strings.HasPrefix(word, "compilation error"), strings.HasPrefix(word, "compile error"), word == "ce", word == "cte":
		return CE
	case strings.HasPrefix(word, "presentation error"):
		return PE
	}
	for _, waiting := range []string{"running", "waiting", "queue", "pending", "compiling", "judging", "executing", "processing"} {
		if strings.Contains(word, waiting) {
			return Pending
		}
	}
	if word == "" && partial {
		return PS
	}
	return OTH
}
