package standin

import (
	"fmt"
	"net/http"
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
