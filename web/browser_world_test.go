package main

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel/jobs/mail"
	"laurel/jobs/standin"
	"laurel/models/accounts"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/posts"
)

// A laurel is the whole program as a person meets it: server and jobs on a
// database of their own, and a stand-in for the judge sites, all over real HTTP.
type laurel struct {
	*base
	out  *standin.Server
	work func() // Starts the jobs; without it only pages are served.
}

// coolDownHere is long enough to be seen and short enough to be waited for.
const coolDownHere = 15 * time.Second

func newLaurel(t *testing.T, rate float64) *laurel {
	t.Helper()
	// Histories end today, so that no test depends on how long ago people began.
	out := standin.New(standin.Options{Seed: 1, Start: time.Now().UTC().Truncate(24 * time.Hour), Begin: time.Now().AddDate(-1, -1, 0), Enforce: rate == 1})
	sites := httptest.NewServer(out)
	t.Cleanup(sites.Close)
	t.Cleanup(out.Close)
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	said := &record{}
	b := &base{clock: newClock(1), db: modelstest.Open(t), log: slog.New(slog.NewTextHandler(said, &slog.HandlerOptions{Level: slog.LevelError}))}
	b.settings = settings{URL: "http://" + l.Addr().String(), SecretKey: "a key that seals nothing of worth", CrawlRate: rate, PostTiers: posts.DefaultTiers, BufferTTL: time.Second, ClockRate: 1,
		allowNets: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, mirrors: map[string]*url.URL{}}
	if err := b.readPosts(); err != nil {
		t.Fatal(err)
	}
	mirror, err := url.Parse(sites.URL)
	if err != nil {
		t.Fatal(err)
	}
	for _, names := range []map[string]bool{siteNames(), networkNames()} {
		for name := range names {
			b.mirrors[name] = mirror
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	run := func(part func(context.Context) error) {
		wg.Go(func() {
			if err := part(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	pages := *b
	pages.mail, pages.Webhook = &mail.Server{Host: "127.0.0.1", Port: "1"}, "https://example.org/laurel" // Pages show them; nothing is sent.
	if rate > 1 {
		pages.CrawlRate = float64(coolDown) / float64(coolDownHere) // Pages use it for nothing else.
	}
	run(func(ctx context.Context) error { return pages.serveWeb(ctx, l) })
	t.Cleanup(func() {
		stop()
		wg.Wait()
		if words := said.String(); words != "" {
			t.Errorf("the log says:\n%s", words)
		}
	})
	return &laurel{b, out, func() { run(b.runner().Start) }}
}

// A record is a log that many may write.
type record struct {
	mu    sync.Mutex
	bytes bytes.Buffer
}

func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.bytes.Write(p)
}

func (r *record) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.bytes.String()
}

// setupPath is where the link of the first start leads.
func (l *laurel) setupPath(t *testing.T) string {
	t.Helper()
	token, err := members.SetupToken(t.Context(), l.db.DB)
	if err != nil || token == "" {
		t.Fatalf("set-up token %q, %v", token, err)
	}
	return "/setup?token=" + token
}

const password = "correct horse battery"

// member makes a member with a password.
func (l *laurel) member(t *testing.T, m members.Member, handles map[string]string) members.Member {
	t.Helper()
	hash, err := members.HashPassword(t.Context(), password)
	if err != nil {
		t.Fatal(err)
	}
	m.PasswordHash = hash
	if err := members.Create(t.Context(), l.db.DB, &m, l.clock.now()); err != nil {
		t.Fatal(err)
	}
	if err := accounts.SetHandles(t.Context(), l.db.DB, l.sites(t), m.ID, l.known(t, handles), l.clock.now()); err != nil {
		t.Fatal(err)
	}
	return m
}

func (l *laurel) sites(t *testing.T) []members.Site {
	t.Helper()
	all, err := l.allSites(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// known are the handles on sites that are there.
func (l *laurel) known(t *testing.T, handles map[string]string) map[string]string {
	t.Helper()
	known := map[string]string{}
	for _, s := range l.sites(t) {
		if handle, ok := handles[s.Name]; ok {
			known[s.Name] = handle
		}
	}
	return known
}

// retrieve looks at everything that is due.
func (l *laurel) retrieve(t *testing.T) {
	t.Helper()
	r := &l.runner().Retrieval
	all, err := r.AllSites(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		if err := r.RetrieveDue(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
}

// cookie signs a member in, as a browser that keeps the cookie.
func (l *laurel) cookie(t *testing.T, name string) *http.Cookie {
	t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	form := url.Values{"name": {name}, "password": {password}}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, l.URL+"/sign-in", strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if len(res.Cookies()) != 1 {
		t.Fatalf("signing in as %s: %s and %d cookies", name, res.Status, len(res.Cookies()))
	}
	return res.Cookies()[0]
}
