package bench_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"gorm.io/gorm"

	"laurel/jobs/bench"
	"laurel/models/forums"
	"laurel/models/modelstest"
)

// BenchmarkForumURLs prints what it costs to remember which addresses were read: in
// bytes and in lookups, against a table of the addresses alone. LAUREL_BENCH_SMALL
// does it with a tenth.
func BenchmarkForumURLs(b *testing.B) {
	if os.Getenv("LAUREL_BENCH") == "" {
		b.Skip("make bench")
	}
	n := 10_000_000
	if os.Getenv("LAUREL_BENCH_SMALL") != "" {
		n /= 10
	}
	db := modelstest.Open(b).DB
	ok(b, db.Exec(`INSERT INTO forums (slug, name, kind, url, added_at) SELECT 'f' || g, 'f', 'pipermail', 'https://lists.example.org/f' || g || '/', @now FROM generate_series(1, 200) g`, map[string]any{"now": modelstest.Noon}).Error)
	ok(b, db.Exec(`
		INSERT INTO forum_urls (hash, forum_id, period, status, fetched_at, url)
		SELECT CAST(CAST('x' || encode(substr(sha256(CAST(url AS bytea)), 1, 8), 'hex') AS bit(64)) AS bigint), forum, period, 200, @now, url
		FROM (SELECT f.id AS forum, '2014-July' AS period, `+urlOf+` AS url FROM generate_series(0, CAST(@n AS integer) - 1) g JOIN forums f ON f.slug = 'f' || (1 + g % 200)) x`,
		map[string]any{"n": n, "now": modelstest.Noon}).Error)
	ok(b, db.Exec(`CREATE TABLE plain_urls (url text PRIMARY KEY)`).Error)
	ok(b, db.Exec(`INSERT INTO plain_urls SELECT url FROM forum_urls`).Error)
	ok(b, db.Exec(`VACUUM ANALYZE forum_urls`).Error)
	ok(b, db.Exec(`VACUUM ANALYZE plain_urls`).Error)
	bytes := func(table string) float64 {
		var size float64
		ok(b, db.Raw(`SELECT pg_total_relation_size(CAST(@t AS regclass))`, map[string]any{"t": table}).Row().Scan(&size))
		return size / float64(n)
	}
	full, plain := bytes("forum_urls"), bytes("plain_urls")
	bench.Ratio(fmt.Sprintf("URL history of %d: all remembered", n), full, plain, "B per URL", "url text PRIMARY KEY")
	for _, size := range []int{1, 100} {
		known := lookups(b, size, n, func(urls []string) int {
			got, err := forums.KnownURLs(b.Context(), db, 1, urls)
			ok(b, err)
			return len(got)
		})
		floor := lookups(b, size, n, func(urls []string) int { return plainLookup(b, db, urls) })
		bench.Ratio(fmt.Sprintf("URL history of %d: look-ups of %d", n, size), known, floor, "URLs per s", "url text PRIMARY KEY")
	}
	// A finished period stands for its addresses: 100 in each.
	ok(b, db.Exec(`INSERT INTO forum_periods (forum_id, period, position, state, listed, stored, label, checked_at, changed_at)
		SELECT f.id, 'p' || g, g, 'finished', 100, 100, 'Gzip''d Text 14 KB', @now, @now FROM forums f, generate_series(1, CAST(@n AS integer) / 100 / 200) g`, map[string]any{"n": n, "now": modelstest.Noon}).Error)
	ok(b, db.Exec(`TRUNCATE forum_urls`).Error)
	ok(b, db.Exec(`VACUUM ANALYZE forum_periods`).Error)
	var rest float64
	ok(b, db.Raw(`SELECT pg_total_relation_size('forum_urls') + pg_total_relation_size('forum_periods')`).Row().Scan(&rest))
	bench.Ratio(fmt.Sprintf("URL history of %d: periods finished", n), rest/float64(n), plain, "B per URL", "url text PRIMARY KEY")
	if rest/float64(n) > 8 {
		b.Errorf("%.1f bytes per URL of finished periods, want at most 8", rest/float64(n))
	}
}

const urlOf = `'https://lists.example.org/pipermail/list-' || (1 + g % 200) || '/2014-July/' || lpad(CAST(g AS text), 8, '0') || '.html'`

// lookups returns how many addresses a second are looked up, half of them known.
func lookups(b *testing.B, size, n int, look func([]string) int) float64 {
	b.Helper()
	random, asked, found := rand.New(rand.NewPCG(1, 1)), 0, 0
	start := time.Now()
	for time.Since(start) < 3*time.Second {
		urls := make([]string, size)
		for i := range urls {
			g := random.IntN(2 * n)
			urls[i] = fmt.Sprintf("https://lists.example.org/pipermail/list-%d/2014-July/%08d.html", 1+g%200, g)
		}
		found += look(urls)
		asked += size
	}
	if share := float64(found) / float64(asked); share < 0.4 || share > 0.6 {
		b.Errorf("%.2f of the addresses are known, want half", share)
	}
	return float64(asked) / time.Since(start).Seconds()
}

func plainLookup(b *testing.B, db *gorm.DB, urls []string) (n int) {
	b.Helper()
	rows, err := db.Raw(`SELECT p.url FROM unnest(CAST(@urls AS text[])) g(url) JOIN plain_urls p ON p.url = g.url`, map[string]any{"urls": &urls}).Rows()
	ok(b, err)
	for rows.Next() {
		var url string
		ok(b, rows.Scan(&url))
		n++
	}
	ok(b, rows.Err())
	ok(b, rows.Close())
	return n
}
