package standin

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

func init() { register(bluesky{}) }

// bluesky is https://public.api.bsky.app: XRPC, without a token if one likes.
type bluesky struct{}

const (
	bsPosts   = "/xrpc/app.bsky.feed.getPosts"
	bsFeed    = "/xrpc/app.bsky.feed.getAuthorFeed"
	bsResolve = "/xrpc/com.atproto.identity.resolveHandle"
	bsBatch   = 25
)

func (bluesky) name() string              { return "bluesky" }
func (bluesky) gap() time.Duration        { return 0 }
func (bluesky) serves(path string) bool   { return strings.HasPrefix(path, "/xrpc/") }
func (bluesky) unknown(q question) answer { return bluesky{}.route(nil, q) }

func (bluesky) traits() networkTraits {
	return networkTraits{limit: Limit{3000, 5 * time.Minute}, ownAuthor: true, noReposts: true, metrics: []string{"bookmarks"}}
}

func (bluesky) person(_ int, name string) string { return name + ".bsky.social" }

func (bluesky) id(at time.Time, n, author int) string {
	return "at://" + did(author) + postPath + tid(at, n)
}

func (bluesky) parse(id string) (stamp, bool) {
	who, key, _ := strings.Cut(strings.TrimPrefix(id, "at://"), postPath)
	author, known := parseDID(who)
	n, ok := parseTID(key)
	return stamp{number: n, ms: int64(n >> 10 / 1000), author: author}, known && ok && strings.HasPrefix(id, "at://")
}

// handle is the actor by handle, also where the address has the DID.
func (bluesky) handle(s *Server, r *http.Request) string {
	values := query(r)
	if values.Has("handle") {
		return values.Get("handle")
	}
	actor := values.Get("actor")
	if index, ok := parseDID(actor); ok && index < len(s.people) {
		return s.nameOn("bluesky", index)
	}
	return actor
}

type bsError struct {
	Error   string `json:"error"`
	Message string `json:"message"`
}

func bsRefusal(status int, name, format string, args ...any) answer {
	return asJSON(status, bsError{name, fmt.Sprintf(format, args...)})
}

func bsBad(format string, args ...any) answer {
	return bsRefusal(http.StatusBadRequest, "InvalidRequest", format, args...)
}

func (n bluesky) answer(s *Server, q question) answer {
	switch word, _, _ := strings.Cut(bearer(q.r), "-"); word {
	case "revoked":
		return bsRefusal(http.StatusUnauthorized, "InvalidToken", "Token could not be verified")
	case "forbidden":
		return bsRefusal(http.StatusForbidden, "Forbidden", "This token may not do this")
	}
	m := s.take(n, whose(q.r), q.now)
	a := n.hurried(q)
	if !m.over {
		a = n.route(s, q)
	}
	a.header = n.headers(m)
	return a
}

func (bluesky) headers(m meter) http.Header {
	h := m.headers("Ratelimit-", m.epoch())
	if m.limit > 0 {
		h.Set("Ratelimit-Policy", strconv.Itoa(m.limit)+";w="+strconv.FormatInt(m.window, 10))
	}
	return h
}

func (n bluesky) hurried(q question) answer {
	a := bsRefusal(http.StatusTooManyRequests, "RateLimitExceeded", "Rate Limit Exceeded")
	a.header = n.headers(spent(n, q.now))
	return a
}

// route answers; without a server it finds nothing of what is asked for.
func (n bluesky) route(s *Server, q question) answer {
	switch q.r.URL.Path {
	case bsPosts:
		return n.posts(s, q)
	case bsFeed:
		if s != nil {
			if p, ok := s.personOf("bluesky", q.handle); ok {
				return n.feed(s, q, p)
			}
		}
		return bsBad("Profile not found")
	case bsResolve:
		if s != nil {
			if p, ok := s.personOf("bluesky", q.handle); ok {
				return asJSON(http.StatusOK, map[string]string{"did": did(p.Index)})
			}
		}
		return bsBad("Unable to resolve handle")
	}
	return bsRefusal(http.StatusNotImplemented, "MethodNotImplemented", "Method Not Implemented")
}

// posts are up to 25 by address, each once, in the order asked for. What cannot
// be seen is left out without a word.
func (bluesky) posts(s *Server, q question) answer {
	uris := query(q.r)["uris"]
	switch {
	case len(uris) == 0:
		return bsBad(`Error: Params must have the property "uris"`)
	case len(uris) > bsBatch:
		return bsBad("Error: uris must not have more than %d elements", bsBatch)
	}
	for _, uri := range uris {
		if !strings.HasPrefix(uri, "at://") {
			return bsBad("Error: uris must be a valid at-uri")
		}
	}
	list := []bsPost{}
	if s == nil {
		return asJSON(http.StatusOK, map[string]any{"posts": list})
	}
	for i, uri := range uris {
		p, ok := s.postOf(bluesky{}, uri)
		if ok && p.shown(q.now.Unix()) && !slices.Contains(uris[:i], uri) {
			list = append(list, s.bsView(&p, q.now.Unix()))
		}
	}
	s.notePoll("bluesky", uris, bsBatch, q.now)
	return asJSON(http.StatusOK, map[string]any{"posts": list})
}

// A TID is Bluesky's: 53 bits of microseconds and 10 of a clock's name, in 13
// letters that sort as the numbers do.
const tidLetters = "234567abcdefghijklmnopqrstuvwxyz"

func tid(at time.Time, n int) string {
	v := uint64(at.UnixMicro()+int64(n>>10))<<10 | uint64(n&1023)
	var text [13]byte
	for i := range text {
		text[i] = tidLetters[v>>(60-5*i)&31]
	}
	return string(text[:])
}

func parseTID(text string) (uint64, bool) {
	if len(text) != 13 {
		return 0, false
	}
	v := uint64(0)
	for _, letter := range []byte(text) {
		digit := strings.IndexByte(tidLetters, letter)
		if digit < 0 {
			return 0, false
		}
		v = v<<5 | uint64(digit)
	}
	return v, text[0] < 'b' // The first bit is never set.
}

// A person's DID is their index in 18 letters behind a word, so that it needs no table.
const (
	didPrefix  = "did:plc:sample"
	didLetters = "abcdefghijklmnopqrstuvwxyz234567"
	postPath   = "/app.bsky.feed.post/"
)

func did(index int) string {
	var text [18]byte
	for i := range text {
		text[i] = didLetters[uint64(index)>>(5*(len(text)-1-i))&31]
	}
	return didPrefix + string(text[:])
}

func parseDID(text string) (int, bool) {
	rest, ok := strings.CutPrefix(text, didPrefix)
	if !ok || len(rest) != 18 || !strings.HasPrefix(rest, "aaaaaaaaaaaa") {
		return 0, false // More than 30 bits: nobody.
	}
	index := 0
	for _, letter := range []byte(rest) {
		digit := strings.IndexByte(didLetters, letter)
		if digit < 0 {
			return 0, false
		}
		index = index<<5 | digit
	}
	return index, true
}
