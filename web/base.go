package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"laurel/jobs"
	"laurel/jobs/archive"
	"laurel/jobs/awards"
	"laurel/jobs/bus"
	"laurel/jobs/catalogue"
	"laurel/jobs/harvest"
	"laurel/jobs/networks"
	"laurel/jobs/notices"
	"laurel/jobs/polite"
	"laurel/jobs/posts"
	"laurel/jobs/retrieval"
	"laurel/jobs/sites"
	"laurel/migrations"
	pg "laurel/models/db"
	"laurel/models/localpg"
	"laurel/models/members"
	modelretrieval "laurel/models/retrieval"
)

// base is what every command uses: the database and the clock.
type base struct {
	settings
	clock clock
	db    *pg.DB
	pg    *localpg.Server // Nil where DATABASE_URL is set.
	log   *slog.Logger
	demo  bool // All that is here is invented.
}

// openBase connects to the database, starting the private one if need be, and
// brings it to the newest migration.
func openBase(ctx context.Context, s settings) (*base, error) {
	b := &base{settings: s, clock: s.newClock(), log: slog.Default()}
	url := s.DatabaseURL
	if url == "" {
		dir, err := filepath.Abs(s.Data)
		if err != nil {
			return nil, err
		}
		if info, err := os.Stat(dir); err == nil && !info.IsDir() {
			return nil, fmt.Errorf("LAUREL_DATA: %s is a file; name a folder", dir)
		}
		if b.pg, err = localpg.Open(ctx, localpg.Options{Dir: dir, Log: b.log}); err != nil {
			return nil, err
		}
		url = b.pg.URL()
	}
	var err error
	if b.db, err = pg.Open(ctx, url, 20); err != nil {
		b.close()
		if s.DatabaseURL != "" {
			err = fmt.Errorf("%w\nDATABASE_URL names this database: it must exist and be encoded in UTF8 (CREATE DATABASE laurel "+
				"ENCODING 'UTF8'), "+
				"its user must own it, and 21 connections must be left for this process", err)
		}
		return nil, err
	}
	if err := pg.Migrate(ctx, b.db, migrations.FS); err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

func (b *base) close() {
	if b.db != nil {
		b.db.Close()
	}
	if b.pg != nil {
		if err := b.pg.Close(); err != nil {
			b.log.Error("the private PostgreSQL could not be stopped", "err", err)
		}
	}
}

// runner puts the jobs together.
func (b *base) runner() *jobs.Runner {
	contact := b.Contact
	if contact == "" {
		contact = b.URL
	}
	db, now := b.db, b.clock.now
	client := &polite.Client{
		Slots: jobs.Slots{DB: db, Now: now}, UserAgent: fmt.Sprintf("Laurel/%s (+%s)", version, contact), HTTP: polite.Guarded(b.allowNets),
		Now: now, Sleep: b.clock.sleep, Rate: b.CrawlRate, Mirrors: b.mirrors, MaxBytes: 32 << 20,
	}
	return &jobs.Runner{
		DB: db, Now: now, Log: b.log, ClockRate: b.ClockRate, KeepResponses: b.keep,
		Retrieval: retrieval.Jobs{DB: db, Now: now, Log: b.log, Client: client, Sites: sites.All(), Secret: b.secret(),
			Rule: modelretrieval.Rule{Rate: b.CrawlRate}},
		Catalogue: catalogue.Jobs{DB: db, Now: now, Log: b.log, Client: client, Rate: b.CrawlRate},
		Archive:   archive.Jobs{DB: db, Now: now, Log: b.log, Windows: b.windows},
		Awards:    awards.Jobs{DB: db, Now: now, Log: b.log},
		Bus:       b.bus(),
		Notices:   notices.Jobs{DB: db, Now: now, Log: b.log, Rate: b.CrawlRate, Outbox: b.outbox()},
		Harvest:   harvest.Jobs{DB: db, Now: now, Log: b.log, Client: client, URL: b.URL},
		Posts: posts.Jobs{DB: db, Now: now, Log: b.log, Client: client, Networks: networks.All(), Secret: b.secret(),
			ClockRate: b.ClockRate, Settings: b.postSettings()},
	}
}

// bus is what reads and writes Kafka.
func (b *base) bus() bus.Jobs {
	return bus.Jobs{DB: b.db, Now: b.clock.now, Log: b.log, Brokers: b.brokers}
}

// modelSites is what pages must know of the sites that are built in.
func modelSites() []members.Site {
	var all []members.Site
	for _, s := range sites.All() {
		all = append(all, modelSite(s))
	}
	return all
}

func modelSite(s sites.Site) members.Site {
	i := s.Info()
	_, streams := s.(sites.Streamer)
	return members.Site{Name: i.Name, Title: i.Title, Home: i.Home, Handle: i.Handle, Hint: i.Hint, Profile: i.Profile,
		Proof: i.Proof, KeyInName: i.KeyInName, Streams: streams, HandleIn: func(text string) string { return sites.HandleIn(i, text) }}
}

// modelKinds is what pages must know of the kinds of sites that admins may declare.
func modelKinds() []members.Kind {
	var all []members.Kind
	for _, k := range sites.Kinds() {
		all = append(all, members.Kind{Name: k.Name, Title: k.Title, Home: k.Home, Site: func(name, title, home string) members.Site {
			return modelSite(k.At(sites.Host{Name: name, Title: title, Base: home}))
		}})
	}
	return all
}

// siteNames are the sites that settings can be about: those that are built in, and those that admins name
// after their kind.
func siteNames() map[string]bool {
	names := map[string]bool{}
	for _, s := range slices.Concat(sites.All(), sites.Specimens()) {
		names[s.Info().Name] = true
	}
	return names
}
