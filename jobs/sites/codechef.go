package sites

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/PuerkitoBio/goquery"
)

func init() { register(codechef{}) }

// codechef reads the pages that its own profile page is made of: the interface
// for programs was withdrawn in 2023.
type codechef struct{}

const (
	codechefHome         = "https://www.codechef.com"
	codechefZone    zone = "Asia/Kolkata"
	codechefLongest      = 4 << 20
)

var codechefInfo = Info{
	Name:    "codechef",
	Title:   "CodeChef",
	Home:    codechefHome,
	Handle:  regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,62}[A-Za-z0-9_]$`),
	Hint:    "2 to 64 letters, digits, _ . -",
	Gap:     time.Second,
	Overlap: 24 * time.Hour, // Rows of running contests come late, and without a number.
	Other:   []string{"internal error", "security violation"},
	Proof:   "Institution, in your profile there",
	Profile: func(handle string) string { return codechefHome + "/users/" + url.PathEscape(handle) },
	List:    func(a Account) string { return codechefHome + "/recent/user?user_handle=" + url.QueryEscape(a.Handle) },
}

func (codechef) Info() Info { return codechefInfo }

func (codechef) Submissions(ctx context.Context, get Getter, a Account) iter.Seq2[ListPage, error] {
	return listed(codechefInfo, a, codechefPages(ctx, get, a), func() error {
		_, err := codechefUser(ctx, get, a)
		return err
	})
}

// codechefPages reads pages by their number. max_page is how many there are; the
// one behind the last is asked for where the last is as long as the others, in
// case it is the number of the last one.
func codechefPages(ctx context.Context, get Getter, a Account) pager {
	longest := 0
	return func(place int, _ time.Time) (pagedPage, error) {
		page, err := get.Get(ctx, fmt.Sprintf("%s&page=%d", codechefInfo.List(a), place))
		if err != nil {
			return pagedPage{}, err
		}
		rows, pages, err := codechefRows(page, a.Now)
		if err != nil {
			return pagedPage{}, fmt.Errorf("recent/user, page %d: %w", place, err)
		}
		p := pagedPage{tally: rows, next: place + 1, more: place+1 < pages}
		p.end = !p.more && (rows.count() < longest || place == 0 && pages == 0 || place >= pages)
		longest = max(longest, rows.count())
		return p, nil
	}
}

// codechefRows reads {max_page, content}, where content is a table.
func codechefRows(page Page, now func() time.Time) (rows tally, pages int, err error) {
	var answer struct {
		MaxPage *loose  `json:"max_page"`
		Content *string `json:"content"`
	}
	if err := cmp.Or(found(page), decode(page.Body, &answer)); err != nil {
		return rows, 0, err
	}
	if answer.MaxPage == nil || answer.Content == nil {
		return rows, 0, fmt.Errorf("%w: neither a table nor how many pages there are", ErrFormat)
	}
	doc, err := document([]byte(*answer.Content), codechefLongest)
	if err != nil {
		return rows, 0, err
	}
	pages = max(0, answer.MaxPage.known())
	if doc.Find("table").Length() == 0 && (pages > 0 || strings.TrimSpace(*answer.Content) != "") {
		return rows, 0, fmt.Errorf("%w: no table in the content", ErrFormat)
	}
	for _, tr := range doc.Find("tr").EachIter() {
		if wordsOnly(tr) {
			continue
		}
		s, err := codechefRow(tr.ChildrenFiltered("td"), now)
		rows.add(s, err, outer(tr))
	}
	return rows, pages, rows.err()
}

// codechefRow reads time, problem, result, language and solution.
func codechefRow(cells *goquery.Selection, now func() time.Time) (Submission, error) {
	s, err := codechefTime(cells.Eq(0), now)
	for _, a := range cells.Find("a").EachIter() {
		if m := codechefSolution.FindStringSubmatch(clean(a.AttrOr("href", ""))); m != nil {
			s.ID, s.URL = m[1], codechefHome+"/viewsolution/"+m[1]
		}
	}
	if err != nil {
		return s, err
	}
	if cells.Length() < 4 {
		return s, fmt.Errorf("%w: a submission of %d cells", ErrFormat, cells.Length())
	}
	link := cells.Eq(1).Find("a").First()
	href, _ := link.Attr("href")
	if s.Problem = codechefProblem(clean(href), textOf(cells.Eq(1))); s.Problem.Key == "" {
		return s, fmt.Errorf("%w: a submission without a problem", ErrFormat)
	}
	s.Contest = codechefContestRef(clean(href))
	s.Language = titled(cells.Eq(3))
	s.Verdict, s.Points = codechefResult(cells.Eq(2))
	if s.Verdict == "" && s.Points == nil {
		return s, fmt.Errorf("%w: a submission without a verdict", ErrFormat)
	}
	s.Status = codechefStatus(s.Verdict, s.Points)
	return s, nil
}

var (
	codechefSolution = regexp.MustCompile(`/viewsolution/([1-9][0-9]{0,17})(?:[/?#]|$)`)
	codechefPath     = regexp.MustCompile(
		`^(?:https?://(?:www\.)?codechef\.com)?(/(?:[A-Za-z0-9_-]+/)?problems/([A-Za-z0-9_-]+))/?(?:[?#]|$)`)
	codechefCell     = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	codechefDivision = regexp.MustCompile(`^(START[0-9]+)[A-D]$`) // One round for all, which the list of contests knows.
)

// codechefProblem is a problem by its code, under the address of the list, which
// names the contest. Contests of several divisions share problems.
func codechefProblem(href, text string) Problem {
	if m := codechefPath.FindStringSubmatch(href); m != nil {
		if text == "" {
			text = m[2]
		}
		return Problem{Key: strings.ToUpper(m[2]), Name: text, URL: codechefHome + m[1]}
	}
	if !codechefCell.MatchString(text) {
		return Problem{}
	}
	return Problem{Key: strings.ToUpper(text), Name: text, URL: codechefHome + "/problems/" + text}
}

// codechefContestRef is the contest that the address of a row's problem names; what is in none
// is under /problems alone.
func codechefContestRef(href string) ContestRef {
	m := codechefPath.FindStringSubmatch(href)
	if m == nil {
		return ContestRef{}
	}
	code, _, ok := strings.Cut(strings.TrimPrefix(m[1], "/"), "/problems/")
	if code = strings.ToUpper(code); !ok || code == "PRACTICE" {
		return ContestRef{}
	}
	if d := codechefDivision.FindStringSubmatch(code); d != nil {
		code = d[1]
	}
	return ContestRef{Key: code, URL: codechefHome + "/" + code}
}

// titled is what a cell says when pointed at, or else its text.
func titled(cell *goquery.Selection) string {
	if title := strings.Join(strings.Fields(clean(cell.AttrOr("title", ""))), " "); title != "" {
		return title
	}
	return textOf(cell)
}

// codechefTime reads a time of India, to the minute. Of the last day the page may show how long
// ago it was; the title mostly says when, too, but some have found the same words in it.
func codechefTime(cell *goquery.Selection, now func() time.Time) (s Submission, err error) {
	text := titled(cell)
	shown := slices.Compact([]string{text, textOf(cell.Find(".tooltiptext").First()), textOf(cell)})
	for i, said := range shown {
		shown[i] = strings.ToUpper(said)
		if s.At, err = codechefZone.at(shown[i], time.Time{}, "3:04 PM 2/1/06", "3:04 PM 2/1/2006"); err == nil {
			s.ToMinute = true
			return s, nil
		}
		if s.At, err = codechefZone.at(shown[i], time.Time{}, "3:04:05 PM 2/1/06", "3:04:05 PM 2/1/2006", time.DateTime); err == nil {
			return s, nil
		}
	}
	for i := 0; i < len(shown) && now != nil; i++ {
		if at, off, ok := codechefZone.ago(shown[i], now()); ok {
			return Submission{At: at, ToMinute: true, About: off > 0, Off: off}, nil
		}
	}
	for i := 0; i < len(shown) && now != nil; i++ {
		if at, off, ok := vaguely(shown[i], now()); ok {
			return Submission{At: at, Off: off}, fmt.Errorf("%w: %q", errVague, text)
		}
	}
	return Submission{}, fmt.Errorf("%w: %q is not a time", ErrFormat, text)
}

func init() { registerLinks("codechef", codechefLink, "codechef.com") }

var (
	codechefCode    = regexp.MustCompile(`^[A-Z0-9_]{1,32}$`)
	codechefContest = regexp.MustCompile(`^[A-Z]+[0-9]+[A-Z]*$`)
)

func codechefLink(path []string, _ url.Values) (kind, key string) {
	if handle, ok := oneOf(path, "users"); ok {
		return handled(anyHandle, handle)
	}
	if id, ok := oneOf(path, "viewsolution"); ok {
		return fits(linkNumber, LinkSubmission, id)
	}
	if code, ok := oneOf(path, "problems", "problems-old", "submit"); ok {
		return fits(codechefCode, LinkProblem, strings.ToUpper(code))
	}
	if rest := under(path, "*", "problems"); rest != nil {
		return fits(codechefCode, LinkProblem, strings.ToUpper(rest[0]))
	}
	if contest, ok := oneOf(path, "rankings"); ok {
		return fits(codechefContest, LinkContest, contest)
	}
	if len(path) > 0 {
		return fits(codechefContest, LinkContest, path[0])
	}
	return "", ""
}

var codechefScore = regexp.MustCompile(`^\(?\s*(-?[0-9]{1,9}(?:\.[0-9]{1,9})?)\s*(?:pts?|points?)?\s*\)?$`)

// codechefResult reads the verdict of a result, which is in a title, and the
// score, which is below it in brackets where there is one.
func codechefResult(cell *goquery.Selection) (verdict string, points *float64) {
	texts := []string{clean(cell.AttrOr("title", ""))}
	for _, span := range cell.Find("span").EachIter() {
		if title := clean(span.AttrOr("title", "")); verdict == "" && title != "" {
			verdict = title
		}
		texts = append(texts, textOf(span))
	}
	for _, text := range append(texts, textOf(cell)) {
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
	for _, text := range append([]string{textOf(cell)}, texts...) {
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
