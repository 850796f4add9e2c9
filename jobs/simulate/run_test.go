package simulate_test

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"testing"
	"time"

	"laurel/jobs/polite"
	"laurel/jobs/retrieval"
	"laurel/jobs/sites"
	pg "laurel/models/db"
	"laurel/models/modelstest"
	modelretrieval "laurel/models/retrieval"
)

const (
	tick    = 10 * time.Minute // How often a site's jobs are run here; between are its gaps.
	atATime = 25               // Accounts that are claimed together: their gaps end before their leases.
)

// A policy is who is retrieved when.
type policy struct {
	name string
	bulk bool // Bulk checks and streams take part.
	// Without them accounts have nothing in common, so as many are simulated as have so many
	// active people among them: who happens to be drawn decides less, the more they are.
	active int
}

// bulkSample is one in how many accounts of sites with bulk checks is simulated: what a
// stream takes stays as it is, and questions about many are still full.
func bulkSample() int { return max(1, number("LAUREL_SIMULATE_BULK", 1)) }

var policies = []policy{
	{"seed's rule", false, number("LAUREL_SIMULATE_ACTIVE", 300)},
	{"seed's rule, bulk checks and streams", true, number("LAUREL_SIMULATE_ACTIVE", 300)},
}

// strangers is how much others submit on sites with a stream, rows a second.
var strangers = map[string]func(int64) float64{
	"atcoder": func(int64) float64 { return 40_000.0 / 86400 },
	"timus":   func(int64) float64 { return 1500.0 / 86400 },
}

// A result is what one site cost, and how late its submissions were seen.
type result struct {
	requests map[string]float64 // A day, by kind.
	lags     []float64          // Hours, sorted.
	lost     int
	round    time.Duration // The longest that asking about many at once took, at the site's gap.
}

func (r *result) perDay(kinds ...string) (sum float64) {
	for _, k := range kinds {
		sum += r.requests[k]
	}
	return sum
}

// hasBulk says whether a site tells of many accounts at once.
func hasBulk(real sites.Site) bool {
	switch real.(type) {
	case sites.Streamer, sites.BulkChecker:
		return true
	}
	return false
}

// everywhere makes a site of the world that offers what the real one does.
func everywhere(w *world, real sites.Site, bulk bool) sites.Site {
	p := plain{w}
	if !bulk {
		return p
	}
	switch s := real.(type) {
	case sites.BulkChecker:
		return checked{p, s}
	case sites.Streamer:
		return streamed{p, s.Stream(), strangers[w.info.Name], w.info.Name == "timus"}
	}
	return p
}

// simulate runs one site for settling and counted days.
func simulate(t *testing.T, real sites.Site, lives []life, p policy, days int) result {
	t.Helper()
	few := withActive(lives, p.active)
	if p.bulk && hasBulk(real) {
		few = max(1, len(lives)/bulkSample())
	}
	times := float64(len(lives)) / float64(few)
	lives = lives[:few]
	w := newWorld(real.Info(), lives)
	w.now.Store(-settling * 86400)
	db, site := modelstest.Open(t), everywhere(w, real, p.bulk)
	populate(t, db, w)
	r := &retrieval.Jobs{DB: db, Now: w.time, Log: slog.New(slog.DiscardHandler), Rule: modelretrieval.Rule{Rate: 1}, Sites: []sites.Site{site},
		Client: &polite.Client{Slots: free{}, UserAgent: "Laurel/simulation", HTTP: &http.Client{Transport: w}, Now: w.time, Rate: 1, MaxBytes: 1 << 10,
			Sleep: func(ctx context.Context, _ time.Duration) error { <-ctx.Done(); return ctx.Err() }}} // Only who renews a slot sleeps.
	counted, res := map[string]int64{}, result{requests: map[string]float64{}}
	for end := int64(days) * 86400; w.now.Load() < end; {
		if w.now.Load() < 0 {
			for k, n := range w.requests {
				counted[k] = n.Load()
			}
		}
		res.round = max(res.round, pass(t, r, w, site))
	}
	for k, n := range w.requests {
		if res.requests[k] = float64(n.Load()-counted[k]) / float64(days); k != "stream" {
			res.requests[k] *= times
		}
	}
	err := db.WithContext(t.Context()).Raw(`SELECT extract(epoch FROM first_seen_at - submitted_at) / 3600 AS lag FROM submissions WHERE submitted_at >= ? ORDER BY lag`, begin).Scan(&res.lags).Error
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lives { // Whoever submitted in the last days may not have been retrieved yet.
		res.lost += until(l.at, int64(days-settling)*86400) - until(l.at, -1)
	}
	res.lost = max(0, res.lost-len(res.lags))
	return res
}

// pass is one round of a site's jobs, and the time that it takes at the site's gap. It
// returns how much of that went into asking about many at once.
func pass(t *testing.T, r *retrieval.Jobs, w *world, site sites.Site) (bulk time.Duration) {
	t.Helper()
	ctx, asked := t.Context(), func() (n int64) {
		for _, c := range w.requests {
			n += c.Load()
		}
		return n
	}
	began, at := asked(), w.now.Load()
	forward := func() { w.now.Store(at + (asked()-began)*int64(w.info.Gap/time.Second)) }
	var err error
	switch s := site.(type) {
	case streamed:
		err = r.ReadStream(ctx, s, s)
	case checked:
		err = r.CheckInBulk(ctx, s, s)
	}
	bulk = time.Duration(asked()-began) * w.info.Gap
	for forward(); err == nil; {
		var due []modelretrieval.Due
		due, err = modelretrieval.ClaimDue(ctx, r.DB.DB, w.info.Name, pg.Lease{ID: "one", For: 5 * time.Minute}, atATime, w.time())
		for i := range due {
			if err == nil {
				err = r.Retrieve(ctx, site, &due[i], false)
				forward()
			}
		}
		if len(due) < atATime {
			break
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	w.now.Store(max(w.now.Load(), at+1, at+int64(tick/time.Second)))
	return bulk
}

// free is a slot for everybody: the gap is counted by pass.
type free struct{}

func (free) Take(context.Context, polite.SlotRequest) (bool, time.Time, error) {
	return true, time.Time{}, nil
}
func (free) Renew(context.Context, []string, string, time.Duration) error {
	return nil
}
func (free) End(context.Context, []string, string, time.Time) error { return nil }

// together runs all sites at once, for they have nothing in common.
func together(n int, run func(int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { run(i) })
	}
	wg.Wait()
}
