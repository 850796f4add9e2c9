package localpg

import (
	"context"
	"time"
)

// watch brings the server back when it dies while we live: killed for want of
// memory, or stopped by hand. The pool of connections needs to know nothing,
// for the address stays the same.
func (s *Server) watch(ctx context.Context) {
	defer close(s.watched)
	for {
		s.untilGone(ctx)
		if ctx.Err() != nil {
			return
		}
		s.cluster.log.Warn("private PostgreSQL is gone; restarting it", "data", s.cluster.data())
		if err := s.bringBack(ctx); err != nil && ctx.Err() == nil {
			s.cluster.log.Error("private PostgreSQL does not restart; trying again", "err", err)
			_ = pause(ctx, 2*time.Second)
		}
	}
}

// untilGone returns when the server has ended. A server that another process
// started is not our child, so it has to be searched for.
func (s *Server) untilGone(ctx context.Context) {
	var exited chan struct{}
	if s.cluster.child != nil {
		exited = s.cluster.child.exited
	}
	scan := time.NewTicker(500 * time.Millisecond)
	defer scan.Stop()
	for s.cluster.pid() != 0 {
		select {
		case <-scan.C:
		case <-exited:
			exited = nil
		case <-ctx.Done():
			return
		}
	}
}

// bringBack may find that another process was faster.
func (s *Server) bringBack(ctx context.Context) error {
	start, err := s.cluster.lock(ctx, "start.lock")
	if err != nil {
		return err
	}
	defer start.release()
	return s.cluster.ensure(ctx)
}
