package posts

import "time"

// A Network is what pages must know of a post network that can be read.
type Network struct {
	Name, Title, Home string
	Hosts             bool   // It has many servers, each with posts of its own.
	HomeServer        string // The default of these.
	NeedsToken        bool
	TokenHint         string        // What a credential is, and how to get one.
	OldAPI            string        // An older interface that a credential may choose; "" if there is none.
	FieldsParameter   string        // The parameter that a credential may rename; "" if there is none.
	Price             int64         // Of a post and UTC day, in thousandths of a dollar; 0 is free.
	Batch             int           // Posts per request.
	Requests          int           // The quota of a credential until the network reports one: so many requests
	Window            time.Duration // in so long.
	// Parse recognises a link or an id. created is nil if neither says so.
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
