// Command river looks at posts as somebody does it who takes River: a job for
// each post, snoozed until the post is due again. Laurel's benchmark of posts
// runs it to have something to compare with; it is a module of its own, so that
// River is no dependency of Laurel.
//
// Its settings are the fastest that were found: 1000 jobs at a time in each
// client, fetched every 10 ms, and jobs that wait up to 100 ms for a request
// to be full. What came of it is stored in a plain table of what was seen, in two ways:
//
//   - Each job stores its own post, by one statement, and snoozes.
//   - The jobs of a request are stored together, by one UPDATE and one INSERT in one
//     transaction; then each snoozes. That is as fast as it was found to go.
//
// Either way, whoever dies before River has written that a job snoozes lets its post be
// looked at and stored again.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
)

// A result is what is printed, as JSON.
type result struct {
	Runs []run
	Idle idle
}

// A run is how long the due posts took.
type run struct {
	Workers  int
	Way      string // One of ways.
	Posts    int
	Seconds  float64
	CoreSecs float64
	Asked    int // Requests.
}

// ways are how posts can be looked at.
const (
	each     = "each"     // Each job stores its own post.
	together = "together" // The jobs of a request are stored together.
	moved    = "moved"    // The same, of jobs that were moved to available already, which costs nothing then.
)

// idle is the leader's look for jobs that are due, where none is.
type idle struct {
	Passes        int
	WallMS, CPUMS float64 // Of the one in the middle, and of each on average.
}

func main() {
	url := flag.String("url", "", "the database, which is Laurel's benchmark's own")
	later := flag.Int("later", 0, "jobs that are due later; those that are missing are made")
	due := flag.Int("due", 50_000, "jobs that are due")
	workers := flag.String("workers", "1,4", "numbers of clients that are measured; 0 for none")
	ways := flag.String("ways", each+","+together+","+moved, "how posts are looked at")
	passes := flag.Int("idle", 0, "passes of the leader with nothing due that are measured")
	flag.Parse()
	if err := measure(context.Background(), *url, *later, *due, *passes, *workers, *ways); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func measure(ctx context.Context, url string, later, due, passes int, workers, ways string) error {
	pool, err := connect(ctx, url, nil)
	if err != nil {
		return err
	}
	defer pool.Close()
	if err := fill(ctx, pool, due, later); err != nil {
		return err
	}
	var res result
	for text := range strings.SplitSeq(workers, ",") {
		n, err := strconv.Atoi(text)
		if err != nil {
			return err
		}
		for way := range strings.SplitSeq(ways, ",") {
			if n == 0 {
				break
			}
			one, err := work(ctx, url, pool, n, due, way)
			if err != nil {
				return err
			}
			res.Runs = append(res.Runs, one)
		}
	}
	if passes > 0 {
		if res.Idle, err = lookIdle(ctx, pool, passes); err != nil {
			return err
		}
	}
	return json.NewEncoder(os.Stdout).Encode(res)
}

func connect(ctx context.Context, url string, tracer pgx.QueryTracer) (*pgxpool.Pool, error) {
	cfg, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	cfg.MaxConns, cfg.ConnConfig.Tracer = 10, tracer
	return pgxpool.NewWithConfig(ctx, cfg)
}

const tables = `
	CREATE TABLE IF NOT EXISTS river_posts (
		id bigint PRIMARY KEY, external_id text NOT NULL, created_at timestamptz NOT NULL,
		likes bigint, reposts bigint, replies bigint, quotes bigint, bookmarks bigint, views bigint, metrics_at timestamptz, author text, text text, url text) WITH (fillfactor = 80);
	CREATE TABLE IF NOT EXISTS river_history (
		post_id bigint NOT NULL, at timestamptz NOT NULL, likes bigint, reposts bigint, replies bigint, quotes bigint, bookmarks bigint, views bigint, PRIMARY KEY (post_id, at))`

// fill makes River's tables and jobs. The indexes are made anew around a large
// number of jobs: that is not what is measured.
func fill(ctx context.Context, pool *pgxpool.Pool, due, later int) error {
	m, err := rivermigrate.New(riverpgxv5.New(pool), &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	if _, err := m.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return err
	}
	if _, err := pool.Exec(ctx, tables); err != nil {
		return err
	}
	var have int
	if err := pool.QueryRow(ctx, `SELECT count(*) FROM river_job`).Scan(&have); err != nil || have >= due+later {
		return err
	}
	restore, err := dropIndexes(ctx, pool)
	if err != nil {
		return err
	}
	// Jobs and posts have the same numbers; the first ones are those that will be due.
	_, err = pool.Exec(ctx, `
		INSERT INTO river_job (state, max_attempts, scheduled_at, args, kind, queue)
		SELECT 'scheduled', 25, now() + interval '1 day' + n * interval '1 second', jsonb_build_object('id', n), 'look_at_post', 'default'
			FROM generate_series($1::bigint, $2::bigint) n`, have+1, due+later)
	if err != nil {
		return err
	}
	_, err = pool.Exec(ctx, `
		INSERT INTO river_posts (id, external_id, created_at) SELECT n, '1800000000000000000' || n, now() - interval '2 days'
			FROM generate_series(1, $1::bigint) n ON CONFLICT DO NOTHING`, due)
	if err != nil {
		return err
	}
	for _, stmt := range restore {
		if _, err := pool.Exec(ctx, stmt); err != nil {
			return err
		}
	}
	return nil
}

func dropIndexes(ctx context.Context, pool *pgxpool.Pool) (restore []string, err error) {
	var drop []string
	err = pool.QueryRow(ctx, `
		SELECT coalesce(array_agg(indexdef), '{}'), coalesce(array_agg(format('DROP INDEX %I', indexname)), '{}') FROM pg_indexes
		WHERE tablename = 'river_job' AND indexname <> 'river_job_pkey'`).Scan(&restore, &drop)
	for _, stmt := range drop {
		if _, err := pool.Exec(ctx, stmt); err != nil {
			return nil, err
		}
	}
	return restore, err
}

// lookIdle measures the pass that the leader makes every five seconds.
func lookIdle(ctx context.Context, pool *pgxpool.Pool, passes int) (idle, error) {
	if _, err := pool.Exec(ctx, `VACUUM ANALYZE river_job`); err != nil {
		return idle{}, err
	}
	conn, err := connect(ctx, pool.Config().ConnString(), nil)
	if err != nil {
		return idle{}, err
	}
	defer conn.Close()
	exec, now := riverpgxv5.New(conn).GetExecutor(), time.Now()
	res := idle{Passes: passes}
	var pid int
	if err := conn.QueryRow(ctx, `SELECT pg_backend_pid()`).Scan(&pid); err != nil {
		return idle{}, err
	}
	var took []time.Duration
	cpu := backendCPU(pid)
	for range passes {
		start := time.Now()
		moved, err := exec.JobSchedule(ctx, &riverdriver.JobScheduleParams{Max: 10_000, Now: &now})
		if err != nil {
			return idle{}, err
		}
		if took = append(took, time.Since(start)); len(moved) > 0 {
			return idle{}, fmt.Errorf("%d jobs were due where none was to be", len(moved))
		}
	}
	res.WallMS = median(took).Seconds() * 1000
	res.CPUMS = (backendCPU(pid) - cpu).Seconds() * 1000 / float64(passes)
	return res, nil
}
