// Package localpg runs a private PostgreSQL server for whoever has none.
//
// The rule: a cluster that exists is never made again, moved or deleted, and
// the server belongs to all Laurel processes on one data directory together.
// The first one in starts it, the last one out stops it, and whoever is killed
// leaves it running for the next. Two file locks, which the kernel drops with
// the process, say who is who:
//
//	start.lock  exclusive, while somebody starts or stops the server
//	use.lock    shared, by every process that uses the server: a count that
//	            cannot be wrong. It is taken and given back under start.lock.
//
// The server listens on a Unix socket in a directory that only its owner can
// enter, so there is no port to clash and no password to keep.
package localpg

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// Options say where the server lives and how careful it is.
type Options struct {
	Dir      string // LAUREL_DATA. The cluster is Dir/pg, or what that links to.
	Log      *slog.Logger
	Volatile bool // Forgets on a power cut: faster, with more connections. For tests.
}

// A Server is this process's share in the running PostgreSQL.
type Server struct {
	url     string
	cluster *cluster // The watcher's, until it has ended.
	unwatch context.CancelFunc
	watched chan struct{} // Closed when the watcher has ended.
}

// Open adopts the server that runs on o.Dir or starts one, and creates the
// database "laurel" when it is missing. ctx bounds the opening only.
func Open(ctx context.Context, o Options) (*Server, error) {
	return open(ctx, o, systemFinder())
}

func open(ctx context.Context, o Options, find finder) (*Server, error) {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	p, err := findPlace(o.Dir, o.Log)
	if err != nil {
		return nil, err
	}
	start, err := p.lock(ctx, "start.lock")
	if err != nil {
		return nil, err
	}
	defer start.release()
	use, err := p.openLock("use.lock")
	if err != nil {
		return nil, err
	}
	c := &cluster{place: p, use: use, find: find, log: o.Log, volatile: o.Volatile}
	if err := c.claim(); err != nil {
		use.release()
		return nil, err
	}
	if err := c.ensure(ctx); err != nil {
		return nil, errors.Join(err, c.leave())
	}
	watch, unwatch := context.WithCancel(context.Background())
	s := &Server{url: address(c.sock, "laurel"), cluster: c, unwatch: unwatch, watched: make(chan struct{})}
	go s.watch(watch)
	return s, nil
}

// URL is the address of the database, for pgx and libpq alike. It stays the
// same when the server is restarted.
func (s *Server) URL() string { return s.url }

// Close gives up this process's share. The last one out stops the server.
func (s *Server) Close() error {
	s.unwatch()
	<-s.watched
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	start, err := s.cluster.lock(ctx, "start.lock")
	if err != nil {
		s.cluster.use.release() // Somebody is starting the server and will count without us.
		return fmt.Errorf("leave the private PostgreSQL: %w", err)
	}
	defer start.release()
	return s.cluster.leave()
}

// leave gives the use.lock back, after stopping the server if nobody else is
// using it. The caller holds start.lock.
func (c *cluster) leave() error {
	defer c.use.release()
	if !c.use.alone() {
		return nil
	}
	return c.stop()
}
