package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
)

const (
	requestSize = 100
	requestWait = 100 * time.Millisecond
	again       = time.Hour // When a post is looked at next.
)

type lookArgs struct {
	ID int64 `json:"id"`
}

func (lookArgs) Kind() string { return "look_at_post" }

// A looker is the worker of one client. Its jobs wait for each other, until they
// are enough for a request.
type looker struct {
	river.WorkerDefaults[lookArgs]
	pool    *pgxpool.Pool
	each    bool // Each job stores its own post.
	waiting chan waiter
	clock   *clock
	stored  *atomic.Int64
	asked   *atomic.Int64
}

type waiter struct {
	id   int64
	done chan<- answer
}

// An answer is what a request showed of a post.
type answer struct {
	likes, views int64
	err          error
}

func (l *looker) Work(ctx context.Context, job *river.Job[lookArgs]) error {
	l.clock.start()
	done := make(chan answer, 1)
	l.waiting <- waiter{job.Args.ID, done}
	select {
	case a := <-done:
		if a.err != nil {
			return a.err
		}
		if l.each {
			if err := l.store(ctx, job.Args.ID, a); err != nil {
				return err
			}
		}
		return river.JobSnooze(again)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// store keeps what was seen of one post, by one statement.
func (l *looker) store(ctx context.Context, id int64, a answer) error {
	_, err := l.pool.Exec(ctx, `
		WITH kept AS (
			UPDATE river_posts SET likes = $2, reposts = $2, replies = $2, quotes = $2, bookmarks = $2, views = $3, metrics_at = $4,
				author = $5, text = $6, url = $7 WHERE id = $1 RETURNING id)
		INSERT INTO river_history SELECT id, $4, $2, $2, $2, $2, $2, $3 FROM kept`, id, a.likes, a.views, time.Now(), author, text,
		address(id))
	if err == nil {
		l.stored.Add(1)
	}
	return err
}

// collect makes requests of jobs until ctx ends.
func (l *looker) collect(ctx context.Context) {
	var batch []waiter
	late := time.NewTimer(requestWait)
	for {
		flush := false
		select {
		case <-ctx.Done():
			return
		case w := <-l.waiting:
			if batch = append(batch, w); len(batch) == 1 {
				late.Reset(requestWait)
			}
			flush = len(batch) == requestSize
		case <-late.C:
			flush = len(batch) > 0
		}
		if !flush {
			continue
		}
		n := l.asked.Add(1) // The network answers at once, with other numbers.
		var err error
		if !l.each {
			if err = l.look(ctx, batch, n); err == nil {
				l.stored.Add(int64(len(batch)))
			}
		}
		for i, w := range batch {
			w.done <- answer{n, n*100 + int64(i), err}
		}
		batch = batch[:0]
	}
}

// look stores what the nth request showed.
func (l *looker) look(ctx context.Context, batch []waiter, n int64) error {
	now := time.Now()
	ids, likes, views := make([]int64, len(batch)), make([]int64, len(batch)), make([]int64, len(batch))
	authors, texts, urls := make([]string, len(batch)), make([]string, len(batch)), make([]string, len(batch))
	for i, w := range batch {
		ids[i], likes[i], views[i] = w.id, n, n*100+int64(i)
		authors[i], texts[i], urls[i] = author, text, address(w.id)
	}
	return pgx.BeginFunc(ctx, l.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `
			UPDATE river_posts p SET likes = g.likes, reposts = g.likes, replies = g.likes, quotes = g.likes, bookmarks = g.likes,
				views = g.views, metrics_at = $1, author = g.author, text = g.text, url = g.url
			FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::text[]) AS g(id, likes, views, author, text,
				url) WHERE p.id = g.id`,
			now, ids, likes, views, authors, texts, urls); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `
			INSERT INTO river_history SELECT id, $1, likes, likes, likes, likes, likes, views
				FROM unnest($2::bigint[], $3::bigint[], $4::bigint[]) AS g(id, likes, views)`, now, ids, likes, views)
		return err
	})
}

const (
	author = "somebody"
	text   = "A post of a benchmark, about as long as posts are, and the same at every look, because people rarely change what they wrote."
)

func address(id int64) string {
	return "https://bench.invalid/somebody/status/" + strconv.FormatInt(id, 10)
}

// A clock begins with the leader's pass that found the first jobs; where they
// were found already, with the first that is at work. What clients need to come
// up, and until the leader looks, does not count.
type clock struct{ passed, begun atomic.Int64 }

func (c *clock) start() {
	if c.begun.Load() == 0 {
		at := c.passed.Load()
		if at == 0 {
			at = time.Now().UnixNano()
		}
		c.begun.CompareAndSwap(0, at)
	}
}

// TraceQueryStart implements pgx.QueryTracer.
func (c *clock) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	if c.begun.Load() == 0 && strings.Contains(data.SQL, "jobs_to_schedule") {
		c.passed.Store(time.Now().UnixNano())
	}
	return ctx
}

// TraceQueryEnd implements pgx.QueryTracer.
func (*clock) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// begin lets the first jobs be due.
func begin(ctx context.Context, pool *pgxpool.Pool, due int, way string) error {
	state := "scheduled"
	if way == moved {
		state = "available"
	}
	for _, stmt := range []string{
		fmt.Sprintf(`UPDATE river_job SET state = '%s', scheduled_at = now() - interval '1 second', attempt = 0, metadata = '{}'
			WHERE id <= %d`, state, due),
		`VACUUM ANALYZE river_job`, `VACUUM ANALYZE river_posts`,
	} {
		if _, err := pool.Exec(ctx, stmt); err != nil {
			return err
		}
	}
	return nil
}

// work lets n clients do what is due.
func work(ctx context.Context, url string, pool *pgxpool.Pool, n, due int, way string) (run, error) {
	if err := begin(ctx, pool, due, way); err != nil {
		return run{}, err
	}
	before, err := coreTime(ctx, pool)
	if err != nil {
		return run{}, err
	}
	var stored, asked atomic.Int64
	timed := &clock{}
	var tracer pgx.QueryTracer
	if way != moved {
		tracer = timed
	}
	ctx, stop := context.WithTimeout(ctx, 5*time.Minute)
	defer stop()
	for range n {
		own, err := connect(ctx, url, tracer)
		if err != nil {
			return run{}, err
		}
		defer own.Close()
		client, err := start(ctx, own, &looker{pool: own, each: way == each, waiting: make(chan waiter), clock: timed, stored: &stored,
			asked: &asked})
		if err != nil {
			return run{}, err
		}
		defer func() {
			stop, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			defer cancel()
			_ = client.StopAndCancel(stop)
		}()
	}
	// A job is done when it is snoozed, which River writes after it has worked.
	for left := due; left > 0; {
		select {
		case <-ctx.Done():
			return run{}, errors.New("the jobs that are due take too long")
		case <-time.After(20 * time.Millisecond):
		}
		if int(stored.Load()) < due {
			continue
		}
		if err := pool.QueryRow(ctx, `SELECT count(*) FROM river_job WHERE id <= $1 AND (state <> 'scheduled' OR scheduled_at <= now())`,
			due).Scan(&left); err != nil {
			return run{}, err
		}
	}
	seconds := float64(time.Now().UnixNano()-timed.begun.Load()) / 1e9
	core, err := coreTime(ctx, pool)
	return run{Workers: n, Way: way, Posts: due, Seconds: seconds, CoreSecs: (core - before).Seconds(), Asked: int(asked.Load())}, err
}

func start(ctx context.Context, pool *pgxpool.Pool, l *looker) (*river.Client[pgx.Tx], error) {
	workers := river.NewWorkers()
	river.AddWorker(workers, l)
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{
		Workers: workers, Queues: map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 1000}},
		FetchCooldown: 10 * time.Millisecond, FetchPollInterval: 100 * time.Millisecond, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return nil, err
	}
	go l.collect(ctx)
	return client, client.Start(ctx)
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

// coreTime is the processor time of this process and of its backends. Vacuums and
// what else the server does by itself are not in it.
func coreTime(ctx context.Context, pool *pgxpool.Pool) (time.Duration, error) {
	var pids []int
	if err := pool.QueryRow(ctx,
		`SELECT array_agg(pid) FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'`).Scan(
		&pids); err != nil {
		return 0, err
	}
	var u syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	sum := time.Duration(u.Utime.Nano() + u.Stime.Nano())
	for _, pid := range pids {
		sum += backendCPU(pid)
	}
	return sum, err
}

// backendCPU is the processor time that a backend took so far, as Linux tells it.
func backendCPU(pid int) time.Duration {
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, after, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(after)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}
