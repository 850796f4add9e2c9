package sites

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

func init() {
	registerKind(Kind{Name: "dmoj", Title: "DMOJ", Home: "https://dmoj.ca", At: func(h Host) Hosted { return dmoj{h} }})
}

// dmoj reads a host that runs DMOJ by its documented interface, version 2. A list is in pages,
// oldest first. The last page is asked for first, and then those before it: a page that is full
// stays as it is while the list grows.
type dmoj struct{ Host }

var dmojHandle = regexp.MustCompile(`^[A-Za-z0-9_]{1,64}$`)

// Info implements Site.
func (d dmoj) Info() Info {
	return Info{
		Name: d.Name, Title: d.Title, Home: d.Base,
		Handle: dmojHandle, Hint: "the username: letters, digits, _",
		Gap: time.Second, Overlap: time.Hour,
		Other:   []string{"OLE", "IE", "AB", "SC"}, // Output limit, internal error, aborted, not run after a failure.
		Proof:   "Self-description, in your profile there",
		Profile: func(handle string) string { return d.Base + "/user/" + url.PathEscape(handle) },
		List:    func(a Account) string { return d.address("submissions?user=" + url.QueryEscape(a.Handle)) },
		link:    dmojLink,
	}
}

func (d dmoj) address(path string) string { return d.Base + "/api/v2/" + path }

// Check implements Hosted: the list of problems is open to whoever may read at all.
func (d dmoj) Check(ctx context.Context, get Getter) error {
	_, err := d.list(ctx, get, d.address("problems"), "")
	return err
}

// errDmojAbsent is the interface's own word that there is no such thing: a handle, or a page of a list.
var errDmojAbsent = errors.New("the host says that there is no such page or object")

// A dmojSaid is every answer of the interface.
type dmojSaid struct {
	Version string `json:"api_version"`
	Data    json.RawMessage
	Error   struct{ Message string }
}

// ask asks the interface a question and reads the data of its answer.
func (d dmoj) ask(ctx context.Context, get Getter, r Request, data any) error {
	wayOut := "; give it a token of an account there"
	if d.Token != "" {
		r.Header, wayOut = map[string]string{"Authorization": "Bearer " + d.Token}, "; its token may have ended"
	}
	page, _, err := ask(ctx, get, r)
	var said dmojSaid
	wrong := decode(page.Body, &said)
	status := strings.TrimSpace(strconv.Itoa(page.Status) + " " + clean(said.Error.Message))
	switch refused := page.Status == 401 || page.Status == 403; {
	case refused && !bytes.Contains(page.Body, []byte("challenge")): // Which asks for a browser, and no token helps.
		return fmt.Errorf("%w: %s refuses access (%s)%s", ErrBlocked, d.Base, status, wayOut)
	case err != nil:
		return err
	case page.Status == statusNotFound && said.Version != "":
		return errDmojAbsent
	case page.Status != statusOK:
		return fmt.Errorf("%w: status %s", ErrFormat, status)
	case wrong != nil && strings.Contains(pageAddress(get), "/login"):
		return fmt.Errorf("%w: %s sends us to its page for signing in%s", ErrBlocked, d.Base, wayOut)
	case wrong != nil || said.Version == "":
		return fmt.Errorf("%w: no answer of DMOJ's interface", ErrFormat)
	}
	return decode(said.Data, data)
}

// A dmojList is a page of a list.
type dmojList struct {
	Index   int               `json:"page_index"`
	Pages   int               `json:"total_pages"`
	Total   *int              `json:"total_objects"`
	More    bool              `json:"has_more"` // Newer hosts.
	Objects []json.RawMessage // Nil: it is no list.
}

// list asks for a page of a list. of is what the archive calls it.
func (d dmoj) list(ctx context.Context, get Getter, address, of string) (list dmojList, err error) {
	if err = d.ask(ctx, get, Request{Address: address, Page: of}, &list); err != nil {
		return list, err
	}
	if list.Objects == nil || list.Index < 1 || len(list.Objects) == 0 && list.Total != nil && *list.Total > 0 {
		return list, fmt.Errorf("%w: not a page of a list", ErrFormat)
	}
	return list, nil
}

// Submissions implements Site.
func (d dmoj) Submissions(ctx context.Context, get Getter, a Account) iter.Seq2[ListPage, error] {
	return listed(d.Info(), a, d.pages(ctx, get, a), func() error { return nil }) // See pages.
}

// pages reads pages by their number, 0 for the last one. The list of nobody is empty, too, so
// who has an empty one is asked for.
func (d dmoj) pages(ctx context.Context, get Getter, a Account) pager {
	return func(place int, _ time.Time) (p pagedPage, err error) {
		list, err := d.page(ctx, get, a, place)
		if err == nil && place == 0 && len(list.Objects) == 0 {
			_, err = d.user(ctx, get, a)
		}
		if err != nil {
			return p, in("submissions", err)
		}
		slices.Reverse(list.Objects)
		for _, text := range list.Objects {
			row, s, err := rowOf(text, d.submission)
			if user := clean(row.User); user != "" && !strings.EqualFold(user, a.Handle) {
				return p, fmt.Errorf("%w: a list of the submissions of %s, too", ErrFormat, user)
			}
			p.add(s, err, func() string { return string(text) })
		}
		if p.next, p.more, p.end = list.Index-1, list.Index > 1, list.Index == 1; place == 0 {
			p.total = list.Total
		}
		return p, p.err()
	}
}

// page asks for a page by its number, and for the last one where that is gone or 0. A host that does not
// know the word tells with its first page how many there are.
func (d dmoj) page(ctx context.Context, get Getter, a Account, place int) (list dmojList, err error) {
	address := d.Info().List(a)
	for _, which := range []string{strconv.Itoa(place), "last", "1"} {
		if which == "0" {
			continue
		}
		list, err = d.list(ctx, get, address+"&page="+which, address)
		if !errors.Is(err, errDmojAbsent) {
			break
		}
	}
	if err == nil && place == 0 && list.Index < list.Pages {
		list, err = d.list(ctx, get, address+"&page="+strconv.Itoa(list.Pages), address)
	}
	switch {
	case errors.Is(err, errDmojAbsent):
		return list, fmt.Errorf("%w: %w", ErrFormat, err)
	case err == nil && place == 0 && list.Pages == 0 && list.More:
		return list, fmt.Errorf("%w: a list that does not say how many pages it has", ErrFormat)
	}
	return list, err
}

// A dmojRow is one submission.
type dmojRow struct {
	ID                      int64
	Problem, User, Language string
	Date                    time.Time
	Points, Time            *float64
	Result                  *string // null while it is judged, as the others.
	Contest                 *struct {
		Key     string
		Virtual int `json:"virtual_participation_number"` // 0 is the contest itself, -1 a spectator.
	}
}

func (d dmoj) submission(r dmojRow) (Submission, error) {
	if r.ID <= 0 {
		return Submission{}, fmt.Errorf("%w: a submission without an id", ErrFormat)
	}
	s := Submission{ID: strconv.FormatInt(r.ID, 10), Language: clean(r.Language), Points: r.Points}
	var err error
	if s.At, err = believable(r.Date); err != nil {
		return Submission{ID: s.ID}, err
	}
	if r.Result != nil {
		s.Verdict = clean(*r.Result)
	}
	s.Problem = d.problem(r.Problem)
	if s.Problem.Key == "" || r.User == "" || s.Verdict == "" && (r.Points != nil || r.Time != nil) {
		return s, fmt.Errorf("%w: submission %s without a problem, a user or a result", ErrFormat, s.ID)
	}
	s.Status, s.URL = dmojStatus(s.Verdict), d.Base+"/submission/"+s.ID
	if c := r.Contest; c != nil && clean(c.Key) != "" {
		s.Contest = ContestRef{Key: clean(c.Key), URL: d.contest(c.Key)}
		s.Participation = []string{InPractice, InContest, InVirtual}[1+max(-1, min(c.Virtual, 1))]
	}
	return s, nil
}

func (d dmoj) problem(code string) Problem {
	code = clean(code)
	return Problem{Key: code, URL: d.Base + "/problem/" + url.PathEscape(code)}
}

func (d dmoj) contest(key string) string { return d.Base + "/contest/" + url.PathEscape(clean(key)) }

func dmojStatus(result string) string {
	switch result {
	case AC, WA, TLE, MLE, CE:
		return result
	case "RTE", "IR": // IR: the program ended with another status than 0.
		return RE
	case "", "QU", "P", "G": // Queued, processing, grading.
		return Pending
	}
	return OTH
}

// Ratings implements Site. A person's contests have no dates there, so the list of contests is asked
// for them; older hosts do not choose among them and give all. One that is not listed has none.
func (d dmoj) Ratings(ctx context.Context, get Getter, a Account) (ratings []Rating, err error) {
	u, err := d.user(ctx, get, a)
	if err != nil {
		return nil, err
	}
	after, keys := map[string]int{}, url.Values{}
	for _, c := range u.Contests {
		if c.Rating != nil {
			after[c.Key] = *c.Rating
			keys.Add("key", c.Key)
		}
	}
	for all := range slices.Chunk(keys["key"], dmojKeys) {
		path := "contests?" + url.Values{"key": all}.Encode()
		err := d.contests(ctx, get, path, d.address("user/"+url.PathEscape(a.Handle)), func(c ListedContest) bool {
			if rating, ok := after[c.Key]; ok {
				ratings = append(ratings, Rating{Contest: c.Key, Name: c.Name, URL: c.URL, Rating: rating, At: c.Ends})
				delete(after, c.Key)
			}
			return slices.ContainsFunc(all, func(key string) bool { _, left := after[key]; return left })
		})
		if err != nil {
			return nil, err
		}
	}
	return oldestFirst(ratings), nil
}

// contests reads a list of contests as long as more are wanted.
func (d dmoj) contests(ctx context.Context, get Getter, path, of string, more func(ListedContest) bool) error {
	return in("contests", d.each(ctx, get, path, of, func(text json.RawMessage) (bool, error) {
		var c struct {
			Key, Name string
			Starts    time.Time `json:"start_time"`
			Ends      time.Time `json:"end_time"`
		}
		if err := decode(text, &c); err != nil {
			return false, err
		}
		listed, err := lasting(ListedContest{Key: clean(c.Key), Name: clean(c.Name), URL: d.contest(c.Key)}, c.Starts.Unix(),
			c.Ends.Unix()-c.Starts.Unix())
		return more(listed), err
	}))
}

// each reads a list from its first page on, until no more are wanted.
func (d dmoj) each(ctx context.Context, get Getter, path, of string, read func(json.RawMessage) (more bool, err error)) error {
	for n := 1; n <= dmojPages; n++ {
		address := d.address(path)
		if n > 1 {
			address += map[bool]string{true: "&", false: "?"}[strings.Contains(path, "?")] + "page=" + strconv.Itoa(n)
		}
		list, err := d.list(ctx, get, address, of)
		if err == nil && list.Index != n {
			err = fmt.Errorf("%w: page %d where %d was asked for", ErrFormat, list.Index, n)
		}
		if err != nil {
			return err
		}
		more := true
		for _, text := range list.Objects {
			if more, err = read(text); err != nil {
				return err
			}
		}
		if !more || !list.More && n >= list.Pages {
			return nil
		}
	}
	return fmt.Errorf("%w: a list without end", ErrFormat)
}

// Lists implements Cataloguer.
func (d dmoj) Lists() []List {
	return []List{
		{Name: "contests", Address: d.address("contests"), Extent: Grows, Names: true, Contests: true, Read: d.contestList},
		{Name: "problems", Address: d.address("problems"), Extent: Grows, Names: true, Read: d.problemList},
	}
}

func (d dmoj) contestList(ctx context.Context, get Getter) (c Listing, err error) {
	err = d.contests(ctx, get, "contests", "", func(x ListedContest) bool {
		c.Contests = append(c.Contests, x)
		return true
	})
	return c, err
}

// problemList reads problems, of which points are the difficulty.
func (d dmoj) problemList(ctx context.Context, get Getter) (c Listing, err error) {
	seen := map[string]bool{}
	err = d.each(ctx, get, "problems", "", func(text json.RawMessage) (bool, error) {
		var row struct {
			Code, Name string
			Types      []string
			Points     *float64
		}
		if err := decode(text, &row); err != nil {
			return false, err
		}
		p := ListedProblem{Problem: d.problem(row.Code), Tags: tagList(row.Types)}
		if p.Name = clean(row.Name); p.Key == "" {
			return false, fmt.Errorf("%w: a problem without a code", ErrFormat)
		}
		if row.Points != nil && math.Abs(*row.Points) <= hardest {
			p.Difficulty = new(int(math.Round(*row.Points)))
		}
		if !seen[p.Key] {
			c.Problems = append(c.Problems, p)
		}
		seen[p.Key] = true
		return true, nil
	})
	if err == nil && len(c.Problems) == 0 {
		err = fmt.Errorf("%w: nothing at all", ErrFormat)
	}
	return c, in("problems", err)
}

// dmojLink knows problems, submissions, contests and users.
func dmojLink(path []string, _ url.Values) (kind, key string) {
	if handle, ok := oneOf(path, "user"); ok {
		return handled(dmojHandle, handle)
	}
	if id, ok := oneOf(path, "submission", "src"); ok {
		return fits(linkNumber, LinkSubmission, id)
	}
	if code, ok := oneOf(path, "problem"); ok {
		return fits(linkSlug, LinkProblem, code)
	}
	contest, _ := oneOf(path, "contest")
	return fits(linkSlug, LinkContest, contest)
}
