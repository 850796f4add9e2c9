package standin

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

func init() { register(xNetwork{}) }

// xNetwork is https://api.x.com: version 2, and the look-up of version 1.1 that
// compatible servers still speak.
type xNetwork struct{}

// xNumbers are the snowflakes since November 2010.
var xNumbers = snowflake{bits: 22, since: 1288834974657, first: 29700859248}

const (
	xBatch     = 100
	xFirstUser = 1500000000000000000
	xProblems  = "https://api.twitter.com/2/problems/"
	xByName    = "/2/users/by/username/"
)

func (xNetwork) name() string       { return "x" }
func (xNetwork) gap() time.Duration { return 0 }
func (xNetwork) serves(path string) bool {
	return strings.HasPrefix(path, "/2/") || strings.HasPrefix(path, "/1.1/")
}
func (xNetwork) traits() networkTraits {
	return networkTraits{limit: Limit{3500, 15 * time.Minute}, metrics: []string{"views", "bookmarks"}}
}
func (xNetwork) person(i int, _ string) string    { return fmt.Sprintf("sample_%05d", i) }
func (xNetwork) id(at time.Time, n, _ int) string { return xNumbers.id(at, n) }
func (xNetwork) parse(id string) (stamp, bool)    { return xNumbers.parse(id) }
func (xNetwork) headers(m meter) http.Header      { return m.headers("X-Rate-Limit-", m.epoch()) }
func old(r *http.Request) bool                    { return strings.HasPrefix(r.URL.Path, "/1.1/") }
func xUserID(p *person) string                    { return strconv.Itoa(xFirstUser + p.Index) }

func (s *Server) xUser(id string) (*person, bool) {
	n, err := strconv.Atoi(id)
	if n -= xFirstUser; err != nil || n < 0 || n >= len(s.people) {
		return nil, false
	}
	return s.people[n], true
}

// handle is whose posts are asked for, by name also where the address has the number.
func (xNetwork) handle(s *Server, r *http.Request) string {
	if name, ok := strings.CutPrefix(r.URL.Path, xByName); ok {
		return name
	}
	if id, ok := xTimelineOf(r); ok {
		if p, ok := s.xUser(id); ok {
			return p.Networks["x"]
		}
	}
	return ""
}

// xTimelineOf is the N of /2/users/N/tweets.
func xTimelineOf(r *http.Request) (string, bool) {
	rest, ok := strings.CutPrefix(r.URL.Path, "/2/users/")
	id, listed := strings.CutSuffix(rest, "/tweets")
	return id, ok && listed
}

func (n xNetwork) answer(s *Server, q question) answer {
	token := bearer(q.r)
	if a, ok := xRefused(token, old(q.r)); ok {
		return a
	}
	m := s.take(n, "token "+token, q.now)
	a := xHurried(old(q.r))
	if !m.over {
		a = n.route(s, q)
	}
	a.header = n.headers(m)
	return a
}

func (n xNetwork) route(s *Server, q question) answer {
	find := func(id string) (*post, bool) { return s.xFind(id, q.now.Unix()) }
	switch {
	case q.r.URL.Path == "/2/tweets":
		return n.lookup(s, q, find)
	case old(q.r):
		return n.lookupOld(s, q, find)
	case strings.HasPrefix(q.r.URL.Path, xByName):
		return n.user(s, q)
	}
	if id, ok := xTimelineOf(q.r); ok {
		return n.timeline(s, q, id)
	}
	return xRefusal(xProblem{Title: "Not Found", Type: "about:blank", Status: http.StatusNotFound, Detail: "Not Found"})
}

// xFind is a post that was made, and whether everybody may see it; nil when
// there is none.
func (s *Server) xFind(id string, now int64) (*post, bool) {
	p, ok := s.postOf(xNetwork{}, id)
	switch {
	case ok && p.shown(now):
		return &p, true
	case ok && p.hidden(now):
		return &p, false
	}
	return nil, false
}

// hurried is a quota at its end. X never says Retry-After.
func (n xNetwork) hurried(q question) answer {
	a := xHurried(old(q.r))
	a.header = n.headers(spent(n, q.now))
	return a
}

// unknown finds nothing of what is asked for.
func (n xNetwork) unknown(q question) answer {
	none := func(string) (*post, bool) { return nil, false }
	switch {
	case q.r.URL.Path == "/2/tweets":
		return n.lookup(nil, q, none)
	case old(q.r):
		return n.lookupOld(nil, q, none)
	}
	return xNoUser(q.handle)
}

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
