package standin

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"
)

type (
	// An xOld is a post of version 1.1, with what was always in it.
	xOld struct {
		Created   string    `json:"created_at"`
		ID        uint64    `json:"id"`
		IDStr     string    `json:"id_str"`
		Text      string    `json:"text"`
		Truncated bool      `json:"truncated"`
		Source    string    `json:"source"`
		ReplyTo   *string   `json:"in_reply_to_status_id_str"`
		User      xOldUser  `json:"user"`
		Of        *xOld     `json:"retweeted_status,omitempty"`
		Quote     bool      `json:"is_quote_status"`
		Retweets  int64     `json:"retweet_count"`
		Favorites int64     `json:"favorite_count"`
		Favorited bool      `json:"favorited"`
		Retweeted bool      `json:"retweeted"`
		Lang      string    `json:"lang"`
		Entities  xEntities `json:"entities"`
	}
	xOldUser struct {
		ID        int    `json:"id"`
		IDStr     string `json:"id_str"`
		Name      string `json:"name,omitempty"` // Not of a trimmed one.
		Screen    string `json:"screen_name,omitempty"`
		Protected *bool  `json:"protected,omitempty"`
	}
	xEntities struct {
		Hashtags []string `json:"hashtags"`
		Symbols  []string `json:"symbols"`
		Mentions []string `json:"user_mentions"`
		URLs     []string `json:"urls"`
	}
)

// lookupOld is statuses/lookup of version 1.1: an array in no order without what
// cannot be seen, or with map=true an object with null for it.
func (xNetwork) lookupOld(s *Server, q question, find func(string) (*post, bool)) answer {
	if q.r.URL.Path != "/1.1/statuses/lookup.json" {
		return xOldRefusal(http.StatusNotFound, 34, "Sorry, that page does not exist.")
	}
	values := query(q.r)
	if q.r.Method == http.MethodPost {
		q.r.Body = http.MaxBytesReader(nil, q.r.Body, 1<<16)
		if err := q.r.ParseForm(); err == nil {
			values = q.r.Form
		}
	}
	var ids []string
	for id := range strings.SplitSeq(values.Get("id"), ",") {
		if xWellFormed(id) && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	switch {
	case len(ids) == 0:
		return xOldRefusal(http.StatusForbidden, 25, "Query parameters are missing.")
	case len(ids) > xBatch:
		return xOldRefusal(http.StatusForbidden, 18, "Too many terms specified in query.")
	}
	if s != nil {
		s.notePoll("x", ids, xBatch, q.now)
	}
	list, byID := []*xOld{}, map[string]*xOld{}
	for _, id := range ids {
		byID[id] = nil
		if p, ok := find(id); ok {
			byID[id] = s.xOldView(p, values.Get("trim_user") == "true", q.now.Unix())
			list = append(list, byID[id])
		}
	}
	if values.Get("map") == "true" {
		return asJSON(http.StatusOK, map[string]any{"id": byID})
	}
	slices.SortFunc(list, func(a, b *xOld) int { return cmp.Compare(mix(a.ID), mix(b.ID)) })
	return asJSON(http.StatusOK, list)
}

func (s *Server) xOldView(p *post, trim bool, now int64) *xOld {
	c := s.countsOf(p, now)
	v := &xOld{
		Created: time.UnixMilli(p.ms).UTC().Format(time.RubyDate), ID: p.number, IDStr: p.id, Text: p.text(), Lang: "en",
		Source: `<a href="https://example.com" rel="nofollow">Sample Client</a>`, Retweets: c.reposts, Favorites: c.likes,
		Entities: xEntities{[]string{}, []string{}, []string{}, []string{}},
	}
	author := s.people[p.author]
	v.User = xOldUser{ID: xFirstUser + p.author, IDStr: xUserID(author)}
	if !trim {
		v.User.Name, v.User.Screen, v.User.Protected = s.nameOf(author, now), author.Networks["x"], new(false)
	}
	if p.kind == retweet {
		o := s.original(p)
		v.Of = s.xOldView(&o, trim, now)
		v.Text = "RT @" + s.nameOn("x", o.author) + ": " + v.Of.Text
	}
	return v
}
