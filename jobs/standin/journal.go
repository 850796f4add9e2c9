package standin

import (
	"maps"
	"strings"
	"sync"
	"time"
)

// A Request is one question as it arrived.
type Request struct {
	Site   string        `json:"site"`
	Handle string        `json:"handle"`
	URI    string        `json:"uri"`
	At     time.Duration `json:"at"`     // Since the server began, by a clock that never jumps.
	Status int           `json:"status"` // 0 while it is being answered, or when no answer is given.
	Fault  string        `json:"fault,omitempty"`
}

// SiteStats are the numbers of one site since the server began.
type SiteStats struct {
	Requests int            `json:"requests"`
	Closest  time.Duration  `json:"closest"` // The shortest time between two requests, ever; 0 before there are two.
	Statuses map[int]int    `json:"statuses"`
	Faults   map[string]int `json:"faults"` // By kind; "enforced" counts who asked too often.
}

// remembered is how many requests a journal holds. The numbers count all.
const remembered = 1 << 16

// A journal is what arrived, in the order of arrival. It forgets the oldest.
type journal struct {
	mu    sync.Mutex
	size  int
	ring  []Request
	count int // Of all requests ever; the ring holds those from first on.
	first int
	last  map[string]time.Duration
	stats map[string]*SiteStats
}

func newJournal() *journal {
	return &journal{size: remembered, last: map[string]time.Duration{}, stats: map[string]*SiteStats{}}
}

// note writes a request down and returns its number. The clock is read under
// the lock, so that the order of the journal is the order of the times.
func (s *Server) note(q question, site string, status int, fault string) int {
	uri := q.r.URL.RequestURI()
	short := strings.Clone(uri[:min(len(uri), 300)]) // A hundred ids must not stay in memory behind a short piece of them.
	s.o.Log.Debug("asked", "site", site, "uri", uri, "fault", fault)
	j := s.journal
	j.mu.Lock()
	defer j.mu.Unlock()
	r := Request{Site: site, Handle: q.handle, URI: short, At: time.Since(s.born), Status: status, Fault: fault}
	st := j.stats[site]
	if st == nil {
		st = &SiteStats{Statuses: map[int]int{}, Faults: map[string]int{}}
		j.stats[site] = st
	}
	if gap := r.At - j.last[site]; st.Requests > 0 && (st.Closest == 0 || gap < st.Closest) {
		st.Closest = gap
	}
	j.last[site] = r.At
	st.Requests++
	if status != 0 {
		st.Statuses[status]++
	}
	if fault != "" {
		st.Faults[fault]++
	}
	if len(j.ring) < j.size {
		j.ring = append(j.ring, r)
	} else {
		j.ring[(j.count-j.first)%j.size] = r
	}
	j.count++
	return j.count - 1
}

// setStatus notes how a request was answered, unless it is forgotten already.
func (j *journal) setStatus(number, status int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if number < j.first || j.count-number > j.size {
		return
	}
	r := &j.ring[(number-j.first)%j.size]
	r.Status = status
	j.stats[r.Site].Statuses[status]++
}

// Log returns the last 65,536 requests, oldest first.
func (s *Server) Log() []Request {
	j := s.journal
	j.mu.Lock()
	defer j.mu.Unlock()
	oldest := 0
	if n := j.count - j.first; n > j.size {
		oldest = n % j.size
	}
	return append(append([]Request{}, j.ring[oldest:]...), j.ring[:oldest]...)
}

// Stats returns the numbers by site; the site of addresses that are nobody's is "".
func (s *Server) Stats() map[string]SiteStats {
	j := s.journal
	j.mu.Lock()
	defer j.mu.Unlock()
	all := map[string]SiteStats{}
	for site, st := range j.stats {
		c := *st
		c.Statuses, c.Faults = maps.Clone(st.Statuses), maps.Clone(st.Faults)
		all[site] = c
	}
	return all
}

// Violations counts the requests of the log that arrived sooner after the
// request before them, at the same site, than the gap. A gap that is a little
// less than the promised one allows for packets that were delayed unequally.
func (s *Server) Violations(gap func(site string) time.Duration) int {
	n, last := 0, map[string]time.Duration{}
	for _, r := range s.Log() {
		if before, ok := last[r.Site]; ok && r.Site != "" && r.At-before < gap(r.Site) {
			n++
		}
		last[r.Site] = r.At
	}
	return n
}

// Gap is what a site asks for between two requests, at this server's rate. It is 0 for no site.
func (s *Server) Gap(name string) time.Duration {
	x, err := siteNamed(name)
	if err != nil {
		return 0
	}
	return time.Duration(float64(x.gap()) / s.o.Rate)
}

// Forget empties the log and the numbers, polls and batches among them; faults,
// people and what is left of quotas stay.
func (s *Server) Forget() {
	s.quotas.forget()
	s.polls.forget()
	j := s.journal
	j.mu.Lock()
	defer j.mu.Unlock()
	j.ring, j.last, j.stats = nil, map[string]time.Duration{}, map[string]*SiteStats{}
	j.first = j.count
}
