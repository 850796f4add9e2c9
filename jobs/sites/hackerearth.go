package sites

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/PuerkitoBio/goquery"
)

func init() { register(hackerearth{}) }

// hackerearth reads what the page of somebody's submissions loads: tables in JSON,
// newest first, given to whoever shows the token that the page sets as a cookie.
// An error, no data or an empty table marks the end.
type hackerearth struct{}

const (
	hackerearthHome         = "https://www.hackerearth.com"
	hackerearthZone    zone = "UTC"
	hackerearthLongest      = 2 << 20
)

var hackerearthInfo = Info{
	Name:    "hackerearth",
	Title:   "HackerEarth",
	Home:    hackerearthHome,
	Handle:  regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$`),
	Hint:    "the username, as in hackerearth.com/@USERNAME",
	Gap:     2 * time.Second,
	Overlap: time.Hour,
	Other:   []string{"Rejected"},
	Profile: func(handle string) string { return hackerearthHome + "/@" + url.PathEscape(handle) + "/" },
	List:    func(a Account) string { return hackerearthHome + "/submissions/" + url.QueryEscape(a.Handle) + "/" },
}

func (hackerearth) Info() Info { return hackerearthInfo }

func (hackerearth) Submissions(ctx context.Context, get Getter, a Account) iter.Seq2[ListPage, error] {
	var key hackerearthKey
	return listed(hackerearthInfo, a, func(place int, _ time.Time) (p pagedPage, err error) {
		if key.token == "" {
			if key, err = hackerearthOpen(ctx, get, a); err != nil {
				return p, err
			}
		}
		p, err = hackerearthPage(ctx, get, a, key, place)
		if err == nil && p.end && p.count() == 0 { // Said of a page that fails, too: it must say so twice.
			p, err = hackerearthPage(ctx, get, a, key, place)
		}
		return p, err
	}, func() error { return nil }) // The token proves that there is somebody.
}

// A hackerearthKey is what the site wants to see with each question for the list.
type hackerearthKey struct {
	token  string // Of the cookie csrfToken, which was csrftoken until March 2024.
	cookie string // All cookies of the page.
}

// hackerearthOpen opens the page of somebody's submissions. That it is missing
// proves absence only where the profile is missing, too.
func hackerearthOpen(ctx context.Context, get Getter, a Account) (key hackerearthKey, err error) {
	page, header, err := ask(ctx, get, Request{Address: hackerearthInfo.List(a)})
	if err != nil {
		return key, err
	}
	if page.Status == statusNotFound {
		profile, err := get.Get(ctx, hackerearthInfo.Profile(a.Handle))
		if err != nil {
			return key, err
		}
		if profile.Status == statusNotFound {
			return key, fmt.Errorf("%w: HackerEarth has no profile of this name", ErrNoHandle)
		}
	}
	if err := found(page); err != nil {
		return key, fmt.Errorf("submissions: %w", err)
	}
	if bytes.Contains(page.Body, []byte(`id="id_login"`)) && bytes.Contains(page.Body, []byte(`id="id_password"`)) {
		return key, fmt.Errorf("%w: HackerEarth shows these submissions only to who has signed in", ErrBlocked)
	}
	key = hackerearthKey{token: header.cookie("csrftoken"), cookie: header.jar()}
	if !hackerearthTokens.MatchString(key.token) {
		return hackerearthKey{}, fmt.Errorf("submissions: %w: no token", ErrFormat)
	}
	return key, nil
}

var hackerearthTokens = regexp.MustCompile(`^[A-Za-z0-9_-]{8,128}$`)

// hackerearthPage reads one page of the list; the first is at place 0.
func hackerearthPage(ctx context.Context, get Getter, a Account, key hackerearthKey, place int) (pagedPage, error) {
	page, _, err := ask(ctx, get, Request{
		Address: fmt.Sprintf("%s/AJAX/feed/newsfeed/submission/user/%s/?page=%d", hackerearthHome, url.PathEscape(a.Handle), place+1),
		Page:    hackerearthInfo.List(a),
		Header: map[string]string{"X-CSRFToken": key.token, "X-Requested-With": "XMLHttpRequest", "Referer": hackerearthInfo.List(a),
			"Cookie": key.cookie},
	})
	if err != nil {
		return pagedPage{}, err
	}
	p, err := hackerearthList(page)
	if err != nil {
		return pagedPage{}, fmt.Errorf("submissions, page %d: %w", place+1, err)
	}
	p.next, p.more = place+1, !p.end
	return p, nil
}

func hackerearthList(page Page) (pagedPage, error) {
	var answer struct {
		Status string
		Data   *string
	}
	if err := cmp.Or(found(page), decode(page.Body, &answer)); err != nil {
		return pagedPage{}, err
	}
	switch {
	case strings.EqualFold(answer.Status, "ERROR"):
		return pagedPage{end: true}, nil
	case answer.Data == nil:
		return pagedPage{}, fmt.Errorf("%w: no data", ErrFormat)
	case strings.TrimSpace(*answer.Data) == "":
		return pagedPage{end: true}, nil
	}
	rows, err := hackerearthRows(*answer.Data)
	return pagedPage{tally: rows, end: rows.count() == 0}, err
}

// Ratings reads the data of the graph, which is the beginning of a script.
func (hackerearth) Ratings(ctx context.Context, get Getter, a Account) ([]Rating, error) {
	page, err := fetch(ctx, get, hackerearthInfo, a, hackerearthHome+"/ratings/AJAX/rating-graph/"+url.PathEscape(a.Handle)+"/")
	if err != nil {
		return nil, err
	}
	if err := found(page); err != nil {
		return nil, fmt.Errorf("rating-graph: %w", err)
	}
	if len(bytes.TrimSpace(page.Body)) == 0 { // Of who has no rating.
		return nil, nil
	}
	ratings, err := hackerearthGraph(page.Body)
	return ratings, in("rating-graph", err)
}

// A hackerearthEvent is one rated contest.
type hackerearthEvent struct {
	Start  string `json:"event_start"` // 23 Apr 2016, 03:30 PM
	Title  string `json:"event_title"`
	URL    string `json:"event_url"`
	Rating loose
	Rank   loose
}

func hackerearthGraph(body []byte) ([]Rating, error) {
	_, rest, ok := bytes.Cut(bytes.ToValidUTF8(body, nil), []byte("var dataset ="))
	if !ok {
		return nil, fmt.Errorf("%w: no data", ErrFormat)
	}
	var events []hackerearthEvent
	if err := json.NewDecoder(bytes.NewReader(rest)).Decode(&events); err != nil { // It ends where the list ends.
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	if events == nil {
		return nil, fmt.Errorf("%w: null instead of a list", ErrFormat)
	}
	var ratings []Rating
	for _, e := range events {
		at, err := hackerearthZone.at(clean(e.Start), time.Time{}, "2 Jan 2006, 3:04 PM", time.DateTime, time.RFC3339)
		if err != nil {
			return nil, err
		}
		if e.Rating.value == nil { // Not rated.
			continue
		}
		address := hackerearthAddress(e.URL)
		path := pathParts(strings.TrimPrefix(address, hackerearthHome))
		contest := clean(e.Title)
		if len(path) > 0 {
			contest = path[len(path)-1]
		}
		if contest == "" {
			return nil, fmt.Errorf("%w: a contest without a name", ErrFormat)
		}
		ratings = append(ratings, Rating{Contest: contest, Name: cmp.Or(clean(e.Title), contest), URL: address, Rank: e.Rank.known(),
			Rating: *e.Rating.value, At: at})
	}
	return oldestFirst(ratings), nil
}

// hackerearthRows reads the table of a page. A parser drops rows that are in no table.
func hackerearthRows(text string) (rows tally, err error) {
	if !strings.Contains(text, "<table") {
		text = "<table>" + text + "</table>"
	}
	doc, err := document([]byte(text), hackerearthLongest)
	if err != nil {
		return rows, err
	}
	body := doc.Find("tbody")
	if body.Length() == 0 {
		return rows, fmt.Errorf("%w: no table of submissions", ErrFormat)
	}
	for _, tr := range body.ChildrenFiltered("tr").EachIter() {
		if wordsOnly(tr) {
			continue
		}
		s, err := hackerearthRow(tr)
		rows.add(s, err, outer(tr))
	}
	return rows, rows.err()
}

// hackerearthRow reads a row: who, problem, verdict, time and memory, language, and
// when. Their order says what the columns mean.
func hackerearthRow(tr *goquery.Selection) (Submission, error) {
	name := clean(tr.AttrOr("id", ""))
	id := name[strings.LastIndex(name, "-")+1:]
	cells := tr.ChildrenFiltered("td")
	if !linkNumber.MatchString(id) {
		return Submission{}, fmt.Errorf("%w: a submission without a number", ErrFormat)
	}
	s := Submission{ID: id, URL: hackerearthHome + "/submission/" + id}
	at, err := hackerearthTime(tr)
	if err != nil {
		return s, err
	}
	s.At = at
	if cells.Length() < 6 {
		return s, fmt.Errorf("%w: a submission of %d cells", ErrFormat, cells.Length())
	}
	if s.Problem = hackerearthProblem(tr, cells.Eq(1)); s.Problem.Key == "" {
		return s, fmt.Errorf("%w: submission %s without a problem", ErrFormat, id)
	}
	s.Verdict = hackerearthVerdict(tr, cells.Eq(2))
	if s.Verdict == "" {
		return s, fmt.Errorf("%w: submission %s without a verdict", ErrFormat, id)
	}
	s.Status, s.Language = hackerearthStatus(s.Verdict), textOf(cells.Eq(5))
	return s, nil
}

// hackerearthMoment is what only a time of the site looks like. It is in a title, but not
// always in the same cell.
var hackerearthMoment = regexp.MustCompile(
	`^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?$`)

// hackerearthTime is when a row was made: what the last cell, or any other, says where one points at it.
func hackerearthTime(tr *goquery.Selection) (time.Time, error) {
	var found []string
	last := tr.ChildrenFiltered("td").Last()
	title := clean(cmp.Or(last.AttrOr("title", ""), last.Find("[title]").First().AttrOr("title", "")))
	if hackerearthMoment.MatchString(title) {
		found = append(found, title)
	}
	for _, e := range tr.Find("[title], [datetime], td, span, time").EachIter() {
		for _, text := range []string{e.AttrOr("title", ""), e.AttrOr("datetime", ""), textOf(e)} {
			if text = clean(text); hackerearthMoment.MatchString(text) && !slices.Contains(found, text) {
				found = append(found, text)
			}
		}
	}
	if len(found) == 0 {
		return time.Time{}, fmt.Errorf("%w: a submission without a time", ErrFormat)
	}
	return hackerearthZone.at(found[0], time.Time{}, "2006-01-02 15:04:05Z07:00", time.DateTime, time.RFC3339, "2006-01-02 15:04:05-0700",
		"2006-01-02T15:04:05")
}

// hackerearthVerdict is what the icon in the cell of the verdict says, or one in another cell.
func hackerearthVerdict(tr, cell *goquery.Selection) string {
	for _, title := range []string{cell.AttrOr("title", ""), cell.Find("[title]").First().AttrOr("title", ""), textOf(cell),
		tr.Find("td i[title]").First().AttrOr("title", "")} {
		if title = strings.Join(strings.Fields(clean(title)), " "); title != "" && !hackerearthMoment.MatchString(title) {
			return title
		}
	}
	return ""
}

// hackerearthProblem is the first link to a problem of the problem's cell, or of the row.
func hackerearthProblem(tr, cell *goquery.Selection) Problem {
	for _, link := range cell.Find("a[href]").AddSelection(tr.Find("a[href]")).EachIter() {
		if p := hackerearthProblemAt(link); p.Key != "" {
			return p
		}
	}
	return Problem{}
}

// hackerearthProblemAt is the problem that a link leads to, if it does to one.
func hackerearthProblemAt(link *goquery.Selection) Problem {
	address := hackerearthAddress(link.AttrOr("href", ""))
	if address == "" {
		return Problem{}
	}
	path := pathParts(strings.TrimPrefix(address, hackerearthHome))
	if len(path) < 2 || !slices.Contains(hackerearthKinds, path[0]) {
		return Problem{}
	}
	p := Problem{Key: path[len(path)-1], Name: textOf(link), URL: address}
	// One problem has many addresses: that of its contest, of its chapter.
	if kind, key := hackerearthLink(path, nil); kind == LinkProblem {
		p.Key = key
	}
	return p
}

// hackerearthKinds begin the addresses of problems.
var hackerearthKinds = []string{"problem", "practice", "challenges", "challenge"}

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

func init() { registerLinks("hackerearth", hackerearthLink, "hackerearth.com") }

// hackerearthLink finds problems behind their kind, wherever that is.
func hackerearthLink(path []string, _ url.Values) (kind, key string) {
	if len(path) > 0 && strings.HasPrefix(path[0], "@") {
		return handled(anyHandle, path[0][1:])
	}
	if id, ok := oneOf(path, "submission"); ok {
		return fits(linkNumber, LinkSubmission, id)
	}
	for i, part := range path {
		if (part == "algorithm" || part == "approximate" || part == "machine-learning") && i > 0 && i+1 < len(path) {
			return fits(linkSlug, LinkProblem, path[i+1])
		}
	}
	if rest := under(path, "challenges", "*"); rest != nil {
		return fits(linkSlug, LinkContest, rest[0])
	}
	return "", ""
}
