package networks

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"time"
)

func init() { register(mastodon{}) }

// mastodon reads https://docs.joinmastodon.org/methods/statuses/ of any instance.
//
// Several posts are asked for at /api/v1/statuses?id[]=, which servers know since
// 4.3 and answer for 20 at most (mastodon/mastodon pull request 27871). Where
// there is no such address Fetch answers TooMany with a Batch of 1: one post is
// always asked for at /api/v1/statuses/ID, which every server knows.
type mastodon struct{}

var mastodonInfo = Info{
	Name:     "mastodon",
	Title:    "Mastodon",
	Home:     "https://joinmastodon.org",
	Batch:    20,
	Gap:      time.Second,
	Requests: 300,
	Window:   5 * time.Minute,

	HomeServer: "mastodon.social",
}

func (mastodon) Info() Info { return mastodonInfo }

func (mastodon) Fetch(ctx context.Context, get Getter, c Credential, ids []string) (Fetched, error) {
	host, err := instance(c)
	if err != nil {
		return Fetched{}, err
	}
	q := question{batch: mastodonInfo.Batch, valid: isNumeral, address: func(ask []string) string {
		if len(ask) == 1 {
			return "https://" + host + "/api/v1/statuses/" + ask[0]
		}
		return "https://" + host + "/api/v1/statuses?" + url.Values{"id[]": ask}.Encode()
	}}
	q.read = func(a Answer, ask []string) (map[string]Post, map[string]string, error) {
		if len(ask) == 1 {
			return mastodonOne(a, host, ask[0])
		}
		return mastodonList(a, host)
	}
	return q.put(ctx, get, c, ids)
}

func instance(c Credential) (string, error) {
	if c.Host == "" {
		return "", errors.New("mastodon: no server is named")
	}
	return hostOf(c, "")
}

// A status is https://docs.joinmastodon.org/entities/Status/.
type status struct {
	ID          numeral
	URI, URL    string
	CreatedAt   string `json:"created_at"`
	Content     string
	SpoilerText string `json:"spoiler_text"`
	Favourites  count  `json:"favourites_count"`
	Reblogs     count  `json:"reblogs_count"`
	Replies     count  `json:"replies_count"`
	Quotes      count  `json:"quotes_count"` // Since 4.4.
	Account     struct {
		ID   numeral
		Acct string
	}
	Reblog *status
}

// post is what an instance says of a post. One that was written elsewhere goes
// under its name there where that is recognisable: here it has only the numbers
// that have come by.
func (s status) post(host string) Post {
	p := Post{
		ID: string(s.ID), Host: host, AuthorKey: string(s.Account.ID), Author: bounded(clean(s.Account.Acct), 300),
		URL: cmp.Or(web(s.URL), web(s.URI)), Likes: s.Favourites.n, Reposts: s.Reblogs.n, Replies: s.Replies.n, Quotes: s.Quotes.n,
		Text: bounded(strings.TrimSpace(clean(s.SpoilerText)+"\n\n"+plain(s.Content)), textRunes),
	}
	p.CreatedAt, _ = when(s.CreatedAt)
	if p.Author != "" && !strings.Contains(p.Author, "@") {
		p.Author += "@" + host
	}
	if home, ok := (mastodon{}).Parse(s.URI); ok && home.Host != "" && home.Host != host {
		p.ID, p.Host = home.ID, home.Host
	}
	if o := s.Reblog; o != nil && o.ID != "" {
		original := o.post(host)
		p.RepostOf, p.Original = string(o.ID), &original
	}
	return p
}

func mastodonList(a Answer, host string) (map[string]Post, map[string]string, error) {
	if a.Status == 404 || a.Status == 405 || a.Status == 410 || a.Status == 501 {
		r := refusal(a, TooMany, "the server has no list of posts, only one at a time")
		r.Batch = 1
		return nil, nil, r
	}
	rows, err := statuses(a)
	if err != nil {
		if r, ok := errors.AsType[*Refusal](err); ok && a.Status == 422 {
			r.Kind = TooMany
		}
		return nil, nil, err
	}
	posts := map[string]Post{}
	for _, s := range rows {
		posts[string(s.ID)] = s.post(host)
	}
	return posts, nil, nil
}

func mastodonOne(a Answer, host, id string) (map[string]Post, map[string]string, error) {
	if words, ok := mastodonWords(a); ok && (a.Status == 404 || a.Status == 410) {
		if words == "" {
			return nil, nil, mastodonRefusal(a)
		}
		return nil, map[string]string{id: NotFound}, nil // Deleted, private and suspended alike.
	}
	if a.Status != 200 {
		return nil, nil, mastodonRefusal(a)
	}
	var s status
	if shape(a.Body) != '{' || !decode(a.Body, &s) || s.ID == "" {
		return nil, nil, mastodonRefusal(a)
	}
	return map[string]Post{string(s.ID): s.post(host)}, nil, nil
}

// statuses reads a list of posts.
func statuses(a Answer) ([]status, error) {
	var rows []json.RawMessage
	if a.Status != 200 || shape(a.Body) != '[' || !decode(a.Body, &rows) {
		return nil, mastodonRefusal(a)
	}
	var all []status
	for _, row := range rows {
		var s status
		if decode(row, &s); s.ID == "" {
			return nil, strange(a, "a post without an id")
		}
		all = append(all, s)
	}
	return all, nil
}

// mastodonWords reads {"error":"Record not found"}; false where it is none, as
// the pages of proxies are.
func mastodonWords(a Answer) (string, bool) {
	var answer struct {
		Error       string
		Description string `json:"error_description"`
	}
	ok := shape(a.Body) == '{' && decode(a.Body, &answer)
	return cmp.Or(clean(answer.Description), clean(answer.Error)), ok
}

func mastodonRefusal(a Answer) *Refusal {
	words, _ := mastodonWords(a)
	kind, found := byStatus(a)
	if found || kind == Format && a.Status != 422 {
		return strange(a, "status %d and no posts: %s", a.Status, words)
	}
	if a.Status == 422 {
		kind = BadRequest
	}
	return refusal(a, kind, words)
}
