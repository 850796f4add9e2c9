package standin

import "time"

// A Post is the truth about a post, for tests to compare with what was read.
type Post struct {
	Network   string    `json:"network"`
	ID        string    `json:"id"`
	At        time.Time `json:"at"`                   // When it was made, as its id says.
	State     string    `json:"state"`                // shown, deleted, protected, suspended, or future.
	Author    int       `json:"author"`               // The index of a person.
	RetweetOf string    `json:"retweet_of,omitempty"` // The id of what it repeats.
	Hidden    time.Time `json:"hidden,omitzero"`      // When it is or was deleted or hidden; zero means never.
	Back      time.Time `json:"back,omitzero"`        // When it can be seen again; zero means never.
	// likes reposts replies quotes bookmarks views, those the network shows; nil while it is not shown.
	Metrics map[string]int64 `json:"metrics,omitempty"`
}

// PostAt is the truth about an id at an instant, false for what is no id.
func (s *Server) PostAt(network, id string, at time.Time) (Post, bool) {
	n, ok := networkNamed(network)
	if !ok {
		return Post{}, false
	}
	x, ok := s.postOf(n, id)
	if !ok {
		return Post{}, false
	}
	now := at.Unix()
	p := Post{Network: network, ID: id, At: time.UnixMilli(x.ms).UTC(), Author: x.author, State: "shown"}
	switch {
	case x.age(now) < 0:
		p.State = "future"
	case !x.shown(now):
		p.State = [...]string{deleted: "deleted", protected: "protected", suspended: "suspended"}[x.kind]
	default:
		p.Metrics = s.countsOf(&x, now).of(n)
	}
	if x.to > 0 {
		p.Hidden = utc(x.ms/1000 + x.from)
		if x.kind != deleted {
			p.Back = utc(x.ms/1000 + x.to)
		}
	}
	if x.kind == retweet {
		p.RetweetOf = s.original(&x).id
	}
	return p, true
}

// Metrics are the numbers that a network shows of a post at an instant, and nil
// while it does not show it. They change with the second: of two polls within
// one, both get the same.
func (s *Server) Metrics(network, id string, at time.Time) map[string]int64 {
	p, _ := s.PostAt(network, id, at)
	return p.Metrics
}

// Posts are what a person of the world has written on a network and it shows at
// an instant, oldest first.
func (s *Server) Posts(network string, person int, at time.Time) []Post {
	n, ok := networkNamed(network)
	if !ok || person < 0 || person >= len(s.people) {
		return nil
	}
	var all []Post
	for x := range s.timeline(s.people[person], n, at.Unix()) {
		p, _ := s.PostAt(network, x.id, at)
		all = append([]Post{p}, all...)
	}
	return all
}
