package main

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"

	"laurel/handlers/profiles"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
)

// A counter sees every statement that any connection sends, whoever sends it.
type counter struct {
	n   atomic.Int64
	sql chan string
}

func (c *counter) TraceQueryStart(ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryStartData) context.Context {
	c.n.Add(1)
	select {
	case c.sql <- strings.Join(strings.Fields(q.SQL), " "):
	default: // Full: the number tells.
	}
	return ctx
}

func (c *counter) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// openCounted is models.Open with the counter on its connections; of a benchmark there is one connection.
func openCounted(t testing.TB) (*pg.DB, *counter) {
	t.Helper()
	cfg, err := pgxpool.ParseConfig(modelstest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := t.(*testing.B); ok {
		cfg.MaxConns = 1
	}
	c := &counter{sql: make(chan string, 100)}
	cfg.ConnConfig.RuntimeParams["timezone"], cfg.ConnConfig.Tracer = "UTC", c
	pool, err := pgxpool.NewWithConfig(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	g, err := gorm.Open(postgres.New(postgres.Config{Conn: stdlib.OpenDBFromPool(pool)}), &gorm.Config{SkipDefaultTransaction: true, TranslateError: true})
	if err != nil {
		t.Fatal(err)
	}
	db := &pg.DB{DB: g, Pool: pool}
	t.Cleanup(db.Close)
	return db, c
}

// fillBusy makes a member with a password, three sites, 40 rated contests on
// two of them, submissions on every day of a year, and messages in a forum.
func fillBusy(t *testing.T, db *pg.DB) {
	t.Helper()
	fill(t, db, 1)
	if err := db.Exec(`
		INSERT INTO submissions (account_id, member_id, site, site_id, problem_id, status, verdict, language, submitted_at, url, first_seen_at)
		SELECT a.id, a.member_id, a.site, 100000 + d * 20 + n, p.id, (ARRAY['AC', 'WA', 'PS', 'MLE', 'PE', 'SK', 'HCK', 'OTH'])[1 + (d + n) % 8], 'x', 'C++23 (GCC 14-64, msys2)',
			CAST(@now AS timestamptz) - d * interval '1 day' - n * interval '1 minute', 'https://example.org/contest/1/submission/' || d || n, @now
		FROM account_details a, generate_series(0, 380) d, generate_series(1, 12) n JOIN LATERAL (SELECT id, site FROM problems WHERE key = 'p' || n) p ON true
		WHERE p.site = a.site AND n <= 1 + d * 7 % 12`, map[string]any{"now": time.Now()}).Error; err != nil {
		t.Fatal(err)
	}
	if err := db.Exec(`
		WITH f AS (INSERT INTO forums (slug, name, kind, url, added_at) VALUES ('news', 'News', 'pipermail', 'https://lists.example.org/news/', @now) RETURNING id)
		INSERT INTO messages (forum_id, url, author, address, subject, sent_at, sent_shown, placed_at, body, member_id, stored_at)
		SELECT f.id, 'https://lists.example.org/news/' || n, 'Sample Member', 'sample at example.org', 'Re: [news] How to count inversions in n log n, part ' || n, at, '', at, 'Text', (SELECT id FROM members WHERE name = 'sample-1'), at
		FROM f, generate_series(1, 30) n, LATERAL (SELECT CAST(@now AS timestamptz) - n * interval '5 hours' AS at) a`, map[string]any{"now": time.Now()}).Error; err != nil {
		t.Fatal(err)
	}
	hash, err := members.HashPassword(t.Context(), password)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Exec(`UPDATE members SET password_hash = @hash, requested_at = @now`, map[string]any{"hash": hash, "now": time.Now().Add(-time.Hour)}).Error; err != nil {
		t.Fatal(err)
	}
	sumUp(t, db)
}

const (
	// The seventh is the sites that are not asked now, which every page tells; the eighth, handles that were changed; the ninth, awards.
	mostQueries = 10
	mostHTML    = 25 << 10
	mostLoad    = 45 << 10 // Of a first visit: page, styles and script as they come over the wire.
)

// The full profile of a busy member, as its member sees it.
func TestProfileCost(t *testing.T) {
	t.Parallel()
	db, queries := openCounted(t)
	fillBusy(t, db)
	b := &base{settings: settings{URL: "http://127.0.0.1", CrawlRate: 1}, db: db, clock: newClock(1), log: slog.New(slog.DiscardHandler)}
	e := b.echo(profiles.NewProgress())

	in := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/sign-in", strings.NewReader("name=sample-1&password=correct+horse+battery"))
	in.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	signed := httptest.NewRecorder()
	e.ServeHTTP(signed, in)
	look := func() *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/u/sample-1", nil)
		for _, c := range signed.Result().Cookies() {
			r.AddCookie(c)
		}
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		return w
	}
	look() // The first time a connection is opened.
	for len(queries.sql) > 0 {
		<-queries.sql
	}
	before := queries.n.Load()
	w := look()
	sent := queries.n.Load() - before
	if body := w.Body.String(); !strings.Contains(body, "Retrieve my submissions") || !strings.Contains(body, "problems solved") || strings.Count(body, "part ") < 5 {
		t.Fatalf("this is no full profile of one's own: %d\n%s", w.Code, body)
	}
	t.Logf("a full profile: %d queries, %d bytes of HTML", sent, w.Body.Len())
	if sent > mostQueries {
		t.Errorf("%d queries, want at most %d:", sent, mostQueries)
		for len(queries.sql) > 0 {
			t.Log(<-queries.sql)
		}
	}
	if w.Body.Len() > mostHTML {
		t.Errorf("%d bytes of HTML, want at most %d", w.Body.Len(), mostHTML)
	}
}

// firstLoad weighs what a browser fetches that was never here.
func firstLoad(t *testing.T, browser context.Context) {
	needScripts(t)
	l := newLaurel(t, 1000)
	fillBusy(t, l.db)
	for _, path := range []string{"/", "/u/sample-1"} {
		p := newTab(t, browser, l.URL)
		p.troubles.weigh()
		p.open(path)
		p.do(chromedp.WaitReady(chromedp.CSS("footer")))
		weight := 0.0
		p.until(func() bool {
			weight += p.troubles.weigh()
			return js[string](p, "document.readyState") == "complete" && weight > 0
		}, func() string { return "does not load" })
		weight += p.troubles.weigh()
		t.Logf("first load of %s: %.1f KB", path, weight/1024)
		if weight > mostLoad {
			t.Errorf("first load of %s: %.0f bytes, want at most %d", path, weight, mostLoad)
		}
		if script := js[int](p, `performance.getEntriesByType("resource").length`); script < 2 {
			t.Errorf("only %d files beside the page: is static/dist built?", script)
		}
	}
	res, err := http.Get(l.URL + "/u/sample-1")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if n, _ := io.Copy(io.Discard, res.Body); n > mostHTML {
		t.Errorf("the profile is %d bytes of HTML for a visitor, want at most %d", n, mostHTML)
	}
}
