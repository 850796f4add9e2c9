package standin

import (
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Limit is how many requests a credential has in a window of the world's time.
type Limit struct {
	Requests int           // Negative means any number.
	Window   time.Duration // Whole seconds.
}

// quotas are what each credential has left on each network.
type quotas struct {
	mu      sync.Mutex
	windows map[string]*window // By network and credential.
	over    map[string]int     // By network: how many requests came beyond a quota.
}

type window struct {
	until int64
	used  int
}

// A meter is what the headers of one answer show.
type meter struct {
	limit, left int
	reset       int64
	window      int64
	over        bool
}

// take uses up one request of a credential. A window begins with its first
// request, or by the clock.
func (s *Server) take(n network, who string, now time.Time) meter {
	limit, given := s.o.Limits[n.name()]
	if !given {
		limit = n.traits().limit
	}
	if limit.Requests < 0 {
		return meter{}
	}
	at, length := now.Unix(), max(1, int64(limit.Window/time.Second))
	q := &s.quotas
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.windows == nil {
		q.windows, q.over = map[string]*window{}, map[string]int{}
	}
	w := q.windows[n.name()+" "+who]
	if w == nil {
		w = &window{}
		q.windows[n.name()+" "+who] = w
	}
	if at >= w.until || at < w.until-2*length { // Over, or the world's clock was set back.
		*w = window{until: at + length}
		if n.traits().byClock {
			w.until -= at % length
		}
	}
	m := meter{limit: limit.Requests, left: limit.Requests - w.used - 1, reset: w.until, window: length}
	if m.left < 0 {
		m.left, m.over = 0, true
		q.over[n.name()]++
		return m
	}
	w.used++
	return m
}

// OverQuota counts the requests to a network beyond a credential's quota, since
// the server began or was made to forget. All of them were refused.
func (s *Server) OverQuota(network string) int {
	s.quotas.mu.Lock()
	defer s.quotas.mu.Unlock()
	return s.quotas.over[network]
}

func (q *quotas) forget() {
	q.mu.Lock()
	defer q.mu.Unlock()
	clear(q.over)
}

// headers are the three numbers by the names of a network, the last as it writes times.
func (m meter) headers(prefix, reset string) http.Header {
	h := http.Header{}
	if m.limit > 0 {
		h.Set(prefix+"Limit", strconv.Itoa(m.limit))
		h.Set(prefix+"Remaining", strconv.Itoa(m.left))
		h.Set(prefix+"Reset", reset)
	}
	return h
}

func (m meter) epoch() string { return strconv.FormatInt(m.reset, 10) }

// spent is the meter of a network's standard quota when nothing of it is left.
func spent(n network, now time.Time) meter {
	l := n.traits().limit
	return meter{limit: l.Requests, reset: now.Add(l.Window).Unix(), window: int64(l.Window / time.Second), over: true}
}

func bearer(r *http.Request) string {
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return token
}

// whose quota a request uses up: the token's, or else that of the address.
func whose(r *http.Request) string {
	if token := bearer(r); token != "" {
		return "token " + token
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}
