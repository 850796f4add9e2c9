package polite

import (
	"context"
	"sync"
)

// gates lets one goroutine of this process at a time ask for a source's turn,
// urgent ones first. The turn itself is the database's; the gate only keeps a
// process from polling it once per worker.
type gates struct {
	mu sync.Mutex
	m  map[string]*gate
}

type gate struct {
	busy            bool
	urgent, routine []chan struct{}
}

// enter waits for the gate and returns how to leave it.
func (g *gates) enter(ctx context.Context, source string, urgent bool) (leave func(), err error) {
	g.mu.Lock()
	if g.m == nil {
		g.m = map[string]*gate{}
	}
	gt := g.m[source]
	if gt == nil {
		gt = &gate{}
		g.m[source] = gt
	}
	leave = func() { g.leave(gt) }
	if !gt.busy {
		gt.busy = true
		g.mu.Unlock()
		return leave, nil
	}
	in := make(chan struct{})
	if urgent {
		gt.urgent = append(gt.urgent, in)
	} else {
		gt.routine = append(gt.routine, in)
	}
	g.mu.Unlock()
	select {
	case <-in:
		return leave, nil
	case <-ctx.Done():
		go func() { // The place in line comes up all the same; pass it on.
			<-in
			g.leave(gt) // Not leave: it is nil by now.
		}()
		return nil, ctx.Err()
	}
}

func (g *gates) leave(gt *gate) {
	g.mu.Lock()
	defer g.mu.Unlock()
	line := &gt.urgent
	if len(*line) == 0 {
		line = &gt.routine
	}
	if len(*line) == 0 {
		gt.busy = false
		return
	}
	next := (*line)[0]
	*line = (*line)[1:]
	close(next)
}
