package jobstest

import (
	"context"
	"sync"
	"time"

	"laurel/models/modelstest"
)

// A Clock is one that a test moves; real time passes on it, too, or gaps would never end.
type Clock struct {
	mu    sync.Mutex
	shift time.Duration
	start time.Time
}

// NewClock starts at modelstest.Noon.
func NewClock() *Clock { return &Clock{start: time.Now()} }

// Now is the time of Laurel.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return modelstest.Noon.Add(time.Since(c.start) + c.shift).Truncate(time.Microsecond)
}

// Outside is the stand-in's time, which only a test moves: what it has must not
// change while it is read.
func (c *Clock) Outside() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return modelstest.Noon.Add(c.shift)
}

// Pass lets time go by.
func (c *Clock) Pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shift += d
}

// Sleep waits in real time.
func Sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
