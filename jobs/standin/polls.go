package standin

import (
	"encoding/binary"
	"fmt"
	"strings"
	"sync"
	"time"
)

// polls are which posts were asked for when, and how full the requests were. Of a
// poll only the seconds since the one before are stored: two or three bytes.
type polls struct {
	mu        sync.Mutex
	byNetwork map[string]*networkPolls
}

type networkPolls struct {
	posts    map[string]*postPolls
	sizes    map[int]int // How many requests carried so many ids.
	requests int
	ids      int
	full     int
	batches  []batch // Only with Options.Polls.
}

// A batch is a request that was answered, in seconds since 1970.
type batch struct {
	at  int64
	ids int
}

type postPolls struct {
	last  int64
	steps []byte // Varints: seconds since the poll before, at first since 1970.
}

// notePoll notes an answered request for posts, of which it could carry at most so many.
func (s *Server) notePoll(network string, ids []string, most int, now time.Time) {
	l := &s.polls
	l.mu.Lock()
	defer l.mu.Unlock()
	n := l.of(network)
	n.requests++
	n.ids += len(ids)
	n.sizes[len(ids)]++
	if len(ids) == most {
		n.full++
	}
	if !s.o.Polls {
		return
	}
	at := now.Unix()
	n.batches = append(n.batches, batch{at, len(ids)})
	for _, id := range ids {
		p := n.posts[id]
		if p == nil {
			p = &postPolls{}
			n.posts[strings.Clone(id)] = p // Not a piece of the whole address.
		}
		p.steps = binary.AppendVarint(p.steps, at-p.last)
		p.last = at
	}
}

func (l *polls) of(network string) *networkPolls {
	n := l.byNetwork[network]
	if n == nil {
		n = &networkPolls{posts: map[string]*postPolls{}, sizes: map[int]int{}}
		if l.byNetwork == nil {
			l.byNetwork = map[string]*networkPolls{}
		}
		l.byNetwork[network] = n
	}
	return n
}

func (p *postPolls) unix() []int64 {
	all, at := []int64{}, int64(0)
	for rest := p.steps; len(rest) > 0; {
		step, n := binary.Varint(rest)
		at, rest = at+step, rest[n:]
		all = append(all, at)
	}
	return all
}

// PolledAt are the instants at which a post was asked for and an answer was made,
// also one that it is missing; in whole seconds of the world, in the order of
// arrival. There are none unless Options.Polls is set.
func (s *Server) PolledAt(network, id string) []time.Time {
	s.polls.mu.Lock()
	defer s.polls.mu.Unlock()
	p := s.polls.of(network).posts[id]
	if p == nil {
		return nil
	}
	var all []time.Time
	for _, at := range p.unix() {
		all = append(all, utc(at))
	}
	return all
}

// Batches counts the answered requests for posts by id, the ids in them, and how
// many requests carried as many as can be.
func (s *Server) Batches(network string) (requests, ids, full int) {
	s.polls.mu.Lock()
	defer s.polls.mu.Unlock()
	n := s.polls.of(network)
	return n.requests, n.ids, n.full
}

// BatchesUnderLoad counts the requests, and the ids in them, of those stretches of
// time, each as long as window, in which at least so many ids were asked for. There
// are none unless Options.Polls is set.
func (s *Server) BatchesUnderLoad(network string, window time.Duration, least int) (requests, ids int) {
	s.polls.mu.Lock()
	defer s.polls.mu.Unlock()
	type sum struct{ requests, ids int }
	windows := map[int64]sum{}
	for _, b := range s.polls.of(network).batches {
		at := b.at / int64(window.Seconds())
		windows[at] = sum{windows[at].requests + 1, windows[at].ids + b.ids}
	}
	for _, w := range windows {
		if w.ids >= least {
			requests, ids = requests+w.requests, ids+w.ids
		}
	}
	return requests, ids
}

func (l *polls) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.byNetwork = nil
}

// A postsReport is /standin/posts: what the functions above return, for other processes.
type postsReport struct {
	Requests  int                `json:"requests"`
	IDs       int                `json:"ids"`
	Full      int                `json:"full"`
	OverQuota int                `json:"over_quota"`
	Sizes     map[int]int        `json:"sizes"`           // Requests by how many ids they carried.
	Polls     map[string][]int64 `json:"looks,omitempty"` // Seconds since 1970 by id.
	Post      *Post              `json:"post,omitempty"`  // The truth about the one that was asked for, now.
}

// report is about one post, or all when none is given.
func (s *Server) report(network, id string) (any, error) {
	if _, ok := networkNamed(network); !ok {
		return nil, fmt.Errorf("no network is named %q", network)
	}
	r := postsReport{OverQuota: s.OverQuota(network), Sizes: map[int]int{}, Polls: map[string][]int64{}}
	if p, ok := s.PostAt(network, id, s.o.Now()); ok {
		r.Post = &p
	}
	s.polls.mu.Lock()
	defer s.polls.mu.Unlock()
	n := s.polls.of(network)
	r.Requests, r.IDs, r.Full = n.requests, n.ids, n.full
	for size, count := range n.sizes {
		r.Sizes[size] = count
	}
	for key, p := range n.posts {
		if id == "" || id == key {
			r.Polls[key] = p.unix()
		}
	}
	return r, nil
}
