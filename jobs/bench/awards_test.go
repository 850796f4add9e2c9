package bench_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"gorm.io/gorm"

	"laurel/jobs/bench"
	"laurel/models/awards"
	"laurel/models/awards/rules"
	"laurel/models/events"
	"laurel/models/modelstest"
)

const (
	awardMembers = 20_000
	awardEvents  = 100_000
)

// applyAwards are two objectives of one award, as the measurements of the notes had.
const applyAwards = `{"slug":"bench","title":"Bench","objectives":[
	{"id":"photos","filters":[{"name":"SourceFilter","config":{"sources":["photo"]}}],"rule":{"name":"CountRule"}},
	{"id":"places","filters":[{"name":"TypeFilter","config":{"types":["photo"]}}],"rule":{"name":"UniqueByObjectRule"}}],
	"strategy":{"goal":100,"strategy":[{"objective_id":"photos"},{"objective_id":"places"}]}}`

// BenchmarkAwardsApply prints how many events a core appends and applies a
// second, with all that comes of them (ledger, cells, counters, log, queue and
// position), against GORM row by row with the same effects.
func BenchmarkAwardsApply(b *testing.B) {
	if os.Getenv("LAUREL_BENCH") == "" {
		b.Skip("make bench")
	}
	db, now := modelstest.DB(b), modelstest.Noon
	ok(b, db.Exec(`INSERT INTO members (name, display_name, created_at) SELECT 'm' || n, '', @now FROM generate_series(1, @n) n`, map[string]any{"n": awardMembers, "now": now}).Error)
	runAward(b, db, applyAwards, now)
	list := photoEvents(awardEvents)
	perCore := func(n int, work func() bool) float64 {
		clock := newCoreClock(b, db)
		for work() {
		}
		return float64(n) / clock.lap() / 1000
	}
	sent := 0
	appended := perCore(len(list), func() bool {
		_, err := events.Append(b.Context(), db, list[sent:sent+batch], now)
		ok(b, err)
		sent += batch
		return sent < len(list)
	})
	scheme, left := new(awards.Ruleset), len(list)
	list = slices.Clone(list[:rowEvents]) // The others would only be collected around.
	applied := perCore(awardEvents, func() bool {
		n, err := awards.Apply(b.Context(), db, scheme, batch, now)
		ok(b, err)
		left -= n
		return left > 0
	})
	granted := 0
	clock := newCoreClock(b, db)
	for n := 1; n > 0; granted += n {
		var err error
		n, err = awards.Evaluate(b.Context(), db, scheme, batch, now)
		ok(b, err)
	}
	queue := float64(granted) / clock.lap() / 1000
	rows := newRowByRow(b, db)
	byRow := perCore(rowEvents, func() bool { return rows.next(list) })
	setting := fmt.Sprintf("%d events, %d members, 2 objectives, batches of %d", awardEvents, awardMembers, batch)
	bench.Ratio("events appended, against 30,000 a core-second", appended, 30, "k/core-s", setting)
	bench.Ratio("events applied, against 30,000 a core-second", applied, 30, "k/core-s", setting)
	bench.Ratio("events applied, against GORM row by row", applied, byRow, "k/core-s", setting)
	bench.Ratio("awards reckoned, against the seed's 1,000 a minute", queue, 1.0/60, "k/core-s", setting)
}

// A coreClock tells the processor time of this process and of its backends.
type coreClock struct {
	b   *testing.B
	db  *gorm.DB
	sum float64
}

func newCoreClock(b *testing.B, db *gorm.DB) *coreClock {
	c := &coreClock{b: b, db: db}
	c.lap()
	return c
}

// lap returns the seconds since the last one.
func (c *coreClock) lap() float64 {
	c.b.Helper()
	var pids []int
	ok(c.b, c.db.Raw(`SELECT pid FROM pg_stat_activity WHERE datname = current_database()`).Scan(&pids).Error)
	sum := (bench.CPU() + bench.BackendCPU(pids)).Seconds()
	lap := sum - c.sum
	c.sum = sum
	return lap
}

func ok(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func runAward(b *testing.B, db *gorm.DB, doc string, now time.Time) {
	b.Helper()
	a, mistakes := rules.Parse([]byte(doc))
	if len(mistakes) > 0 {
		b.Fatal(mistakes)
	}
	_, err := awards.Save(b.Context(), db, a, awards.Edit{Author: "bench", Basis: -1}, now)
	ok(b, err)
	ok(b, awards.Activate(b.Context(), db, a.Slug, 0, now))
	for scheme := new(awards.Ruleset); ; {
		worked, err := awards.RecountPending(b.Context(), db, scheme, batch, now)
		ok(b, err)
		if !worked {
			return
		}
	}
}

// photoEvents are changes of statuses of photos, shuffled, with 5 % sent twice.
func photoEvents(n int) []rules.Event {
	r := rand.New(rand.NewPCG(1, 2))
	statuses := []string{"moderation", "active", "active", "blocked"}
	events := make([]rules.Event, 0, n)
	for i := 0; len(events) < n; i++ {
		item := fmt.Sprint("p", r.IntN(n/2))
		e := rules.Event{Source: "photo", ID: fmt.Sprint(i), Item: item, Seq: int64(i), Member: fmt.Sprint("m", 1+hashOf(item)%awardMembers), Type: "photo",
			Object: fmt.Sprint("place ", r.IntN(5000)), Status: statuses[r.IntN(len(statuses))], At: modelstest.Noon}
		events = append(events, e)
		if len(events) < n && r.IntN(20) == 0 {
			e.ID += " again"
			events = append(events, e)
		}
	}
	r.Shuffle(len(events), func(i, j int) { events[i], events[j] = events[j], events[i] })
	return events
}

func hashOf(s string) int {
	h := 0
	for _, c := range s {
		h = h*31 + int(c)
	}
	return max(h, -h)
}
