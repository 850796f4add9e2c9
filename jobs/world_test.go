package jobs_test

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"laurel/jobs"
	"laurel/jobs/networks"
	"laurel/jobs/polite"
	"laurel/jobs/sites"
	"laurel/jobs/standin"
	"laurel/models"
	"laurel/models/modelstest"
)

// A world is a runner whose outside is a stand-in over real HTTP.
type world struct {
	*jobs.Runner
	out   *standin.Server
	clock *clock
}

// A clock that a test moves; real time passes on it, too, or gaps would never end.
type clock struct {
	mu    sync.Mutex
	shift time.Duration
	start time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return modelstest.Noon.Add(time.Since(c.start) + c.shift).Truncate(time.Microsecond)
}

// outside is the stand-in's time, which only a test moves: what it has must not
// change while it is read.
func (c *clock) outside() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return modelstest.Noon.Add(c.shift)
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shift += d
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func newWorld(t testing.TB, o standin.Options) *world {
	t.Helper()
	c := &clock{start: time.Now()}
	o.Now = c.outside
	out := standin.New(o)
	srv := httptest.NewServer(out)
	t.Cleanup(srv.Close)
	t.Cleanup(out.Close)
	return &world{newRunner(modelstest.Open(t), c, srv.URL), out, c}
}

// newRunner returns a runner that finds every site at address, in a hurry.
func newRunner(db *models.DB, c *clock, address string) *jobs.Runner {
	u, err := url.Parse(address)
	if err != nil {
		panic(err)
	}
	mirrors := map[string]*url.URL{}
	for _, s := range sites.All() {
		mirrors[s.Info().Name] = u
	}
	for _, n := range networks.All() {
		mirrors[n.Info().Name] = u
	}
	const rate = 1000
	client := polite.Guarded([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")})
	client.Timeout = time.Minute // A machine that is busy answers late; who tests timeouts sets its own.
	return &jobs.Runner{
		DB: db, Now: c.now, Log: slog.New(slog.DiscardHandler), Sites: sites.All(), Rule: models.Rule{Divisor: 5, Rate: 1}, // Pauses pass on the clock alone.
		Client: &polite.Client{Turns: jobs.Turns{DB: db, Now: c.now}, UserAgent: "Laurel/test", HTTP: client, Now: c.now, Sleep: sleep,
			Rate: rate, Mirrors: mirrors, MaxBytes: 8 << 20},
	}
}

// round looks at everything that is asked for or due. Sites on which nobody is are
// passed over: that nothing is found there takes longer than all the rest.
func (w *world) round(t testing.TB) {
	t.Helper()
	var inhabited []string
	if err := w.DB.WithContext(t.Context()).Raw(`SELECT DISTINCT site FROM accounts`).Scan(&inhabited).Error; err != nil {
		t.Fatal(err)
	}
	for _, s := range w.Sites {
		if !slices.Contains(inhabited, s.Info().Name) {
			continue
		}
		if err := w.RetrieveAsked(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		if err := w.RetrieveDue(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
}

// account reads a member's account on a site.
func (w *world) account(t testing.TB, memberID int64, site string) models.Account {
	t.Helper()
	all, err := models.AccountsOf(t.Context(), w.DB.DB, memberID)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		if a.Site == site {
			return a
		}
	}
	t.Fatalf("member %d has no account on %s", memberID, site)
	return models.Account{}
}

// stored returns what is stored of a member on a site, by the site's id.
func (w *world) stored(t testing.TB, memberID int64, site string) map[string]models.Submission {
	t.Helper()
	page, err := models.SubmissionsOf(t.Context(), w.DB.DB, models.SubmissionFilter{MemberID: memberID, Site: site}, models.Cursor{}, false, 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]models.Submission{}
	for _, s := range page.Items {
		rows[s.SiteID] = s
	}
	return rows
}
