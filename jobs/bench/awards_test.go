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
	"laurel/models"
	"laurel/models/awards"
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

func BenchmarkAwardsApply(b *testing.B) {
	if os.Getenv("LAUREL_BENCH") == "" {
		b.Skip("make bench")
	}
	db := modelstest.DB(b)
	now := modelstest.Noon
	ok(b, db.Exec(`INSERT INTO members (name, display_name, created_at) SELECT 'm' || n, '', @now FROM generate_series(1, @n) n`, map[string]any{"n": awardMembers, "now": now}).Error)
	runAward(b, db, applyAwards, now)
	events := photoEvents(awardEvents)
	clock := newCoreClock(b, db)
	for lot := range slices.Chunk(events, batch) {
		_, err := models.AppendEvents(b.Context(), db, lot, now)
		ok(b, err)
	}
	fmt.Printf("append: %.0f events per core-second\n", float64(len(events))/clock.lap())
	scheme := new(models.Scheme)
	done := 0
	for done < awardEvents {
		n, err := models.ApplyEvents(b.Context(), db, scheme, batch, now)
		ok(b, err)
		done += n
	}
	fmt.Printf("apply: %.0f events per core-second (%.0f own)\n", float64(len(events))/clock.lap(), float64(len(events))/clock.own)
	n := 0
	for {
		took, err := models.GrantAwards(b.Context(), db, scheme, batch, now)
		ok(b, err)
		if took == 0 {
			break
		}
		n += took
	}
	fmt.Printf("grant: %.0f of the queue per core-second\n", float64(n)/clock.lap())
}

// A coreClock tells the processor time of this process and of its backends.
type coreClock struct {
	b         *testing.B
	db        *gorm.DB
	self, own float64
	sum       float64
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
	self := bench.CPU().Seconds()
	sum := self + bench.BackendCPU(pids).Seconds()
	lap := sum - c.sum
	c.own = self - c.self
	c.self, c.sum = self, sum
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
	a, mistakes := awards.Parse([]byte(doc))
	if len(mistakes) > 0 {
		b.Fatal(mistakes)
	}
	_, err := models.SaveAward(b.Context(), db, a, "bench", "", -1, now)
	ok(b, err)
	ok(b, models.ActivateAward(b.Context(), db, a.Slug, 0, now))
	for scheme := new(models.Scheme); ; {
		worked, err := models.RecountAwards(b.Context(), db, scheme, batch, now)
		ok(b, err)
		if !worked {
			return
		}
	}
}

// photoEvents are changes of statuses of photos, shuffled, with 5 % sent twice.
func photoEvents(n int) []awards.Event {
	r := rand.New(rand.NewPCG(1, 2))
	statuses := []string{"moderation", "active", "active", "blocked"}
	events := make([]awards.Event, 0, n)
	for i := 0; len(events) < n; i++ {
		item := fmt.Sprint("p", r.IntN(n/2))
		e := awards.Event{Source: "photo", ID: fmt.Sprint(i), Item: item, Seq: int64(i), Member: fmt.Sprint("m", 1+hashOf(item)%awardMembers), Type: "photo",
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
