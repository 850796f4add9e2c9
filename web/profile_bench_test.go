package main

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/profiles"
	"laurel/jobs/bench"
	pg "laurel/models/db"
	"laurel/models/modelstest"
	"laurel/models/submissions"
	"laurel/static"
)

// fill stores members with a thousand submissions each, spread over three sites
// and two years, and sums them up.
func fill(tb testing.TB, db *pg.DB, members int) {
	tb.Helper()
	now := time.Now()
	for _, stmt := range []string{
		`INSERT INTO members (name, display_name, time_zone, created_at) SELECT 'sample-' || i, 'Sample ' || i, 'Europe/Riga', @now FROM generate_series(1, @members) i`,
		`WITH created AS (
			INSERT INTO accounts (member_id, site, handle, created_at)
			SELECT m.id, s.site, m.name, @now FROM members m, (VALUES ('codeforces'), ('atcoder'), ('uva')) s(site) RETURNING id, site),
		schedule AS (
			INSERT INTO account_schedule (account_id, site, state, outcome, due_at, last_attempt_at, last_retrieved_at)
			SELECT id, site, 'active', 'ok', @tomorrow, @now, @now FROM created),
		coverage AS (INSERT INTO account_coverage (account_id, complete_until) SELECT id, @now FROM created)
		INSERT INTO account_stats (account_id) SELECT id FROM created`,
		`INSERT INTO problems (site, key, name, url) SELECT s.site, 'p' || i, 'Problem of middling length ' || i, @home || i
			FROM (VALUES ('codeforces'), ('atcoder'), ('uva')) s(site), generate_series(1, 500) i`,
		`INSERT INTO submissions (account_id, member_id, site, site_id, problem_id, status, verdict, language, submitted_at, url, first_seen_at)
			SELECT a.id, a.member_id, a.site, i, p.id, (ARRAY['AC', 'AC', 'WA', 'TLE', 'RE', 'CE', 'WA', 'AC'])[1 + i % 8], 'x', (ARRAY['C++20 (GCC 13-64)', 'Go 1.22', 'Python 3'])[1 + i % 3],
				CAST(@now AS timestamptz) - i * interval '52 hours' - (a.id % 97) * interval '11 minutes', 'https://example.org/contest/1/submission/' || i, @now
			FROM account_details a, generate_series(1, 334) i JOIN LATERAL (SELECT id, site FROM problems WHERE key = 'p' || (1 + i % 400)) p ON true WHERE p.site = a.site`,
		`INSERT INTO ratings (account_id, contest, name, url, rank, rating, rated_at)
			SELECT id, i, 'Contest of some name number ' || i, 'https://example.org/contest/' || i, 100 + i, 1200 + 15 * i, CAST(@now AS timestamptz) - (41 - i) * interval '17 days'
			FROM account_details, generate_series(1, 40) i WHERE site <> 'uva'`,
	} {
		err := db.Exec(stmt, map[string]any{"members": members, "now": now, "home": "https://example.org/contest/problem/", "tomorrow": now.AddDate(0, 0, 1)}).Error
		if err != nil {
			tb.Fatal(err)
		}
	}
	sumUp(tb, db)
}

// sumUp counts what was stored past the functions that keep the sums.
func sumUp(tb testing.TB, db *pg.DB) {
	tb.Helper()
	for _, stmt := range []string{
		`UPDATE account_stats a SET submissions = t.submissions, accepted = t.accepted, solved = t.solved, newest_at = t.newest_at, statuses = t.statuses FROM (
			SELECT account_id, sum(n) AS submissions, sum(n) FILTER (WHERE status = 'AC') AS accepted, sum(solved) FILTER (WHERE status = 'AC') AS solved, max(newest_at) AS newest_at,
				jsonb_object_agg(status, n) AS statuses
			FROM (SELECT account_id, status, count(*) AS n, count(DISTINCT problem_id) AS solved, max(submitted_at) AS newest_at FROM submissions GROUP BY 1, 2) s GROUP BY 1) t
			WHERE a.account_id = t.account_id`,
		`ANALYZE`,
	} {
		if err := db.Exec(stmt).Error; err != nil {
			tb.Fatal(err)
		}
	}
	var ids []int64
	if err := db.Raw(`SELECT id FROM members ORDER BY id LIMIT 20`).Scan(&ids).Error; err != nil {
		tb.Fatal(err)
	}
	for _, id := range ids { // Those that are checked.
		if err := submissions.RefreshMember(tb.Context(), db.DB, id, modelstest.Noon); err != nil {
			tb.Fatal(err)
		}
	}
}

// ask serves one request and returns the length of what was sent.
func ask(tb testing.TB, e *echo.Echo, path string) int {
	tb.Helper()
	req := httptest.NewRequestWithContext(tb.Context(), http.MethodGet, path, nil)
	req.Header.Set("Accept-Encoding", "gzip")
	rec := httptest.NewRecorder()
	e.ServeHTTP(rec, req)
	if rec.Code != http.StatusOK {
		tb.Fatalf("%s: %d %s", path, rec.Code, rec.Body)
	}
	n, _ := io.Copy(io.Discard, rec.Body)
	return int(n)
}

// BenchmarkProfile prints what a profile costs beside a static file through the
// same middleware, with a million submissions stored and no page kept.
func BenchmarkProfile(b *testing.B) {
	if os.Getenv("LAUREL_BENCH") == "" {
		b.Skip("make bench")
	}
	site, e := benchServer(b)
	fill(b, site.db, 1000)
	cost := func(path string, n int) (cpu, postgres float64) {
		for range 50 {
			ask(b, e, path)
		}
		c, p := bench.CPU(), bench.PostgresCPU()
		for range n {
			ask(b, e, path)
		}
		return float64((bench.CPU() - c).Microseconds()) / float64(n), float64((bench.PostgresCPU() - p).Microseconds()) / float64(n)
	}
	file, _ := cost(static.Assets().Styles, 20000)
	profile, postgres := cost("/u/sample-7", 1500)
	bench.Ratio("CPU of a profile, 1 M submissions stored", profile, file, "us", "a static file, same middleware; at most 80")
	bench.Ratio("the same with the database's CPU", profile+postgres, file, "us", "a static file, same middleware")
}

func benchServer(tb testing.TB) (*base, *echo.Echo) {
	tb.Helper()
	b := &base{settings: settings{URL: "http://127.0.0.1", CrawlRate: 1}, db: modelstest.Open(tb), clock: newClock(1), log: slog.New(slog.DiscardHandler)}
	return b, b.echo(profiles.NewProgress())
}
