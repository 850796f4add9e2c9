package posts

import "time"

// A Network is what pages must know of a post network that can be read.
type Network struct {
	Name, Title, Home string
	Hosts             bool // It has many places, each with posts of its own.
	NeedsToken        bool
	Charged           bool // It wants money for each post and UTC day.
	Batch             int  // Posts a request.
	Requests          int  // The quota of a credential until its network tells: so many requests
	Window            time.Duration
	// Parse recognises a link or an id. created is nil where neither tells it.
	Parse func(text string) (key Key, created *time.Time, ok bool)
}

// NetworkNamed returns one of networks, or false.
func NetworkNamed(networks []Network, name string) (Network, bool) {
	for _, n := range networks {
		if n.Name == name {
			return n, true
		}
	}
	return Network{}, false
}
