// Package jobstest gives tests of jobs a clock, a runner whose outside is on this
// machine, and worker processes that can be killed for real.
package jobstest

import (
	"log/slog"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"testing"
	"time"

	"laurel/jobs"
	"laurel/jobs/archive"
	"laurel/jobs/awards"
	"laurel/jobs/catalogue"
	"laurel/jobs/harvest"
	"laurel/jobs/networks"
	"laurel/jobs/notices"
	"laurel/jobs/polite"
	"laurel/jobs/posts"
	"laurel/jobs/retrieval"
	"laurel/jobs/sites"
	pg "laurel/models/db"
	modelposts "laurel/models/posts"
	modelretrieval "laurel/models/retrieval"
)

// NewRunner returns a runner that finds every site and network at address, in a hurry.
func NewRunner(db *pg.DB, c *Clock, address string) *jobs.Runner {
	client := NewClient(db, c.Now, address)
	client.Sleep = Sleep
	return newRunner(db, c.Now, client, modelretrieval.Rule{Rate: 1}, 1) // Pauses pass on the clock alone.
}

// Sites are all sites, and one of each kind.
func Sites() []sites.Site { return slices.Concat(sites.All(), sites.Specimens()) }

// SiteNamed is one of Sites.
func SiteNamed(name string) sites.Site {
	all := Sites()
	i := slices.IndexFunc(all, func(s sites.Site) bool { return s.Info().Name == name })
	if i < 0 {
		panic("no site is named " + name)
	}
	return all[i]
}

// NewClient returns a client that finds every site and network at address, and may
// ask this machine only.
func NewClient(db *pg.DB, now func() time.Time, address string) *polite.Client {
	u, err := url.Parse(address)
	if err != nil {
		panic(err)
	}
	mirrors := map[string]*url.URL{}
	for _, s := range Sites() {
		mirrors[s.Info().Name] = u
	}
	for _, n := range networks.All() {
		mirrors[n.Info().Name] = u
	}
	client := polite.Guarded([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")})
	client.Timeout = time.Minute // A machine that is busy answers late; who tests timeouts sets its own.
	return &polite.Client{
		Slots: jobs.Slots{DB: db, Now: now}, UserAgent: "Laurel/test", HTTP: client, Now: now, Sleep: Sleep,
		Rate: 1000, Mirrors: mirrors, MaxBytes: 32 << 20,
	}
}

func newRunner(db *pg.DB, now func() time.Time, client *polite.Client, rule modelretrieval.Rule, clockRate float64) *jobs.Runner {
	log := slog.New(slog.DiscardHandler)
	return &jobs.Runner{
		DB: db, Now: now, Log: log, ClockRate: clockRate,
		Retrieval: retrieval.Jobs{DB: db, Now: now, Log: log, Client: client, Rule: rule, Sites: Sites(), Secret: Secret()},
		Catalogue: catalogue.Jobs{DB: db, Now: now, Log: log, Client: client, Rate: rule.Rate},
		Archive:   archive.Jobs{DB: db, Now: now, Log: log},
		Awards:    awards.Jobs{DB: db, Now: now, Log: log},
		Notices:   notices.Jobs{DB: db, Now: now, Log: log, Rate: rule.Rate},
		Harvest:   harvest.Jobs{DB: db, Now: now, Log: log, Client: client},
		Posts:     posts.Jobs{DB: db, Now: now, Log: log, Client: client, ClockRate: clockRate},
	}
}

// PostSettings are the usual tiers, and how long a post waits for others.
func PostSettings(ttl time.Duration) posts.Settings {
	tiers, err := modelposts.ParseTiers(modelposts.DefaultTiers)
	if err != nil {
		panic(err)
	}
	return posts.Settings{Tiers: tiers, BufferTTL: ttl}
}

// Secret seals what tests store.
func Secret() pg.Secret {
	secret, err := pg.NewSecret("a secret of this test alone")
	if err != nil {
		panic(err)
	}
	return secret
}

// Count runs a query that gives one number.
func Count(t testing.TB, db *pg.DB, query string, args ...any) (n int) {
	t.Helper()
	if err := db.WithContext(t.Context()).Raw(query, args...).Scan(&n).Error; err != nil {
		t.Fatal(err)
	}
	return n
}

// Until waits for a condition that others bring about.
func Until(t testing.TB, what string, limit time.Duration, done func() bool) {
	t.Helper()
	for end := time.Now().Add(limit); !done(); {
		if time.Now().After(end) {
			t.Fatalf("%s: not within %s", what, limit)
		}
		<-time.After(20 * time.Millisecond)
	}
}

// Soak says that tests run at full counts.
func Soak() bool { return os.Getenv("LAUREL_SOAK") != "" }
