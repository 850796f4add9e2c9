package polite

import (
	"context"
	"sync"
)

// gates let one goroutine of this process at a time ask for a slot of a source,
// and one more where somebody waits for the answer. Who gets the slot, the
// database says; the gates only keep a process from asking it once per worker.
type gates struct {
	mu sync.Mutex
	m  map[gate]chan struct{}
}

type gate struct {
	source string
	urgent bool
}

// enter waits for the gate and returns how to leave it.
func (g *gates) enter(ctx context.Context, source string, urgent bool) (leave func(), err error) {
	g.mu.Lock()
	if g.m == nil {
		g.m = map[gate]chan struct{}{}
	}
	key := gate{source, urgent}
	inside := g.m[key]
	if inside == nil {
		inside = make(chan struct{}, 1) // Has room for one; the others are in line.
		g.m[key] = inside
	}
	g.mu.Unlock()
	select {
	case inside <- struct{}{}:
		return func() { <-inside }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
