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

func init() { register(timus{}) }

// timus reads the status pages of Timus Online Judge, which knows people by their
// number, goes on from the number of a row, and speaks English when asked to.
type timus struct{}

const (
	timusHome         = "https://acm.timus.ru"
	timusZone    zone = "Asia/Yekaterinburg"
	timusLongest      = 8 << 20
	timusCount        = 1000
)

var timusInfo = Info{
	Name:    "timus",
	Title:   "Timus Online Judge",
	Home:    timusHome,
	Handle:  regexp.MustCompile(`^[1-9][0-9]{0,8}$`),
	Hint:    "the number in the address of the author's page",
	Gap:     time.Second,
	Overlap: time.Hour,
	Other:   []string{"Output limit exceeded", "Restricted function", "Fail (checker)"},
	Proof:   "Name, in your profile there",
	Profile: func(handle string) string { return timusHome + "/author.aspx?id=" + url.QueryEscape(handle) },
	List: func(a Account) string {
		return timusHome + "/status.aspx?locale=en&author=" + url.QueryEscape(a.Handle)
	},
}

func (timus) Info() Info { return timusInfo }

func (timus) Submissions(ctx context.Context, get Getter, a Account) iter.Seq2[ListPage, error] {
	return listed(timusInfo, a, timusPages(ctx, get, a), func() error {
		_, err := timusAuthor(ctx, get, a)
		return err
	})
}

// Ratings returns none: Timus shows a rating, but not how it came about.
func (timus) Ratings(context.Context, Getter, Account) ([]Rating, error) { return nil, nil }

// timusPages reads pages by the number of their first row, 0 for the newest: each
// begins with the last row of the one before.
func timusPages(ctx context.Context, get Getter, a Account) pager {
	count := timusCount
	if !a.CoveredAt.IsZero() {
		count = 50 // Most often it reaches covered ground.
	}
	return func(place int, newer time.Time) (pagedPage, error) {
		address := fmt.Sprintf("%s&count=%d", timusInfo.List(a), count)
		if place > 0 {
			address += "&from=" + strconv.Itoa(place)
		}
		page, err := get.Get(ctx, address)
		if err != nil {
			return pagedPage{}, err
		}
		count = timusCount
		rows, err := timusRows(page, a.Handle, newer)
		if err != nil {
			return pagedPage{}, fmt.Errorf("status.aspx, from %d: %w", place, err)
		}
		p := pagedPage{tally: rows, next: place}
		if last := rows.lastID(); last != "" {
			p.next, _ = strconv.Atoi(last) // Digits: see timusRow.
		}
		p.end = rows.count() > 0 && p.next == place // There is nothing behind the row where it begins.
		return p, nil
	}
}

func timusRows(page Page, handle string, newer time.Time) (rows tally, err error) {
	doc, err := tableDocument(page, timusLongest)
	if err != nil {
		return rows, err
	}
	if doc.Find("table.status").Length() == 0 {
		if timusOwn(doc) && whole(page.Body) == nil {
			return rows, resting(doc) // What is said of an author who is not there.
		}
		return rows, fmt.Errorf("%w: no table of submissions", ErrFormat)
	}
	rows, authors := timusTable(doc, newer)
	for _, author := range authors {
		if author != "" && author != handle {
			return tally{}, fmt.Errorf("%w: a list of the submissions of %s, too", ErrFormat, author)
		}
	}
	return rows, rows.err()
}

// timusTable reads the rows of a list, newest first, with the authors of those that can be read.
func timusTable(doc *goquery.Document, newer time.Time) (rows tally, authors []string) {
	for _, tr := range doc.Find("table.status tr").EachIter() {
		// The head and links to other pages are no rows.
		if tr.ChildrenFiltered("td.id").Length() == 0 && tr.ChildrenFiltered("td").Length() < 3 {
			continue
		}
		s, err := timusRow(tr, newer)
		if err == nil {
			newer = s.At
			author, _ := tr.ChildrenFiltered("td.coder").Find("a").First().Attr("href")
			_, id := timusAddress(author)
			authors = append(authors, id)
		}
		rows.add(s, err, outer(tr))
	}
	return rows, authors
}

var timusDate = regexp.MustCompile(`^([0-9]{1,2}:[0-9]{2}:[0-9]{2})\s*([0-9]{1,2} [A-Z][a-z]{2} [0-9]{4})$`)

func timusRow(tr *goquery.Selection, newer time.Time) (Submission, error) {
	s := Submission{ID: textOf(tr.ChildrenFiltered("td.id")), Language: textOf(tr.ChildrenFiltered("td.language"))}
	if !linkNumber.MatchString(s.ID) {
		s.ID = ""
		return s, fmt.Errorf("%w: a submission without a number", ErrFormat)
	}
	m := timusDate.FindStringSubmatch(textOf(tr.ChildrenFiltered("td.date"))) // Two lines, of which nothing parts the texts.
	if m == nil {
		return s, fmt.Errorf("%w: submission %s without a time", ErrFormat, s.ID)
	}
	var err error
	if s.At, err = timusZone.at(m[1]+" "+m[2], newer, "15:04:05 2 Jan 2006"); err != nil {
		return s, err
	}
	if s.Problem = timusProblem(tr.ChildrenFiltered("td.problem")); s.Problem.Key == "" {
		return s, fmt.Errorf("%w: submission %s without a problem", ErrFormat, s.ID)
	}
	if s.Verdict = textOf(tr.ChildrenFiltered(`td[class^="verdict"]`).First()); s.Verdict == "" {
		return s, fmt.Errorf("%w: submission %s without a verdict", ErrFormat, s.ID)
	}
	s.Status = timusStatus(s.Verdict, tr.ChildrenFiltered("td.verdict_wt").Length() > 0)
	return s, nil
}

// timusAddress says what an address within the site is about: a problem with its
// space, or an author.
func timusAddress(href string) (space, id string) {
	u, err := url.Parse(clean(href))
	if err != nil {
		return "", ""
	}
	id = u.Query().Get("num")
	if strings.Contains(u.Path, "author.aspx") {
		id = u.Query().Get("id")
	}
	if !linkNumber.MatchString(id) {
		return "", ""
	}
	return u.Query().Get("space"), id
}

// timusProblem is a problem by its number; spaces other than 1 are contests, whose
// problems have numbers of their own.
func timusProblem(cell *goquery.Selection) Problem {
	href, _ := cell.Find("a").First().Attr("href")
	space, number := timusAddress(href)
	if number == "" {
		return Problem{}
	}
	if space == "" || !linkNumber.MatchString(space) {
		space = "1"
	}
	p := Problem{Key: number, Name: textOf(cell), URL: fmt.Sprintf("%s/problem.aspx?space=%s&num=%s", timusHome, space, number)}
	if space != "1" {
		p.Key = space + "-" + number
	}
	if p.Name == number { // Only the number is shown.
		p.Name = ""
	}
	return p
}

var timusWordings = []wording{
	{"accepted", AC}, {"wrong answer", WA}, {"time limit", TLE}, {"idleness limit", TLE}, {"memory limit", MLE}, {"runtime error", RE},
	{"stack overflow", RE}, {"compilation error", CE}, {"presentation error", PE}, {"running", Pending}, {"waiting", Pending},
	{"compiling", Pending}, {"queue", Pending}, {"testing", Pending},
}

func timusStatus(said string, waiting bool) string {
	status := statusOf(said, timusWordings)
	if status == "" && waiting {
		return Pending
	}
	return cmp.Or(status, OTH)
}

// timusOwn says whether a page is one of Timus.
func timusOwn(doc *goquery.Document) bool {
	return strings.Contains(strings.ToLower(textOf(doc.Find("title").First())), "timus online judge")
}

// timusAuthor fetches an author's page. Where there is no such author, Timus shows
// a page of its own without a name.
func timusAuthor(ctx context.Context, get Getter, a Account) (*goquery.Document, error) {
	return fetchPerson(ctx, get, timusInfo, a, personPage{
		name: "author " + a.Handle, address: timusInfo.Profile(a.Handle) + "&locale=en", longest: timusLongest,
		shows: func(doc *goquery.Document) bool { return doc.Find("h2.author_name").Length() > 0 },
		own:   timusOwn,
	})
}

// Profile reads the author's page: name, problems solved, rating and the rank by it.
func (timus) Profile(ctx context.Context, get Getter, a Account) (Profile, error) {
	doc, err := timusAuthor(ctx, get, a)
	if err != nil {
		return Profile{}, err
	}
	p := Profile{Name: &NameView{shown(textOf(doc.Find("h2.author_name").First()))}}
	if doc.Find(".author_none_solved").Length() > 0 {
		p.Counts, p.Rank, p.Rating = &CountsView{Solved: new(0)}, &RankView{}, &RatingView{}
		return p, nil
	}
	for _, cell := range doc.Find("td.author_stats_value").EachIter() {
		text, _, _ := strings.Cut(textOf(cell), " ") // "123 out of 1190".
		n, ok := grouped(text)
		if !ok {
			return Profile{}, fmt.Errorf("author %s: %w: %q is not a number", a.Handle, ErrFormat, text)
		}
		switch label := strings.ToLower(textOf(cell.Prev())); {
		case strings.HasPrefix(label, "problems solved"):
			p.Counts = &CountsView{Solved: n}
		case strings.HasPrefix(label, "rank by rating"):
			p.Rank = &RankView{}
			if *n > 0 {
				p.Rank.Rank = n
			}
		case strings.HasPrefix(label, "rating"):
			p.Rating = &RatingView{Rating: n}
		}
	}
	return p, nil
}

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
