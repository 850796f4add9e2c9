package bench_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laurel/jobs/bench"
	"laurel/jobs/jobstest"
	"laurel/jobs/networks"
	"laurel/jobs/posts"
	pg "laurel/models/db"
	"laurel/models/modelstest"
	modelposts "laurel/models/posts"
)

const (
	duePosts = 100_000
	rowPosts = 2000 // That the slow way is given.
)

// BenchmarkPosts prints how many posts a second are claimed, asked for from a
// network that answers at once with other numbers, and stored, with all that
// comes of it: the numbers and when they are due again, a snapshot in the
// archive, the log of requests and what each credential was used for. Against
// GORM row by row, which keeps what was seen in a plain table only; beside 0, 1 and
// 5 million posts that are due later. And what it costs to find that nothing is due.
func BenchmarkPosts(b *testing.B) {
	if os.Getenv("LAUREL_BENCH") == "" {
		b.Skip("make bench")
	}
	w := newPostBench(b)
	for _, later := range []int{0, 1_000_000, 5_000_000} {
		w.fill(later)
		_ = w.db.Exec(`CHECKPOINT`) // Or writing all that would hold up what comes next; not everybody may.
		for _, workers := range []int{1, 4} {
			w.compare(workers)
		}
		if later == 5_000_000 {
			w.idle()
		}
	}
}

// compare prints the ratios beside what is due later by now. We are measured
// before and after the other way, for the machine may have other things to do.
func (w *postBench) compare(workers int) {
	w.b.Helper()
	us := w.look(workers)
	rows := w.rowByRow(workers)
	us = us.plus(w.look(workers))
	const posts = 2 * duePosts
	what := fmt.Sprintf("posts, %d M due later, %d workers: ", w.have/1_000_000, workers)
	bench.Ratio(what+"GORM row by row", us.wallRate(posts), rows.wallRate(rowPosts), "1/s", "at least 15")
	bench.Ratio(what+"GORM, CPU", us.coreRate(posts), rows.coreRate(rowPosts), "1/core-s", "of the process and of its backends")
}

// An effort is what posts took.
type effort struct{ wall, core time.Duration }

func (e effort) plus(o effort) effort { return effort{e.wall + o.wall, e.core + o.core} }

func (e effort) wallRate(n int) float64 { return float64(n) / e.wall.Seconds() }
func (e effort) coreRate(n int) float64 { return float64(n) / e.core.Seconds() }

// A postBench is the database of posts, with the due ones first.
type postBench struct {
	b     *testing.B
	db    *pg.DB
	begun time.Time
	net   *instant
	tiers modelposts.Tiers
	have  int // Posts that are due later.
}

func newPostBench(b *testing.B) *postBench {
	b.Helper()
	w := &postBench{b: b, db: modelstest.Open(b), begun: time.Now(), net: &instant{}}
	var err error
	w.tiers, err = modelposts.ParseTiers(modelposts.DefaultTiers)
	ok(b, err)
	ok(b, w.db.Exec(`INSERT INTO post_pools (network, host) VALUES ('instant', ''), ('instant', 'second'), ('instant', 'third')`).Error)
	w.insert(duePosts, "due")
	w.look(1) // From here on each look finds other numbers than the one before.
	return w
}

// now is a clock that runs; archive and rows hold microseconds.
func (w *postBench) now() time.Time {
	return modelstest.Noon.Add(time.Since(w.begun)).Truncate(time.Microsecond)
}

func (w *postBench) exec(stmt string, args ...any) {
	w.b.Helper()
	ok(w.b, w.db.Exec(stmt, args...).Error)
}

// insert adds posts that are due from tomorrow on.
func (w *postBench) insert(n int, name string) {
	w.b.Helper()
	w.exec(`
		INSERT INTO posts (network, external_id, created_at, added_at, next_update_at)
		SELECT 'instant', CAST(@name AS text) || (1000000000000000 + n), noon - interval '26 hours', noon, noon + interval '1 day' + n * interval '17 milliseconds'
		FROM generate_series(CAST(@from AS bigint) + 1, @to) n, (SELECT CAST(@now AS timestamptz) AS noon) t`,
		map[string]any{"name": name, "now": modelstest.Noon, "from": w.have, "to": w.have + n})
}

// fill lets so many posts be due later, by one statement.
func (w *postBench) fill(later int) {
	w.b.Helper()
	start := time.Now()
	if later > w.have {
		w.insert(later-w.have, "")
		w.have = later
	}
	w.exec(`VACUUM ANALYZE posts`)
	fmt.Printf("%d posts are due later (filled in %s)\n", later, time.Since(start).Round(time.Second))
}

// due lets the first n posts be due, one after the other in the last seconds.
func (w *postBench) due(n int) {
	w.b.Helper()
	w.exec(`UPDATE posts SET next_update_at = CAST(@now AS timestamptz) - id * interval '1 millisecond' WHERE id <= @n`, map[string]any{"now": w.now(), "n": n})
	for _, table := range []string{"posts", "shard_post_metrics", "shard__past_post_metrics", "archive_retrievals", "archive_pages", "credentials"} {
		w.exec("VACUUM ANALYZE " + table)
	}
}

func (w *postBench) jobs() *posts.Jobs {
	return &posts.Jobs{DB: w.db, Now: w.now, Log: slog.New(slog.DiscardHandler), Networks: []networks.Network{w.net}, Secret: jobstest.Secret(), ClockRate: 1,
		Settings: posts.Settings{Tiers: w.tiers, BufferTTL: 10 * time.Second}}
}

// look lets workers look at what is due, and returns what that took.
func (w *postBench) look(workers int) effort {
	w.b.Helper()
	w.due(duePosts)
	before := w.looks()
	w.net.asked.Store(0)
	clock, start := newCoreClock(w.b, w.db.DB), time.Now()
	var wg sync.WaitGroup
	for range workers {
		r := w.jobs()
		wg.Go(func() {
			for w.net.asked.Load() < duePosts {
				if err := r.Poll(w.b.Context(), w.net); err != nil {
					w.b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	took := effort{wall: time.Since(start)}
	took.core = time.Duration(clock.lap() * float64(time.Second))
	if n := w.looks() - before; n != duePosts || w.net.asked.Load() != duePosts {
		w.b.Fatalf("%d posts were asked for and %d stored, want %d", w.net.asked.Load(), n, duePosts)
	}
	return took
}

func (w *postBench) looks() (n int) {
	ok(w.b, w.db.Raw(`SELECT coalesce(sum(looks), 0) FROM posts WHERE id <= ?`, duePosts).Row().Scan(&n))
	return n
}

// idle prints what a tick costs that finds nothing due.
func (w *postBench) idle() {
	w.b.Helper()
	w.due(0)
	r := w.jobs()
	var ticks, rows []time.Duration
	timed := func(list *[]time.Duration, f func() error) {
		start := time.Now()
		err := f()
		*list = append(*list, time.Since(start))
		ok(w.b, err)
	}
	const times = 2000
	for i := range times {
		timed(&ticks, func() error { return r.Poll(w.b.Context(), w.net) })
		timed(&rows, func() error {
			var p struct {
				ID           int64
				NextUpdateAt time.Time
			}
			return w.db.Raw(`SELECT id, next_update_at FROM posts WHERE id = @id`, map[string]any{"id": 1 + i*(w.have/times)}).Scan(&p).Error
		})
	}
	bench.Ratio("posts, 5 M due later, a tick with nothing due: one row", median(ticks), median(rows), "ms", "that row is found by its key; 3 pools; at most 20")
}

// instant is a network that answers at once, with numbers that it never gave before.
type instant struct {
	asked atomic.Int64 // Posts.
	round atomic.Int64
}

func (*instant) Info() networks.Info {
	return networks.Info{Name: "instant", Title: "Instant", Batch: 100, Requests: 1_000_000_000, Window: 24 * time.Hour, Price: 5}
}

func (*instant) Parse(string) (networks.Ref, bool) { return networks.Ref{}, false }

func (n *instant) Fetch(_ context.Context, _ networks.Getter, _ networks.Credential, ids []string) (networks.Fetched, error) {
	n.asked.Add(int64(len(ids)))
	got := networks.Fetched{Posts: make(map[string]networks.Post, len(ids)), Quota: networks.Quota{Known: true, Limit: 1_000_000_000, Remaining: 900_000_000, Reset: modelstest.Noon.Add(24 * time.Hour)}}
	v := n.round.Add(1)
	for _, id := range ids {
		got.Posts[id] = networks.Post{ID: id, Author: "somebody", URL: "https://bench.invalid/somebody/status/" + id, CreatedAt: modelstest.Noon.Add(-26 * time.Hour), Likes: &v, Reposts: &v, Replies: &v, Quotes: &v, Bookmarks: &v, Views: &v,
			Text: "A post of a benchmark, about as long as posts are, and the same at every look, because people rarely change what they wrote."}
	}
	return got, nil
}
