package sites

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/PuerkitoBio/goquery"
)

// hackerearthRows reads the table of a page. A parser drops rows that stand in no table.
func hackerearthRows(text string) ([]Submission, error) {
	if !strings.Contains(text, "<table") {
		text = "<table>" + text + "</table>"
	}
	doc, err := document([]byte(text), hackerearthLongest)
	if err != nil {
		return nil, err
	}
	body := doc.Find("tbody")
	if body.Length() == 0 {
		return nil, fmt.Errorf("%w: no table of submissions", ErrFormat)
	}
	var rows []Submission
	for _, tr := range body.ChildrenFiltered("tr").EachIter() {
		s, err := hackerearthRow(tr)
		if err != nil {
			return nil, err
		}
		rows = append(rows, s)
	}
	return rows, nil
}

// hackerearthRow reads a row: who, problem, verdict, time and memory, language, and
// when. Their order says what the columns mean.
func hackerearthRow(tr *goquery.Selection) (Submission, error) {
	name := tr.AttrOr("id", "")
	id := name[strings.LastIndex(name, "-")+1:]
	cells := tr.ChildrenFiltered("td")
	if !linkNumber.MatchString(id) || cells.Length() < 6 {
		return Submission{}, fmt.Errorf("%w: a submission without a number, or of %d cells", ErrFormat, cells.Length())
	}
	at, err := hackerearthZone.at(clean(hackerearthTitle(cells.Last())), time.Time{}, "2006-01-02 15:04:05-07:00", time.DateTime,
		time.RFC3339, "2006-01-02 15:04:05-0700")
	if err != nil {
		return Submission{}, err
	}
	problem := hackerearthProblem(tr, cells.Eq(1))
	if problem.Key == "" {
		return Submission{}, fmt.Errorf("%w: submission %s without a problem", ErrFormat, id)
	}
	verdict := clean(cmp.Or(hackerearthTitle(cells.Eq(2)), words(cells.Eq(2))))
	return Submission{ID: id, At: at, Problem: problem, Status: hackerearthStatus(verdict), Verdict: verdict, Language: words(cells.Eq(5)),
		URL: hackerearthHome + "/submission/" + id}, nil
}

// hackerearthTitle is what a cell says where one points at it.
func hackerearthTitle(cell *goquery.Selection) string {
	if title, ok := cell.Attr("title"); ok {
		return title
	}
	return cell.Find("[title]").First().AttrOr("title", "")
}

// hackerearthProblem is the link of the problem's cell, or the second of the row:
// the first is who submitted.
func hackerearthProblem(tr, cell *goquery.Selection) Problem {
	link := cell.Find("a[href]").First()
	if link.Length() == 0 {
		link = tr.Find("a[href]").Eq(1)
	}
	address := hackerearthAddress(link.AttrOr("href", ""))
	if address == "" {
		return Problem{}
	}
	path := pathParts(strings.TrimPrefix(address, hackerearthHome))
	if len(path) == 0 {
		return Problem{}
	}
	p := Problem{Key: path[len(path)-1], Name: words(link), URL: address}
	// One problem stands under many addresses: that of its contest, of its chapter.
	if kind, key := hackerearthLink(path, nil); kind == LinkProblem {
		p.Key = key
	}
	return p
}

// hackerearthAddress is a whole address of what a page links to; "" of another site.
func hackerearthAddress(href string) string {
	home, _ := url.Parse(hackerearthHome)
	u, err := home.Parse(clean(href))
	if err != nil || !strings.HasSuffix(u.Hostname(), "hackerearth.com") || clean(href) == "" {
		return ""
	}
	return hackerearthHome + clean(u.Path)
}

// hackerearthWordings are tried in this order: "Wrong Answer" and "Partially Accepted"
// are what they begin with.
var hackerearthWordings = []wording{
	{"partially", PS}, {"accepted", AC}, {"wrong", WA}, {"compilation", CE}, {"compile", CE}, {"runtime", RE}, {"memory", MLE},
	{"time", TLE},
	{"queue", Pending}, {"judging", Pending},
}

func hackerearthStatus(verdict string) string {
	return cmp.Or(statusOf(verdict, hackerearthWordings), OTH)
}
