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
)

func init() { register(hackerearth{}) }

// hackerearth reads what the page of somebody's submissions loads: tables in JSON,
// newest first, given to whoever shows the token that the page sets as a cookie.
// There is no word for the end but an error.
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
	token := ""
	return listed(ctx, hackerearthInfo, a, func(ctx context.Context, place int) (p pagedPage, err error) {
		if token == "" {
			if token, err = hackerearthToken(ctx, get, a); err != nil {
				return p, err
			}
		}
		p, err = hackerearthPage(ctx, get, a, token, place)
		if err == nil && p.end && len(p.rows) == 0 { // Said of a page that fails, too: it must say so twice.
			p, err = hackerearthPage(ctx, get, a, token, place)
		}
		return p, err
	}, func() error { return nil }) // The token proves that there is somebody.
}

// hackerearthToken opens the page of somebody's submissions. That it is missing
// proves absence only where the profile is missing, too.
func hackerearthToken(ctx context.Context, get Getter, a Account) (string, error) {
	page, header, err := ask(ctx, get, Request{Address: hackerearthInfo.List(a)})
	if err != nil {
		return "", err
	}
	if page.Status == statusNotFound {
		profile, err := get.Get(ctx, hackerearthInfo.Profile(a.Handle))
		if err != nil {
			return "", err
		}
		if profile.Status == statusNotFound {
			return "", fmt.Errorf("%w: HackerEarth has no profile of this name", ErrNoHandle)
		}
	}
	if err := found(page); err != nil {
		return "", fmt.Errorf("submissions: %w", err)
	}
	if bytes.Contains(page.Body, []byte(`id="id_login"`)) && bytes.Contains(page.Body, []byte(`id="id_password"`)) {
		return "", fmt.Errorf("%w: HackerEarth shows these submissions only to who has signed in", ErrBlocked)
	}
	if token := header.cookie("csrftoken"); hackerearthTokens.MatchString(token) {
		return token, nil
	}
	return "", fmt.Errorf("submissions: %w: no token", ErrFormat)
}

var hackerearthTokens = regexp.MustCompile(`^[A-Za-z0-9]{8,128}$`)

// hackerearthPage reads one page of the list; the first is at place 0.
func hackerearthPage(ctx context.Context, get Getter, a Account, token string, place int) (pagedPage, error) {
	page, _, err := ask(ctx, get, Request{
		Address: fmt.Sprintf("%s/AJAX/feed/newsfeed/submission/user/%s/?page=%d", hackerearthHome, url.PathEscape(a.Handle), place+1),
		Page:    hackerearthInfo.List(a),
		Header: map[string]string{"X-CSRFToken": token, "X-Requested-With": "XMLHttpRequest", "Referer": hackerearthInfo.List(a),
			"Cookie": "csrftoken=" + token},
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
	}
	rows, err := hackerearthRows(*answer.Data)
	return pagedPage{rows: rows, end: len(rows) == 0}, err
}

// Ratings reads the data of the graph, which is the beginning of a script.
func (hackerearth) Ratings(ctx context.Context, get Getter, a Account) ([]Rating, error) {
	if err := checkHandle(hackerearthInfo, a.Handle); err != nil {
		return nil, err
	}
	page, err := get.Get(ctx, hackerearthHome+"/ratings/AJAX/rating-graph/"+url.PathEscape(a.Handle)+"/")
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
	if err != nil {
		return nil, fmt.Errorf("rating-graph: %w", err)
	}
	return ratings, nil
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
	slices.SortStableFunc(ratings, func(a, b Rating) int { return a.At.Compare(b.At) })
	return ratings, nil
}
