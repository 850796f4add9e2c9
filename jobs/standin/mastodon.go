package standin

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

func init() { register(mastodon{}) }

// mastodon is one instance, the home of all its people.
type mastodon struct{}

// maNumbers are the snowflakes since 2017. Before, posts were numbered from 1.
var maNumbers = snowflake{bits: 16, first: 1483228800000 << 16}

const (
	maStatuses     = "/api/v1/statuses"
	maAccounts     = "/api/v1/accounts/"
	maBatch        = 20
	maFirstAccount = 109000000000000000
)

func (mastodon) name() string                     { return "mastodon" }
func (mastodon) gap() time.Duration               { return 0 }
func (mastodon) serves(path string) bool          { return strings.HasPrefix(path, "/api/v1/") }
func (mastodon) id(at time.Time, n, _ int) string { return maNumbers.id(at, n) }
func (mastodon) parse(id string) (stamp, bool)    { return maNumbers.parse(id) }
func maAccountID(index int) string                { return strconv.Itoa(maFirstAccount + index) }

func (mastodon) traits() networkTraits {
	return networkTraits{limit: Limit{300, 5 * time.Minute}, byClock: true, bare: true}
}

func (mastodon) person(_ int, name string) string { return strings.ReplaceAll(name, "-", "_") }

func maRefusal(status int, words string) answer {
	return asJSON(status, map[string]string{"error": words})
}

// maTimelineOf is the N of /api/v1/accounts/N/statuses.
func maTimelineOf(r *http.Request) (string, bool) {
	rest, ok := strings.CutPrefix(r.URL.Path, maAccounts)
	id, listed := strings.CutSuffix(rest, "/statuses")
	return id, ok && listed
}

// handle is an account by name, also where the address has the number.
func (mastodon) handle(s *Server, r *http.Request) string {
	if acct := query(r).Get("acct"); acct != "" {
		name, _, _ := strings.Cut(strings.TrimPrefix(acct, "@"), "@")
		return name
	}
	if id, ok := maTimelineOf(r); ok {
		if n, err := strconv.Atoi(id); err == nil && n >= maFirstAccount {
			return s.nameOn("mastodon", n-maFirstAccount)
		}
	}
	return ""
}

func (n mastodon) answer(s *Server, q question) answer {
	switch word, _, _ := strings.Cut(bearer(q.r), "-"); word {
	case "revoked":
		return maRefusal(http.StatusUnauthorized, "The access token is invalid")
	case "forbidden":
		return maRefusal(http.StatusForbidden, "This action is not allowed")
	}
	m := s.take(n, whose(q.r), q.now)
	a := n.hurried(q)
	if !m.over {
		a = n.route(s, q)
	}
	if a.header == nil {
		a.header = http.Header{}
	}
	maps.Copy(a.header, n.headers(m, q.now))
	return a
}

// headers write the end of the window as a date, with a fraction of a second
// that is the clock's and not the window's.
func (mastodon) headers(m meter, now time.Time) http.Header {
	reset := time.Unix(m.reset, int64(now.Nanosecond())).UTC()
	return m.headers("X-Ratelimit-", reset.Format("2006-01-02T15:04:05.000000Z"))
}

func (n mastodon) hurried(q question) answer {
	a := maRefusal(http.StatusTooManyRequests, "Too many requests")
	a.header = n.headers(spent(n, q.now), q.now)
	return a
}

func (mastodon) unknown(q question) answer {
	if q.r.URL.Path == maStatuses {
		return asJSON(http.StatusOK, []maStatus{})
	}
	return maRefusal(http.StatusNotFound, "Record not found")
}

func (n mastodon) route(s *Server, q question) answer {
	id, single := strings.CutPrefix(q.r.URL.Path, maStatuses+"/")
	p, known := s.personOf("mastodon", q.handle)
	_, listed := maTimelineOf(q.r)
	switch {
	case q.r.URL.Path == maStatuses && !s.o.OldMastodon:
		return n.batch(s, q)
	case single:
		return n.single(s, q, id)
	case q.r.URL.Path == maAccounts+"lookup" && known:
		return asJSON(http.StatusOK, s.maAccount(p.Index, q.now.Unix()))
	case listed && known:
		return n.timeline(s, q, p)
	case q.r.URL.Path == maAccounts+"lookup" || listed:
		return n.unknown(q)
	}
	return maRefusal(http.StatusNotFound, "Not Found")
}

// batch is up to 20 posts in the order of their numbers; what cannot be seen is left out.
func (mastodon) batch(s *Server, q question) answer {
	values := query(q.r)
	ids := slices.Concat(values["id[]"], values["id"])
	if len(ids) > maBatch {
		return maRefusal(http.StatusUnprocessableEntity, "Mastodon::ValidationError")
	}
	var found []post
	for i, id := range ids {
		if p, ok := s.postOf(mastodon{}, id); ok && p.shown(q.now.Unix()) && !slices.Contains(ids[:i], id) {
			found = append(found, p)
		}
	}
	slices.SortFunc(found, func(a, b post) int { return cmp.Compare(a.number, b.number) })
	list := []maStatus{}
	for i := range found {
		list = append(list, s.maView(&found[i], q.now.Unix()))
	}
	s.notePoll("mastodon", ids, maBatch, q.now)
	return asJSON(http.StatusOK, list)
}

// single does not tell deleted, private and suspended apart.
func (n mastodon) single(s *Server, q question, id string) answer {
	s.notePoll("mastodon", []string{id}, s.maMost(), q.now)
	p, ok := s.postOf(n, id)
	if !ok || !p.shown(q.now.Unix()) {
		return n.unknown(q)
	}
	return asJSON(http.StatusOK, s.maView(&p, q.now.Unix()))
}

// maMost is how many posts a request can carry.
func (s *Server) maMost() int {
	if s.o.OldMastodon {
		return 1
	}
	return maBatch
}
