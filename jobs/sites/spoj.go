package sites

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/PuerkitoBio/goquery"
)

func init() { register(spoj{}) }

// spoj reads the pages of a user's status list, which has 20 rows a page and goes
// on with its last page for ever.
type spoj struct{}

const (
	spojHome         = "https://www.spoj.com"
	spojZone    zone = "Europe/Warsaw"
	spojLongest      = 2 << 20
)

var spojInfo = Info{
	Name:    "spoj",
	Title:   "SPOJ",
	Home:    spojHome,
	Handle:  regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_-]{0,63}$`),
	Hint:    "up to 64 letters, digits, _ -",
	Gap:     time.Second,
	Overlap: time.Hour,
	Other:   []string{"internal error"},
	Proof:   "Institution, in your account there",
	Profile: func(handle string) string { return spojHome + "/users/" + url.PathEscape(handle) + "/" },
	List:    func(a Account) string { return spojHome + "/status/" + url.QueryEscape(a.Handle) + "/all/" },
}

func (spoj) Info() Info { return spojInfo }

func (spoj) Submissions(ctx context.Context, get Getter, a Account) iter.Seq2[ListPage, error] {
	return listed(spojInfo, a, spojPages(ctx, get, a), func() error {
		_, err := spojUser(ctx, get, a)
		return err
	})
}

// Ratings returns none: SPOJ has no rated contests.
func (spoj) Ratings(context.Context, Getter, Account) ([]Rating, error) { return nil, nil }

// spojPages reads pages by how many rows come before them.
func spojPages(ctx context.Context, get Getter, a Account) pager {
	return func(place int, newer time.Time) (pagedPage, error) {
		page, err := get.Get(ctx, fmt.Sprintf("%sstart=%d", spojInfo.List(a), place))
		if err != nil {
			return pagedPage{}, err
		}
		rows, err := spojRows(page, a.Handle, newer)
		if err != nil {
			return pagedPage{}, fmt.Errorf("status, from %d: %w", place, err)
		}
		return pagedPage{tally: rows, next: place + rows.count()}, nil
	}
}

func spojRows(page Page, handle string, newer time.Time) (rows tally, err error) {
	doc, err := tableDocument(page, spojLongest)
	if err != nil {
		return rows, err
	}
	if doc.Find("table.problems, table.newstatus, .statusres").Length() == 0 {
		return rows, fmt.Errorf("%w: no table of submissions", ErrFormat)
	}
	for _, tr := range doc.Find("tr").EachIter() {
		if tr.ChildrenFiltered("td.statusres").Length() == 0 &&
			(tr.Closest("table.problems, table.newstatus").Length() == 0 || wordsOnly(tr)) {
			continue
		}
		if user := spojPath(tr, "users"); user != "" && !strings.EqualFold(user, handle) {
			return tally{}, fmt.Errorf("%w: a list of the submissions of %s, too", ErrFormat, user)
		}
		s, err := spojRow(tr, newer)
		if s.Problem = spojProblem(tr); err == nil && s.Problem.Key == "" {
			err = fmt.Errorf("%w: submission %s without a problem", ErrFormat, s.ID)
		}
		if err == nil {
			newer = s.At
		}
		rows.add(s, err, outer(tr))
	}
	return rows, rows.err()
}

// spojRow reads all that tables of submissions have in common.
func spojRow(tr *goquery.Selection, newer time.Time) (s Submission, err error) {
	cell := tr.Find("td.statusres").First()
	id, ok := strings.CutPrefix(clean(cell.AttrOr("id", "")), "statusres_")
	if !ok || !linkNumber.MatchString(id) {
		return s, fmt.Errorf("%w: a submission without a number", ErrFormat)
	}
	s.ID, s.Language = id, textOf(tr.Find(".slang").First())
	if s.At, err = spojZone.at(textOf(tr.Find(".status_sm").First()), newer, time.DateTime, "2006-01-02 15:04"); err != nil {
		return s, err
	}
	said := cell.Clone()
	details := textOf(said.Find(`a[href*="/error/"]`).First()) // A verdict may lead to them.
	said.Find("a, script, style").Remove()
	s.Verdict = cmp.Or(textOf(said), details)
	if s.Verdict == "" && cell.AttrOr("status", "") == "" {
		return s, fmt.Errorf("%w: submission %s without a verdict", ErrFormat, s.ID)
	}
	s.Status, s.Points = spojStatus(s.Verdict, cell.AttrOr("status", ""), cell.AttrOr("final", ""))
	return s, nil
}

func spojProblem(tr *goquery.Selection) Problem {
	code := spojPath(tr, "problems")
	if code == "" {
		return Problem{}
	}
	link := tr.Find(`.sproblem a, a[href*="/problems/"]`).First()
	return Problem{Key: code, Name: textOf(link), URL: spojHome + "/problems/" + url.PathEscape(code) + "/"}
}

var spojName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// spojPath returns what the first link of a kind in a row leads to. Contests have
// their own name before the kind.
func spojPath(tr *goquery.Selection, kind string) string {
	for _, a := range tr.Find("a").EachIter() {
		u, err := url.Parse(clean(a.AttrOr("href", "")))
		if err != nil {
			continue
		}
		parts := pathParts(u.Path)
		for i := range parts {
			if parts[i] == kind && i+1 < len(parts) && i < 2 && spojName.MatchString(parts[i+1]) {
				return parts[i+1]
			}
		}
	}
	return ""
}

// spojCodes are the numbers of results, which need no words.
var spojCodes = map[string]string{"15": AC, "14": WA, "13": TLE, "12": RE, "11": CE}

var spojWordings = []wording{
	{"accepted", AC}, {"wrong", WA}, {"time limit", TLE}, {"memory limit", MLE}, {"runtime", RE}, {"compilation", CE}, {"presentation", PE},
	{"running", Pending}, {"waiting", Pending}, {"compiling", Pending}, {"judging", Pending}, {"judged", Pending}, {"queue", Pending},
}

// spojStatus goes by the words, and by the number where they say nothing, as where
// a score is shown instead.
func spojStatus(said, code, final string) (string, *float64) {
	if status := statusOf(said, spojWordings); status != "" {
		return status, nil
	}
	var points *float64
	said, _, _ = strings.Cut(said, "(") // "2.5 (threshold: 3)".
	if score, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSpace(said), ",", ""), 64); err == nil && score > -1e9 &&
		score < 1e9 {
		points = &score
	}
	switch {
	case spojCodes[code] != "":
		return spojCodes[code], points
	case final == "0":
		return Pending, points
	case points != nil && *points == 100: // Of a hundred.
		return AC, points
	case points != nil:
		return PS, points
	}
	return OTH, nil
}

// spojUser fetches a user's page. SPOJ shows a page of its own without a user on it
// where there is none.
func spojUser(ctx context.Context, get Getter, a Account) (*goquery.Document, error) {
	return fetchPerson(ctx, get, spojInfo, a, personPage{
		name: "users/" + a.Handle, address: spojInfo.Profile(a.Handle), longest: spojLongest, goneIsProof: true,
		shows: func(doc *goquery.Document) bool {
			return doc.Find("#user-profile-left").Length() > 0 || strings.Contains(textOf(doc.Selection), "History of submissions")
		},
		own: func(doc *goquery.Document) bool {
			title := strings.ToLower(textOf(doc.Find("title").First()))
			return strings.Contains(title, "spoj") || strings.Contains(title, "sphere online judge")
		},
	})
}

// Profile reads the user's page: world rank, problems solved, solutions submitted,
// name, country and institution.
func (spoj) Profile(ctx context.Context, get Getter, a Account) (Profile, error) {
	doc, err := spojUser(ctx, get, a)
	if err != nil {
		return Profile{}, err
	}
	box := doc.Find("#user-profile-left").First()
	if name := strings.TrimPrefix(textOf(box.Find("h4").First()), "@"); name != "" && !strings.EqualFold(name, a.Handle) {
		return Profile{}, fmt.Errorf("users/%s: %w: a page about %q", a.Handle, ErrFormat, name)
	}
	p := Profile{Name: &NameView{shown(textOf(box.Find("h3").First()))}, Rank: &RankView{}, Place: spojPlace(box)}
	if m := spojRank.FindStringSubmatch(textOf(box)); m != nil {
		if n, ok := grouped(m[1]); ok && *n > 0 {
			p.Rank.Rank = n
		}
	}
	solved, submitted := spojCount(doc, "Problems solved"), spojCount(doc, "Solutions submitted")
	if solved == nil || submitted == nil {
		return Profile{}, fmt.Errorf("users/%s: %w: a page without its counts", a.Handle, ErrFormat)
	}
	p.Counts = &CountsView{solved, submitted}
	return p, nil
}

var spojRank = regexp.MustCompile(`World Rank: #([0-9,]{1,12})`)

// spojPlace reads the country, which a town may follow, and the institution.
func spojPlace(box *goquery.Selection) *PlaceView {
	place := &PlaceView{}
	for _, line := range box.Find("p").EachIter() {
		text := textOf(line)
		if line.Find(".fa-map-marker").Length() > 0 {
			country, _, _ := strings.Cut(text, ",")
			place.Country = shown(country)
		}
		if school, ok := strings.CutPrefix(text, "Institution:"); ok {
			place.Organisation = shown(school)
		}
	}
	return place
}

// spojCount is the number behind a label.
func spojCount(doc *goquery.Document, label string) *int {
	for _, dt := range doc.Find("dt").EachIter() {
		if strings.Contains(textOf(dt), label) {
			n, _ := grouped(textOf(dt.NextFiltered("dd")))
			return n
		}
	}
	return nil
}

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
