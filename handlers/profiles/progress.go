package profiles

import (
	"context"
	"strconv"
	"sync"

	pg "laurel/models/db"
)

// Progress streams news of a member's retrieval to those who watch it. One
// connection to the database listens for all of them.
type Progress struct {
	mu       sync.Mutex
	watchers map[int64]map[chan struct{}]bool // By member.
	closed   chan struct{}
}

// NewProgress returns a Progress that nobody watches yet.
func NewProgress() *Progress {
	return &Progress{watchers: map[int64]map[chan struct{}]bool{}, closed: make(chan struct{})}
}

// Run listens until ctx ends; then everybody who watches is sent home.
func (p *Progress) Run(ctx context.Context, db *pg.DB) {
	defer close(p.closed)
	pg.Listen(ctx, db, func(_, payload string) {
		id, err := strconv.ParseInt(payload, 10, 64)
		if err != nil {
			return // The start of listening: watchers check by themselves from time to time.
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		for ch := range p.watchers[id] {
			select {
			case ch <- struct{}{}:
			default: // There is news waiting for this one already.
			}
		}
	}, pg.ChannelProgress)
}

// watch returns a channel that has a value when there is news of the member.
func (p *Progress) watch(member int64) (news <-chan struct{}, stop func()) {
	ch := make(chan struct{}, 1)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.watchers[member] == nil {
		p.watchers[member] = map[chan struct{}]bool{}
	}
	p.watchers[member][ch] = true
	return ch, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.watchers[member], ch)
		if len(p.watchers[member]) == 0 {
			delete(p.watchers, member)
		}
	}
}
