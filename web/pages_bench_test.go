package main

import (
	"cmp"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/profiles"
	"laurel/jobs/bench"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/standings"
)

// fillMany makes members with some submissions each, spread over three years, most of them lately; all that follows of
// submissions; and 50 whom each of the first ten follows.
func fillMany(b *testing.B, db *pg.DB, n, submissions int) {
	b.Helper()
	hash, err := members.HashPassword(b.Context(), password)
	if err != nil {
		b.Fatal(err)
	}
	now := time.Now()
	args := pg.Named("members", n, "each", submissions/n, "now", now, "tomorrow", now.AddDate(0, 0, 1), "hash", hash)
	for _, sql := range []string{
		`INSERT INTO members (name, display_name, time_zone, created_at, password_hash, seen_by)
			SELECT 'sample-' || i, 'Sample ' || i, 'Europe/Riga', @now, CASE WHEN i <= 10 THEN @hash ELSE '' END,
				(ARRAY['everyone', 'everyone', 'everyone', 'members', 'self'])[1 + i / 11 % 5] FROM generate_series(1, @members) i`,
		`WITH created AS (
			INSERT INTO accounts (member_id, site, handle, created_at)
			SELECT m.id, s.site, m.name, @now FROM members m, (VALUES ('codeforces'), ('uva')) s(site) RETURNING id, site),
		schedule AS (
			INSERT INTO account_schedule (account_id, site, state, outcome, due_at, last_attempt_at, last_retrieved_at)
			SELECT id, site, 'active', 'ok', @tomorrow, @now, @now FROM created),
		coverage AS (INSERT INTO account_coverage (account_id, complete_until) SELECT id, @now FROM created)
		INSERT INTO account_stats (account_id, submissions) SELECT id, @each / 2 FROM created`,
		`INSERT INTO problems (site, key, name, url) SELECT s.site, 'p' || i, 'Problem of middling length ' || i, 'https://example.org/problem/' || i
			FROM (VALUES ('codeforces'), ('uva')) s(site), generate_series(1, 2000) i ORDER BY s.site, i`,
		`INSERT INTO submissions (account_id, member_id, site, site_id, problem_id, status, verdict, language, submitted_at, url, first_seen_at)
			SELECT a.id, a.member_id, a.site, i, p.first + (hashint8(a.id * 1000 + i) & 2147483647) % 2000, (ARRAY['AC', 'AC', 'WA', 'TLE'])[1 + i % 4], 'x', 'Go 1.22',
				CAST(@now AS timestamptz) - power((hashint8(a.id * 1000 - i) & 65535) / 65536.0, 3) * interval '3 years',
				'https://example.org/contest/1/submission/' || i, @now
			FROM accounts a JOIN (SELECT site, min(id) AS first FROM problems GROUP BY site) p ON p.site = a.site, generate_series(1, @each / 2) i`,
		`INSERT INTO solved (member_id, problem_id, first_at, submission_id)
			SELECT DISTINCT ON (member_id, problem_id) member_id, problem_id, submitted_at, id FROM submissions WHERE status = 'AC'
			ORDER BY member_id, problem_id, submitted_at, id`,
		`INSERT INTO days (member_id, day, submissions, accepted)
			SELECT member_id, CAST(submitted_at AT TIME ZONE 'Europe/Riga' AS date), count(*), count(*) FILTER (WHERE status = 'AC') FROM submissions GROUP BY 1, 2`,
		`INSERT INTO member_stats (member_id, submissions, accepted, solved, last_day, newest_at)
			SELECT member_id, count(*), count(*) FILTER (WHERE status = 'AC'), count(DISTINCT problem_id) FILTER (WHERE status = 'AC'),
				CAST(max(submitted_at) AT TIME ZONE 'Europe/Riga' AS date), max(submitted_at) FROM submissions GROUP BY 1
			ON CONFLICT (member_id) DO UPDATE SET submissions = EXCLUDED.submissions, accepted = EXCLUDED.accepted, solved = EXCLUDED.solved,
				last_day = EXCLUDED.last_day, newest_at = EXCLUDED.newest_at`,
		`INSERT INTO follows (follower_id, followed_id, asked_at, since)
			SELECT a.id, b.id, @now, @now FROM (SELECT id FROM members ORDER BY id LIMIT 10) a, (SELECT id FROM members ORDER BY id DESC LIMIT 50) b`,
		`INSERT INTO standing_due (member_id) SELECT id FROM members`, `ANALYZE`,
	} {
		var named []any
		if strings.Contains(sql, "@") {
			named = append(named, args)
		}
		if err := db.Exec(sql, named...).Error; err != nil {
			b.Fatal(err)
		}
	}
	if err := cmp.Or(standings.Turn(b.Context(), db.DB, now), standings.Fold(b.Context(), db.DB), standings.KeepSteps(b.Context(), db.DB, now.AddDate(0, 0, -7)),
		db.Exec(`VACUUM ANALYZE`).Error); err != nil {
		b.Fatal(err)
	}
}

// A measuredPage is a page as a member asks for it.
type measuredPage struct {
	b      *testing.B
	e      *echo.Echo
	db     *pg.DB
	n      *counter
	cookie []*http.Cookie
}

func (p *measuredPage) signsIn(name string) {
	in := httptest.NewRequestWithContext(p.b.Context(), http.MethodPost, "/sign-in", strings.NewReader("name="+name+"&password=correct+horse+battery"))
	in.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	p.e.ServeHTTP(w, in)
	if p.cookie = w.Result().Cookies(); len(p.cookie) == 0 {
		p.b.Fatalf("%s cannot sign in: %d %s", name, w.Code, w.Body)
	}
}

// ask returns how long a page took, and its HTML.
func (p *measuredPage) ask(path string) (time.Duration, string) {
	r := httptest.NewRequestWithContext(p.b.Context(), http.MethodGet, path, nil)
	for _, c := range p.cookie {
		r.AddCookie(c)
	}
	w, began := httptest.NewRecorder(), time.Now()
	p.e.ServeHTTP(w, r)
	took := time.Since(began)
	if w.Code != http.StatusOK {
		p.b.Fatalf("%s: %d %s", path, w.Code, w.Body)
	}
	return took, w.Body.String()
}

// rows is how many rows of tables PostgreSQL read so far, in whatever function: there is one connection, so this is ours.
func (p *measuredPage) rows() (n int) {
	if err := p.db.Exec(`SELECT pg_stat_force_next_flush()`).Error; err != nil {
		p.b.Fatal(err)
	}
	if err := p.db.Raw(`SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) FROM pg_stat_user_tables`).Row().Scan(&n); err != nil {
		p.b.Fatal(err)
	}
	return n
}

// BenchmarkPages prints what Today, a profile and leaderboards cost a large community: queries, rows read, time of the server
// and processor time. LAUREL_BENCH_PAGES is how many members and submissions there are: 100000/10000000, say.
func BenchmarkPages(b *testing.B) {
	if os.Getenv("LAUREL_BENCH") == "" {
		b.Skip("make bench")
	}
	size, n, submissions := cmp.Or(os.Getenv("LAUREL_BENCH_PAGES"), "20000/1000000"), 0, 0
	if _, err := fmt.Sscanf(size, "%d/%d", &n, &submissions); err != nil || n < 100 || submissions < 2*n {
		b.Fatalf("LAUREL_BENCH_PAGES is %q: say members/submissions, at least 100 and twice as many", size)
	}
	db, queries := openCounted(b)
	fillMany(b, db, n, submissions)
	site := &base{settings: settings{URL: "http://127.0.0.1", CrawlRate: 1}, db: db, clock: newClock(1), log: slog.New(slog.DiscardHandler)}
	var pid int
	if err := db.Raw(`SELECT pg_backend_pid()`).Row().Scan(&pid); err != nil {
		b.Fatal(err)
	}
	p := &measuredPage{b: b, e: site.echo(profiles.NewProgress()), db: db, n: queries}
	p.signsIn("sample-1")
	for _, x := range []struct{ path, says string }{{"/", "Welcome back"}, {"/u/sample-1", "A year of submissions"},
		{fmt.Sprint("/u/sample-", n/2/55*55), "A year of submissions"}, {"/leaderboard", "Leaderboard"}, {"/leaderboard?in=week", "Leaderboard"},
		{"/leaderboard?who=followed", "Leaderboard"}, {"/feed", "solved"}} {
		p.report(x.path, x.says, size, pid)
	}
}

func (p *measuredPage) report(path, says, size string, pid int) {
	const times = 200
	if _, html := p.ask(path); !strings.Contains(html, says) {
		p.b.Fatalf("%s does not say %q:\n%s", path, says, html)
	}
	before, sent := p.rows(), p.n.n.Load()
	p.ask(path)
	sent = p.n.n.Load() - sent
	read := p.rows() - before
	var took []time.Duration
	cpu := bench.CPU() + bench.BackendCPU([]int{pid})
	for range times {
		t, _ := p.ask(path)
		took = append(took, t)
	}
	cpu = (bench.CPU() + bench.BackendCPU([]int{pid}) - cpu) / times
	slices.Sort(took)
	fmt.Printf("%-28s of %s: %3d queries, %5d rows read, p50 %6.2f ms, p95 %6.2f ms, %6.2f ms of processors\n", path, size, sent, read,
		float64(took[times/2].Microseconds())/1000, float64(took[times*95/100].Microseconds())/1000, float64(cpu.Microseconds())/1000)
}
