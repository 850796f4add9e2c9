package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"laurel/jobs/standin"
	"laurel/models/accounts"
	"laurel/models/awards"
	pg "laurel/models/db"
	"laurel/models/members"
)

// demo is the whole program with an invented outside world: sample people on
// invented judge sites. It needs no network and keeps its data apart.
func demo(ctx context.Context, s settings, args []string) error {
	if len(args) > 0 {
		return errUsage
	}
	s.Data = filepath.Join(s.Data, "demo")
	s.allowNets = append(s.allowNets, netip.MustParsePrefix("127.0.0.0/8"))
	if s.CrawlRate == 1 {
		s.CrawlRate = 20 // The stand-in is ours and does not mind; the visitor would mind waiting.
	}
	b, err := openBase(ctx, s)
	if err != nil {
		return err
	}
	defer b.close()
	l, err := listen(ctx, "127.0.0.1:0")
	if err != nil {
		return err
	}
	var back atomic.Int64 // How far the world is behind, in nanoseconds, while its past is lived through.
	world := standin.New(standin.Options{Seed: 1, People: demoPeople + 1, Begin: demoBegin,
		Now: func() time.Time { return b.clock.now().Add(-time.Duration(back.Load())) }, Log: b.log})
	defer world.Close()
	lists := b.sampleLists(samplePeople(world))
	server := &http.Server{Handler: withLists(world, lists), ReadHeaderTimeout: 10 * time.Second}
	defer func() { _ = server.Close() }()
	go func() { _ = server.Serve(l) }() // Ends with Close.
	b.mirrors = map[string]*url.URL{}
	for _, names := range []map[string]bool{siteNames(), networkNames()} {
		for name := range names {
			b.mirrors[name] = &url.URL{Scheme: "http", Host: l.Addr().String()}
		}
	}
	for _, list := range lists {
		b.mirrors["forum:"+list.name] = &url.URL{Scheme: "http", Host: l.Addr().String()}
	}
	b.demo = true
	past := &past{base: b, world: world, back: &back}
	fresh, err := past.at(demoPast[0]).settleSample(ctx, samplePeople(world))
	if err != nil {
		return err
	}
	if err := b.settleForums(ctx, lists, samplePeople(world)); err != nil {
		return err
	}
	if fresh {
		if err := past.live(ctx); err != nil {
			return err
		}
	}
	b.log.Info("this is a demo: people, judge sites and networks are invented samples", "sites",
		"http://"+l.Addr().String()+"/standin/stats")
	return b.serve(ctx, "all")
}

// settleSample makes members of the sample people, once, and says whether there
// were any to make.
func (b *base) settleSample(ctx context.Context, people []standin.Person) (fresh bool, err error) {
	if err := b.declareKinds(ctx); err != nil {
		return false, err
	}
	sites, err := b.allSites(ctx)
	if err != nil {
		return false, err
	}
	for _, p := range people {
		if _, err := members.ByName(ctx, b.db.DB, p.Name); err == nil {
			continue
		} else if !errors.Is(err, pg.ErrNotFound) {
			return fresh, err
		}
		now := b.clock.now()
		m := members.Member{Name: p.Name, DisplayName: p.DisplayName, TimeZone: p.TimeZone}
		if err := members.Create(ctx, b.db.DB, &m, now); err != nil {
			return fresh, err
		}
		if err := accounts.SetHandles(ctx, b.db.DB, sites, m.ID, p.Handles, now); err != nil {
			return fresh, err
		}
		fresh = true
	}
	if fresh {
		err = errors.Join(b.settlePosts(ctx, people), b.startAwards(ctx))
	}
	return fresh, err
}

// declareKinds declares the best known host of each kind of sites, under the kind's name.
func (b *base) declareKinds(ctx context.Context) error {
	for _, k := range modelKinds() {
		s := members.DeclaredSite{Kind: k.Name, Name: k.Name, Title: k.Title, Home: k.Home}
		if _, err := members.DeclareSite(ctx, b.db.DB, &s, b.clock.now()); err != nil {
			return err
		}
	}
	return nil
}

// startAwards installs the starter set and lets all of it run.
func (b *base) startAwards(ctx context.Context) error {
	missing, err := awards.MissingStarters(ctx, b.db.DB)
	if err != nil {
		return err
	}
	if _, err := awards.InstallStarters(ctx, b.db.DB, "demo", b.clock.now()); err != nil {
		return err
	}
	for _, a := range missing {
		if err := awards.Activate(ctx, b.db.DB, a.Slug, 0, b.clock.now()); err != nil {
			return err
		}
	}
	return nil
}

// standIn runs the invented sites alone, for tests and for trying settings.
func standIn(ctx context.Context, s settings, args []string) error {
	o := standin.Options{Now: s.newClock().now, Rate: s.CrawlRate}
	for i := 0; i < len(args); i++ {
		name, value, joined := strings.Cut(args[i], "=")
		if !joined && name != "--enforce" && name != "--instant" {
			if i++; i == len(args) {
				return errUsage
			}
			value = args[i]
		}
		var err error
		switch name {
		case "--seed":
			o.Seed, err = strconv.ParseInt(value, 10, 64)
		case "--people":
			o.People, err = strconv.Atoi(value)
		case "--replay":
			o.Replay = value
		case "--enforce":
			o.Enforce = true
		case "--instant":
			o.Instant = true
		default:
			return errUsage
		}
		if err != nil {
			return errUsage
		}
	}
	world := standin.New(o)
	defer world.Close()
	l, err := listen(ctx, s.Listen) // --listen is a setting, and serves here too.
	if err != nil {
		return err
	}
	server := &http.Server{Handler: world, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		<-ctx.Done()
		world.Close()
		_ = server.Close()
	}()
	_, _ = fmt.Fprintf(os.Stderr,
		"the stand-in answers for every site at http://%s; set LAUREL_SITE_<SITE>_URL to it and LAUREL_ALLOW_NETS=127.0.0.0/8\n", l.Addr())
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
