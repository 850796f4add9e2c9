package sites

import (
	"cmp"
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

var codechefExact = map[string]string{
	"accepted": AC, "ac": AC, "correct answer": AC, "wrong answer": WA, "wa": WA, "tle": TLE, "mle": MLE, "re": RE, "rte": RE, "ce": CE,
	"cte": CE,
}

var codechefWordings = []wording{
	{"partial", PS}, {"time limit exceeded", TLE}, {"memory limit exceeded", MLE}, {"runtime error", RE}, {"compilation error", CE},
	{"compile error", CE}, {"presentation error", PE}, {"running", Pending}, {"waiting", Pending}, {"queue", Pending}, {"pending", Pending},
	{"compiling", Pending}, {"judging", Pending}, {"executing", Pending}, {"processing", Pending},
}

// codechefStatus: a score of less than 100 is a part of the way.
func codechefStatus(verdict string, points *float64) string {
	status := cmp.Or(codechefExact[strings.ToLower(verdict)], statusOf(verdict, codechefWordings))
	partial := points != nil && *points > 0 && *points < 100
	if partial && (status == AC || status == WA || verdict == "") {
		return PS
	}
	return cmp.Or(status, OTH)
}
