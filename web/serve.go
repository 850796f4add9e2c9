package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers"
	"laurel/handlers/metrics"
	"laurel/handlers/posts"
	"laurel/handlers/profiles"
	"laurel/handlers/web"
	"laurel/jobs/harvest"
	"laurel/migrations"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/static"
	"laurel/views/parts"
)

// coolDown is how long the button rests after a retrieval that went well.
const coolDown = 30 * time.Minute

// postCoolDown is how long "Refresh now" of a post rests.
const postCoolDown = 5 * time.Minute

func serve(ctx context.Context, s settings, args []string) error {
	role := "all"
	switch {
	case len(args) == 2 && args[0] == "--role":
		role = args[1]
	case len(args) == 1 && len(args[0]) > 7 && args[0][:7] == "--role=":
		role = args[0][7:]
	case len(args) > 0:
		return errUsage
	}
	if role != "all" && role != "web" && role != "jobs" {
		return errUsage
	}
	b, err := openBase(ctx, s)
	if err != nil {
		return err
	}
	defer b.close()
	return b.serve(ctx, role)
}

// serve runs the roles until ctx ends or one of them fails, and then stops all
// of them in order.
func (b *base) serve(ctx context.Context, role string) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	start := func(run func(context.Context) error) {
		wg.Go(func() {
			if err := run(ctx); err != nil {
				cancel(err)
			}
		})
	}
	if role != "jobs" {
		l, err := listen(ctx, b.Listen)
		if err != nil {
			return err
		}
		if err := b.greet(ctx); err != nil {
			return err
		}
		start(func(ctx context.Context) error { return b.serveWeb(ctx, l) })
	}
	b.declareForums(ctx)
	if role != "web" {
		start(b.runner().Start)
	}
	<-ctx.Done()
	wg.Wait()
	if err := context.Cause(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	b.log.Info("stopped")
	return nil
}

func listen(ctx context.Context, addr string) (net.Listener, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s is in use already, perhaps by another Laurel; stop that one, or choose another address with "+
			"LAUREL_LISTEN", addr)
	}
	if err != nil {
		return nil, fmt.Errorf("listen (LAUREL_LISTEN): %w", err)
	}
	return l, nil
}

// greet says where the server is, and on the first run how to become its admin.
func (b *base) greet(ctx context.Context) error {
	token, err := members.SetupToken(ctx, b.db.DB)
	if err != nil {
		return err
	}
	b.log.Info("Laurel listens", "url", b.URL)
	if token != "" {
		_, _ = fmt.Fprintf(os.Stderr,
			"\nThere is no admin yet. Open this link to become the first one (it works once):\n\n    %s/setup?token=%s\n\n", b.URL, token)
	}
	return nil
}

// serveWeb answers requests until ctx ends, and lets those under way finish.
func (b *base) serveWeb(ctx context.Context, l net.Listener) error {
	progress := profiles.NewProgress()
	var wg sync.WaitGroup
	wg.Go(func() { progress.Run(ctx, b.db) })
	defer wg.Wait()
	server := &http.Server{Handler: b.echo(progress), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 64 << 10}
	stopped := make(chan error, 1)
	go func() {
		<-ctx.Done()
		final, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		stopped <- server.Shutdown(final)
	}()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	if err := <-stopped; err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}

func (b *base) echo(progress *profiles.Progress) *echo.Echo {
	h := &handlers.Handlers{
		Base: &web.Base{DB: b.db, Now: b.clock.now, Log: b.log, URL: b.URL, BuiltIn: modelSites(), Kinds: modelKinds(),
			Sessions: web.NewSessions(b.db, b.URL), Assets: parts.Assets(static.Assets()), Build: version,
			Kafka: b.brokers != nil, Demo: b.demo},
		Networks: modelNetworks(), ForumKinds: forumKinds(), ReadMbox: harvest.ReadMbox,
		Posts:  posts.Pages{Tiers: b.tiers, BufferTTL: b.BufferTTL, CoolDown: time.Duration(float64(postCoolDown) / b.CrawlRate)},
		Static: static.Handler(), Secret: b.secret(), CoolDown: time.Duration(float64(coolDown) / b.CrawlRate),
		Progress: progress, Outbox: b.shownOutbox(), Metrics: metrics.New(b.db, b.clock.now, b.log),
		Disk:  func() (free, size uint64) { return disk(b.Data) },
		Ready: func(r *http.Request) error { return b.ready(r.Context()) },
	}
	e := echo.New()
	h.Register(e)
	return e
}

// ready says whether requests can be answered: the database answers and stands
// at this program's migration.
func (b *base) ready(ctx context.Context) error {
	done, err := pg.Migrated(ctx, b.db, migrations.FS)
	if err != nil {
		return fmt.Errorf("the database does not answer: %w", err)
	}
	if !done {
		return errors.New("the database is not at this version's migration")
	}
	return nil
}
