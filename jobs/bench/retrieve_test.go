package bench_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"laurel/jobs/bench"
	"laurel/jobs/jobstest"
	"laurel/jobs/retrieval"
	"laurel/jobs/standin"
	pg "laurel/models/db"
	"laurel/models/modelstest"
	modelretrieval "laurel/models/retrieval"
)

// stopStalk is what StopStalk published: 38,280 requests in about 8 hours.
const stopStalk = 38280.0 / (8 * 3600)

const envWorld = "LAUREL_BENCH_WORLD" // Where the stand-in of this benchmark listens.

// The stand-in is a process of its own, so that its work is not counted as ours.
func TestMain(m *testing.M) {
	if addr := os.Getenv(envWorld); addr != "" {
		world := standin.New(standin.Options{People: people, Instant: true, Now: func() time.Time { return modelstest.Noon }})
		server := &http.Server{Addr: addr, Handler: world, ReadHeaderTimeout: time.Second}
		fmt.Fprintln(os.Stderr, server.ListenAndServe())
		return
	}
	os.Exit(m.Run())
}

const people = 400 // About a thousand accounts.

func startWorld(b *testing.B) string {
	b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0") // A free port.
	if err != nil {
		b.Fatal(err)
	}
	addr := l.Addr().String()
	_ = l.Close()
	cmd := exec.CommandContext(b.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), envWorld+"="+addr)
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	for range 200 {
		if c, err := net.Dial("tcp", addr); err == nil {
			_ = c.Close()
			return "http://" + addr
		}
		<-time.After(20 * time.Millisecond)
	}
	b.Fatal("the stand-in does not answer")
	return ""
}

// BenchmarkRetrieval prints how fast accounts are retrieved from sites that
// answer at once, beside what StopStalk published and beside the least that the
// same work can cost: its HTTP calls alone, and one INSERT of all its rows.
func BenchmarkRetrieval(b *testing.B) {
	if os.Getenv("LAUREL_BENCH") == "" {
		b.Skip("make bench")
	}
	world := startWorld(b)
	db := modelstest.Open(b)
	for i, p := range standin.New(standin.Options{People: people}).People() {
		modelstest.Member(b, db.DB, fmt.Sprint("m", i), p.Handles, modelstest.Noon)
	}
	r := runner(db, world)
	first := measure(func() { round(b, r) })
	var accounts, rows, requests float64
	row := db.Raw(`SELECT sum(retrievals), sum(new_rows), sum(requests) FROM site_hours`).Row()
	if err := row.Scan(&accounts, &rows, &requests); err != nil {
		b.Fatal(err)
	}
	fmt.Printf("%.0f accounts, %.0f rows, %.0f requests in %s\n", accounts, rows, requests, first.wall.Round(time.Millisecond))
	if err := db.Exec(`UPDATE account_schedule SET due_at = ?`, modelstest.Noon).Error; err != nil {
		b.Fatal(err)
	}
	again := measure(func() { round(b, r) })
	limit := measure(func() { bare(b, world); insert(b, db) })
	bench.Ratio("requests per second, first histories", requests/first.wall.Seconds(), stopStalk, "1/s", "StopStalk: 38,280 in 8 hours")
	bench.Ratio("accounts per second, first histories", accounts/first.wall.Seconds(), stopStalk, "1/s", "StopStalk's requests")
	bench.Ratio("accounts per second, nothing new", accounts/again.wall.Seconds(), stopStalk, "1/s", "StopStalk's requests")
	bench.Ratio("time of first histories", first.wall.Seconds(), limit.wall.Seconds(), "s", "the same HTTP calls and one INSERT")
	bench.Ratio("our CPU per account", us(first.cpu, accounts), us(limit.cpu, accounts), "us", "the same HTTP calls and one INSERT")
	bench.Ratio("our CPU and the database's per account", us(first.cpu+first.postgres, accounts), us(limit.cpu+limit.postgres, accounts), "us", "the same HTTP calls and one INSERT")
}

func us(d time.Duration, n float64) float64 { return float64(d.Microseconds()) / n }

type cost struct{ wall, cpu, postgres time.Duration }

func measure(f func()) cost {
	start, cpu, pg := time.Now(), bench.CPU(), bench.PostgresCPU()
	f()
	return cost{time.Since(start), bench.CPU() - cpu, bench.PostgresCPU() - pg}
}

func runner(db *pg.DB, world string) *retrieval.Jobs {
	start := time.Now()
	now := func() time.Time { return modelstest.Noon.Add(time.Since(start)).Truncate(time.Microsecond) }
	client := jobstest.NewClient(db, now, world)
	client.Rate = 1e9 // No gaps: the sites of this benchmark are ours.
	return &retrieval.Jobs{DB: db, Now: now, Log: slog.New(slog.DiscardHandler), Sites: jobstest.Sites(), Rule: modelretrieval.Rule{Rate: client.Rate}, Client: client}
}

// round reads all sites beside each other, as the schedule does.
func round(b *testing.B, r *retrieval.Jobs) {
	var wg sync.WaitGroup
	for _, s := range r.Sites {
		wg.Go(func() {
			if err := r.RetrieveDue(b.Context(), s); err != nil {
				b.Error(err)
			}
		})
	}
	wg.Wait()
}

// bare makes the requests of the first round again, each site's in a row, and
// reads the answers without looking at them.
func bare(b *testing.B, world string) {
	var log []struct{ Site, URI string }
	if err := json.Unmarshal(fetch(b, world+"/standin/log"), &log); err != nil {
		b.Fatal(err)
	}
	bySite := map[string][]string{}
	for _, q := range log[:len(log)/2+1] { // The rest is the second round.
		bySite[q.Site] = append(bySite[q.Site], q.URI)
	}
	var wg sync.WaitGroup
	for _, addresses := range bySite {
		wg.Go(func() {
			for _, a := range addresses {
				fetch(b, world+a)
			}
		})
	}
	wg.Wait()
}

func fetch(b *testing.B, address string) []byte {
	res, err := http.Get(address)
	if err != nil {
		b.Error(err)
		return nil
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		b.Error(err)
	}
	return body
}

// insert writes all rows once more, into a table with the same indexes.
func insert(b *testing.B, db *pg.DB) {
	for _, stmt := range []string{
		`CREATE TABLE bare (LIKE submissions INCLUDING ALL)`,
		`INSERT INTO bare OVERRIDING SYSTEM VALUE SELECT * FROM submissions`,
	} {
		if err := db.Exec(stmt).Error; err != nil {
			b.Fatal(err)
		}
	}
}
