package sites

import (
	"context"
	"time"
)

// A Prober is a site that tells of many accounts in one request whether they may
// have something new.
type Prober interface {
	// Probe returns what the site says of each of at most ProbeAtMost accounts, in
	// their order. With an error, what was found before it comes along.
	Probe(ctx context.Context, get Getter, accounts []Probed) ([]Finding, error)
}

// ProbeAtMost is how many accounts a Probe is given: as many as fit into one
// request of a site, mostly.
const ProbeAtMost = 200

// A Probed is an account of which everything before Since has been read.
type Probed struct {
	Handle string
	Since  time.Time
}

// A Finding is what a site says of an account.
type Finding int

const (
	Unsaid Finding = iota // Nothing.
	Quiet                 // There is nothing newer than Probed.Since.
	News                  // There may be something newer, or the handle is unknown: look at the account itself.
)
