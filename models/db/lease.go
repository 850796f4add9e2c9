package db

import (
	"errors"
	"time"
)

// ErrLeaseLost is the answer to a worker that slept past its lease: somebody
// else looks at the account now, and what the worker found is not stored.
var ErrLeaseLost = errors.New("the lease has ended")

// A Lease is a worker's claim on rows for a while.
type Lease struct {
	ID  string
	For time.Duration
}
