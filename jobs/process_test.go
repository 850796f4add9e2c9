package jobs_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"testing"
	"time"

	"laurel/jobs"
	"laurel/jobs/sites"
	"laurel/jobs/standin"
	"laurel/models"
	"laurel/models/modelstest"
)

// A worker is this test program started again as a process of its own that runs
// the schedule, so that it can be killed for real.
const (
	envWorker = "LAUREL_TEST_WORKER" // The database.
	envWorld  = "LAUREL_TEST_WORLD"  // The stand-in.
	envRate   = "LAUREL_TEST_RATE"   // Divides gaps.
	envClock  = "LAUREL_TEST_CLOCK"  // How fast its time passes.
	envStart  = "LAUREL_TEST_START"  // When that began, in nanoseconds: workers agree on the time.
)

func TestMain(m *testing.M) {
	if os.Getenv(envWorker) != "" {
		work()
		return
	}
	os.Exit(m.Run())
}

func work() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	clockRate, _ := strconv.ParseFloat(os.Getenv(envClock), 64)
	db, err := models.Open(ctx, impatient(os.Getenv(envWorker), clockRate), 8)
	if err != nil {
		fmt.Fprintln(os.Stderr, "worker:", err)
		os.Exit(1)
	}
	start, _ := strconv.ParseInt(os.Getenv(envStart), 10, 64)
	rate, _ := strconv.ParseFloat(os.Getenv(envRate), 64)
	r := newRunner(db, &clock{start: time.Now()}, os.Getenv(envWorld))
	r.Now = func() time.Time {
		passed := time.Duration(float64(time.Since(time.Unix(0, start))) * clockRate)
		return modelstest.Noon.Add(passed).Truncate(time.Microsecond)
	}
	r.Client.Now, r.Client.Rate, r.Rule.Rate = r.Now, rate, rate
	r.Client.Turns = jobs.Turns{DB: db, Now: r.Now}
	postsOfWorkers(r, clockRate)
	if err := r.Start(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "worker:", err)
		os.Exit(1)
	}
}

// impatient lets the database end sessions that sleep in a transaction the sooner
// the faster the clock runs.
func impatient(address string, clockRate float64) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme == "" || clockRate <= 1 {
		return address
	}
	q := u.Query()
	q.Set("idle_in_transaction_session_timeout", strconv.Itoa(max(100, int(30_000/clockRate))))
	u.RawQuery = q.Encode()
	return u.String()
}

// startWorker starts a worker; it is killed when the test ends at the latest.
func startWorker(t *testing.T, db, world string, rate, clockRate float64, start time.Time) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), envWorker+"="+db, envWorld+"="+world, fmt.Sprintf("%s=%g", envRate, rate),
		fmt.Sprintf("%s=%g", envClock, clockRate), fmt.Sprintf("%s=%d", envStart, start.UnixNano()))
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// count runs a query that gives one number.
func count(t *testing.T, db *models.DB, query string, args ...any) (n int) {
	t.Helper()
	if err := db.WithContext(t.Context()).Raw(query, args...).Scan(&n).Error; err != nil {
		t.Fatal(err)
	}
	return n
}

// until waits for a condition that other processes bring about.
func until(t *testing.T, what string, limit time.Duration, done func() bool) {
	t.Helper()
	for end := time.Now().Add(limit); !done(); {
		if time.Now().After(end) {
			t.Fatalf("%s: not within %s", what, limit)
		}
		<-time.After(20 * time.Millisecond)
	}
}

func soak() bool { return os.Getenv("LAUREL_SOAK") != "" }

// outside is a stand-in whose time stands still, so that there is one truth.
func outside(t *testing.T, o standin.Options) (*standin.Server, string) {
	t.Helper()
	o.Now = func() time.Time { return modelstest.Noon }
	out := standin.New(o)
	srv := httptest.NewServer(out)
	t.Cleanup(srv.Close)
	t.Cleanup(out.Close)
	return out, srv.URL
}

// A crawl whose workers are killed at random moments ends with the rows of an
// undisturbed one, and none twice.
func TestKilledWorkersLoseNothing(t *testing.T) {
	people, kills := 12, 6
	if soak() {
		people, kills = 200, 50
	}
	url := modelstest.URL(t)
	db, err := models.Open(t.Context(), url, 4)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	out, address := outside(t, standin.Options{Seed: 7, People: people, Begin: modelstest.Noon.AddDate(-1, 0, 0)})
	accounts := 0
	for _, p := range out.People() {
		modelstest.Member(t, db.DB, p.Name, p.Handles, modelstest.Noon)
		accounts += len(p.Handles)
	}
	const clockRate = 300 // A lease of five minutes ends within a second.
	start := time.Now()
	for range kills {
		cmd := startWorker(t, url, address, 1000, clockRate, start)
		<-time.After(time.Duration(100+rand.IntN(900)) * time.Millisecond) // The moment is random; nothing is awaited.
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	cmd := startWorker(t, url, address, 1000, clockRate, start)
	until(t, "every account is read", 5*time.Minute, func() bool {
		return count(t, db, `SELECT count(*) FROM accounts WHERE state = 'active' AND dirty_from IS NULL`) == accounts
	})
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	w := &world{Runner: newRunner(db, &clock{}, address), out: out}
	for _, p := range out.People() {
		m, err := models.MemberByName(t.Context(), db.DB, p.Name)
		if err != nil {
			t.Fatal(err)
		}
		for site, handle := range p.Handles {
			w.sameAsTruth(t, m.ID, site, handle)
		}
	}
	if n := count(t, db, `SELECT count(*) FROM accounts a WHERE submissions <> (SELECT count(*) FROM submissions s WHERE s.account_id = a.id)`); n > 0 {
		t.Errorf("%d accounts count other submissions than they have", n)
	}
}

// Four processes share one database: no account is retrieved twice in a round,
// and no site is asked faster than its gap. The stand-in's log is the judge.
func TestProcessesShareTheWork(t *testing.T) {
	people, rate := 15, 50.0
	if soak() {
		people, rate = 800, 20 // About 2,000 accounts.
	}
	url := modelstest.URL(t)
	db, err := models.Open(t.Context(), url, 4)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	out, address := outside(t, standin.Options{Seed: 8, People: people, Instant: true, Rate: rate})
	accounts := 0
	for _, p := range out.People() {
		modelstest.Member(t, db.DB, p.Name, p.Handles, modelstest.Noon)
		accounts += len(p.Handles)
	}
	start := time.Now()
	var workers []*exec.Cmd
	for range 4 {
		workers = append(workers, startWorker(t, url, address, rate, 1, start))
	}
	until(t, "every account is read", 30*time.Minute, func() bool {
		return count(t, db, `SELECT count(*) FROM accounts WHERE state = 'active'`) == accounts
	})
	for _, cmd := range workers {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	if n := count(t, db, `SELECT sum(retrievals) FROM site_hours`); n != accounts {
		t.Errorf("%d retrievals of %d accounts: some were retrieved twice or not at all", n, accounts)
	}
	if n := out.Violations(gapOf(rate)); n != 0 {
		t.Errorf("%d requests came faster than their site's gap", n)
	}
}

// gapOf is what a site's own pages say, divided as the workers divide it.
func gapOf(rate float64) func(string) time.Duration {
	return func(name string) time.Duration {
		s, _ := sites.ByName(name)
		return time.Duration(float64(s.Info().Gap) / rate)
	}
}
