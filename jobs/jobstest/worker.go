package jobstest

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"testing"
	"time"

	"laurel/jobs/networks"
	"laurel/jobs/standin"
	pg "laurel/models/db"
	"laurel/models/modelstest"
	modelretrieval "laurel/models/retrieval"
)

// A worker is the test program started again as a process of its own that runs
// the schedule, so that it can be killed for real.
const (
	envWorker = "LAUREL_TEST_WORKER" // The database.
	envWorld  = "LAUREL_TEST_WORLD"  // The stand-in.
	envRate   = "LAUREL_TEST_RATE"   // Divides gaps.
	envClock  = "LAUREL_TEST_CLOCK"  // How fast its time passes.
	envStart  = "LAUREL_TEST_START"  // When that began, in nanoseconds: workers agree on the time.
)

// Main runs the tests, or is a worker. TestMain of a package that starts workers calls it.
func Main(m *testing.M) {
	if os.Getenv(envWorker) != "" {
		if err := work(); err != nil {
			fmt.Fprintln(os.Stderr, "worker:", err)
			os.Exit(1)
		}
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

// PostsTTL is how long a post waits for others in workers: long enough for a full batch
// of what is due all the time.
const PostsTTL = time.Minute

func work() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	clockRate, _ := strconv.ParseFloat(os.Getenv(envClock), 64)
	db, err := pg.Open(ctx, impatient(os.Getenv(envWorker), clockRate), 8)
	if err != nil {
		return err
	}
	start, _ := strconv.ParseInt(os.Getenv(envStart), 10, 64)
	rate, _ := strconv.ParseFloat(os.Getenv(envRate), 64)
	now := func() time.Time {
		passed := time.Duration(float64(time.Since(time.Unix(0, start))) * clockRate)
		return modelstest.Noon.Add(passed).Truncate(time.Microsecond)
	}
	client := NewClient(db, now, os.Getenv(envWorld))
	client.Rate = rate
	client.Sleep = func(ctx context.Context, d time.Duration) error {
		return Sleep(ctx, time.Duration(float64(d)/clockRate))
	}
	r := newRunner(db, now, client, modelretrieval.Rule{Rate: rate}, clockRate)
	r.Posts.Networks, r.Posts.Secret, r.Posts.Settings = networks.All(), Secret(), PostSettings(PostsTTL)
	return r.Start(ctx)
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

// A Worker says what a worker process works on.
type Worker struct {
	DB      string    // The address of the database.
	Outside string    // The address of the stand-in.
	Rate    float64   // Divides gaps.
	Clock   float64   // How fast time passes.
	Start   time.Time // When that began.
}

// Run starts a worker; it is killed when the test ends at the latest.
func (w Worker) Run(t testing.TB) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), envWorker+"="+w.DB, envWorld+"="+w.Outside, fmt.Sprintf("%s=%g", envRate, w.Rate),
		fmt.Sprintf("%s=%g", envClock, w.Clock), fmt.Sprintf("%s=%d", envStart, w.Start.UnixNano()))
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// Kill ends a worker without a word.
func Kill(cmd *exec.Cmd) {
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

// KilledRate is how fast the time of workers passes that are killed: as it does, so that
// who lives keeps its lease on a slow machine, too.
const KilledRate = 1

// CalmRate is the rate of a clock on which a slot, which is held for a second at least,
// is held for ten: a machine that stalls a process for a while takes none from it.
// Gaps are divided by as much more.
const CalmRate = 0.1

// LeaseEnds moves the beginning of time back until a lease that was just taken is
// over, for workers that are yet to start. Nobody waits for the dead.
func LeaseEnds(start time.Time) time.Time { return start.Add(-6 * time.Minute / KilledRate) }

// KillWhen lets a worker live until it has asked for so many pages more, and a moment
// longer that is random, for it may die anywhere. It returns false where all was done
// before.
func KillWhen(t testing.TB, cmd *exec.Cmd, out *standin.Server, pages int, done func() bool) bool {
	t.Helper()
	before := len(out.Log())
	Until(t, "it is read further", 5*time.Minute, func() bool { return len(out.Log())-before >= pages || done() })
	<-time.After(time.Duration(rand.IntN(50)) * time.Millisecond)
	Kill(cmd)
	return !done()
}
