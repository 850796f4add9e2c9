package sites

import (
	"context"
	"errors"
	"time"
)

// A BulkChecker is a site that tells of many accounts in one request whether they may
// have something new.
type BulkChecker interface {
	// BulkCheck returns what the site says of each of at most BulkAtMost accounts, in
	// their order. With an error, what was found before it comes along.
	BulkCheck(ctx context.Context, get Getter, accounts []BulkAccount) ([]Finding, error)
}

// BulkAtMost is how many accounts a bulk check is given: as many as fit into one
// request of a site, mostly.
const BulkAtMost = 1000

// A Batcher is a BulkChecker whose site takes fewer accounts in a request, and does not
// say how many: a bulk check of several is answered by ErrTooMany where they are too many.
type Batcher interface {
	BulkChecker
	// Batch is how many accounts to begin with, and how many to ask about at most.
	Batch() (first, most int)
}

// ErrTooMany is a site's word for a question about too many accounts.
var ErrTooMany = errors.New("the site takes fewer accounts in one question")

// A BulkAccount is an account of which everything before Since has been read.
type BulkAccount struct {
	Handle string
	Since  time.Time
	Newest time.Time // The newest submission that is known; zero for none.
}

// A Finding is what a site says of an account.
type Finding int

const (
	Unsaid  Finding = iota // Nothing.
	Quiet                  // There is nothing newer than BulkAccount.Since.
	News                   // There may be something newer: retrieve the account itself.
	Unknown                // The site does not know the handle: retrieve the account itself, at once.
)
