package jobs_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
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
	flag.Parse()
	if f := flag.Lookup("test.parallel"); f.Value.String() == f.DefValue && runtime.GOMAXPROCS(0) < atOnce {
		_ = f.Value.Set(strconv.Itoa(atOnce))
	}
	os.Exit(m.Run())
}

// atOnce is how many tests run at once at least: they wait for processes, answers and
// the database more than they compute.
const atOnce = 4

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
	r.Client.Sleep = func(ctx context.Context, d time.Duration) error {
		return sleep(ctx, time.Duration(float64(d)/clockRate))
	}
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

// workersRate is how fast the time of workers passes that are killed: as it does, so that
// who lives keeps its lease on a slow machine, too.
const workersRate = 1

// calmRate is the rate of a clock on which a turn, which is held for a second at least,
// is held for ten: a machine that stalls a process for a while takes none from it.
// Gaps are divided by as much more.
const calmRate = 0.1

// leaseEnds moves the beginning of time back until a lease that was just taken is
// over, for workers that are yet to start. Nobody waits for the dead.
func leaseEnds(start time.Time) time.Time { return start.Add(-6 * time.Minute / workersRate) }

// killWhen lets a worker live until it has asked for so many pages more, and a moment
// longer that is random, for it may die anywhere. It returns false where all was done
// before.
func killWhen(t *testing.T, cmd *exec.Cmd, out *standin.Server, pages int, done func() bool) bool {
	t.Helper()
	before := len(out.Log())
	until(t, "it is read further", 5*time.Minute, func() bool { return len(out.Log())-before >= pages || done() })
	<-time.After(time.Duration(rand.IntN(50)) * time.Millisecond)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	return !done()
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
	t.Parallel()
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
	out, address := outside(t, standin.Options{Seed: 7, People: people, Begin: modelstest.Noon.AddDate(0, -2, 0)})
	accounts := 0
	for _, p := range out.People() {
		modelstest.Member(t, db.DB, p.Name, p.Handles, modelstest.Noon)
		accounts += len(p.Handles)
	}
	start := time.Now()
	done := func() bool {
		return count(t, db, `SELECT count(*) FROM accounts WHERE state = 'active' AND dirty_from IS NULL`) == accounts
	}
	killed := 0
	for early := true; early && killed < kills; killed++ {
		cmd := startWorker(t, url, address, 1000, workersRate, start)
		early = killWhen(t, cmd, out, 1+rand.IntN(accounts/2), done)
		start = leaseEnds(start)
	}
	t.Logf("%d accounts, %d kills, %d requests before the last", accounts, killed, len(out.Log()))
	if killed < kills/2 {
		t.Errorf("all was read after %d kills", killed)
	}
	cmd := startWorker(t, url, address, 1000, workersRate, start)
	until(t, "every account is read", 5*time.Minute, done)
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
	t.Parallel()
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
	out, address := outside(t, standin.Options{Seed: 8, People: people, Instant: true, Start: modelstest.Noon.AddDate(0, 0, -10), Rate: rate}) // Histories of a page or two.
	accounts := 0
	for _, p := range out.People() {
		modelstest.Member(t, db.DB, p.Name, p.Handles, modelstest.Noon)
		accounts += len(p.Handles)
	}
	start := time.Now()
	var workers []*exec.Cmd
	for range 4 {
		workers = append(workers, startWorker(t, url, address, rate/calmRate, calmRate, start))
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
