package sites

import (
	"context"
	"time"
)

// A Calendar is a site that lists its contests.
type Calendar interface {
	// Contests returns contests, coming ones among them, in any order.
	Contests(ctx context.Context, get Getter) ([]Contest, error)
}

// A Contest is one that the site announced.
type Contest struct {
	Key, Name    string
	Begins, Ends time.Time
	Over         bool // Says the site: it may last longer than announced.
}
