package networks

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"strings"
)

// pages is how many pages of an account's posts one call reads.
const pages = 5

// Account asks https://docs.x.com/x-api/users/get-user-by-username.
func (x) Account(ctx context.Context, get Getter, c Credential, handle string) (string, error) {
	host, err := hostOf(c, "api.x.com")
	if err != nil {
		return "", err
	}
	handle = strings.TrimPrefix(strings.TrimSpace(handle), "@")
	if !xName.MatchString(handle) {
		return "", fmt.Errorf("%q is not a name on X: letters, digits and _", bounded(clean(handle), 50))
	}
	address := "https://" + host + "/2/users/by/username/" + handle
	if c.Legacy {
		address = "https://" + host + "/1.1/users/show.json?screen_name=" + handle
	}
	a, err := get.Get(ctx, address, c.Token)
	if err != nil {
		return "", err
	}
	return xAccount(a)
}

func xAccount(a Answer) (string, error) {
	var v2 struct {
		Data   struct{ ID numeral }
		ID     numeral // v1.1 has it bare.
		IDStr  numeral `json:"id_str"`
		Errors []xProblem
	}
	ok := decode(a.Body, &v2)
	if id := cmp.Or(v2.Data.ID, v2.IDStr, v2.ID); ok && a.Status == 200 && id != "" {
		return string(id), nil
	}
	for _, p := range v2.Errors {
		gone := p.kind() == "resource-not-found" && a.Status == 200 || (p.Code == 50 || p.Code == 63) &&
			(a.Status == 404 || a.Status == 403)
		if ok && gone {
			return "", fmt.Errorf("%w: %s", ErrNoAccount, bounded(clean(p.words()), 200))
		}
	}
	return "", xRefusal(a)
}

// Newer reads https://docs.x.com/x-api/users/get-posts, reposts and replies too.
func (x) Newer(ctx context.Context, get Getter, c Credential, key, sinceID string) ([]Post, error) {
	host, err := hostOf(c, "api.x.com")
	if err != nil {
		return nil, err
	}
	if !isNumeral(key) || sinceID != "" && !isNumeral(sinceID) {
		return nil, fmt.Errorf("account %q since %q: not ids of X", key, sinceID)
	}
	since := ""
	if sinceID != "" {
		since = "&since_id=" + sinceID
	}
	w := walk{since: sinceID, newer: newerNumeral, page: func(from string) (page, error) {
		address := "https://" + host + "/2/users/" + key + "/tweets?max_results=100&" + xFields(c) + since
		if from != "" {
			address += "&pagination_token=" + url.QueryEscape(from)
		}
		a, err := get.Get(ctx, address, c.Token)
		if err != nil {
			return page{}, err
		}
		return xPage(a)
	}}
	if c.Legacy {
		w.page = func(from string) (page, error) {
			address := "https://" + host + "/1.1/statuses/user_timeline.json?count=200&tweet_mode=extended&user_id=" + key + since
			if from != "" {
				address += "&max_id=" + from
			}
			a, err := get.Get(ctx, address, c.Token)
			if err != nil {
				return page{}, err
			}
			return v11Page(a)
		}
	}
	return w.posts()
}

// xPage reads one page. That there is nothing new is said by a count of 0 and no data.
func xPage(a Answer) (page, error) {
	var answer xAnswer
	if a.Status != 200 || !decode(a.Body, &answer) {
		return page{}, xRefusal(a)
	}
	tweets, given := xTweets(answer.Data)
	if n := answer.Meta.ResultCount; !given && (n == nil || *n != 0) {
		return page{}, xRefusal(a)
	}
	pg := page{next: answer.Meta.NextToken}
	for _, t := range tweets {
		if t.ID == "" {
			return page{}, strange(a, "a post without an id")
		}
	}
	byID, err := answer.posts(a, tweets)
	for _, t := range tweets {
		pg.posts = append(pg.posts, byID[string(t.ID)])
	}
	return pg, err
}

// v11Page reads one page of v1.1, which has no token for the next: it begins at
// the oldest post of this one.
func v11Page(a Answer) (page, error) {
	if shape(a.Body) != '[' {
		return page{}, xRefusal(a)
	}
	rows, _, ok := v11Rows(a)
	if !ok {
		return page{}, xRefusal(a)
	}
	var pg page
	for _, row := range rows {
		var t v11Tweet
		if decode(row, &t); t.id() == "" {
			return page{}, strange(a, "a post without an id")
		}
		pg.posts = append(pg.posts, t.post())
		pg.next = t.id()
	}
	return pg, nil
}
