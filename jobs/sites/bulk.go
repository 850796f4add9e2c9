package sites

import (
	"context"
	"errors"
	"time"
)

// A BulkChecker is a site that reports of many accounts in one request whether they may
// have something new.
type BulkChecker interface {
	// Batch is how many accounts to ask about at first, and at most. Where the site takes
	// fewer in one request than it says, BulkCheck of so many returns ErrTooMany.
	Batch() (first, most int)
	// BulkCheck returns what the site says of each account, in their order. With an error,
	// what was found before it comes along.
	BulkCheck(ctx context.Context, get Getter, accounts []BulkAccount) ([]Finding, error)
}

// ErrTooMany says that a question was about too many accounts.
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
	Unanswered Finding = iota // Nothing.
	Quiet                     // There is nothing newer than BulkAccount.Since.
	News                      // There may be something newer: retrieve the account itself.
	Unknown                   // The site does not know the handle: retrieve the account itself, at once.
)
