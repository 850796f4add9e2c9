package bench_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"gorm.io/gorm"

	"laurel/jobs/bench"
	"laurel/models/archive"
	"laurel/models/archive/shards"
	"laurel/models/modelstest"
)

// A checkWorld is an archive with so many declared shards, of which ten are fed.
type checkWorld struct {
	b      *testing.B
	db     *gorm.DB
	clock  time.Time
	newest int64
}

const fedShards, newResponses = 10, 1000

func newCheckWorld(b *testing.B, n int) *checkWorld {
	w := &checkWorld{b: b, db: modelstest.Open(b).DB, clock: modelstest.Noon}
	f := func(name string) shards.Field { return shards.Field{Name: name, Type: shards.Integer} }
	for i := range n {
		d := shards.Declaration{Name: fmt.Sprint("bench", i), Key: []shards.Field{f("player")}, Data: []shards.Field{f("place"), f("score")},
			Unique: [][]string{{"place"}}}
		s, err := archive.Declare(b.Context(), w.db, d, w.clock)
		if err != nil {
			b.Fatal(err)
		}
		w.store(s.Name, 1)
	}
	if _, err := w.check(0); err != nil {
		b.Fatal(err)
	}
	return w
}

// store stores so many responses of one shard, each of five rows, one of which changes.
func (w *checkWorld) store(shard string, n int) {
	rs := make([]archive.Response, n)
	for i := range rs {
		w.clock = w.clock.Add(time.Second)
		rows := make([]shards.Row, 5)
		for k := range rows {
			rows[k] = shards.Row{"player": int64(k), "place": int64(k), "score": int64(0)}
		}
		rows[0]["score"] = w.clock.Unix()
		rs[i] = archive.Response{Source: "bench", Address: shard, At: w.clock, Shards: map[string][]shards.Row{shard: rows}}
	}
	if _, err := archive.StoreAll(w.b.Context(), w.db, rs, w.clock); err != nil {
		w.b.Fatal(err)
	}
}

func (w *checkWorld) check(since int64) (time.Duration, error) {
	start := time.Now()
	found, err := archive.CheckParts(w.b.Context(), w.db, archive.Part{Since: since})
	took := time.Since(start)
	if found.Total > 0 {
		w.b.Fatalf("findings: %+v", found.Findings[0])
	}
	w.newest = found.Newest
	return took, err
}

// news is how long it takes to check a thousand new responses.
func (w *checkWorld) news() time.Duration {
	for i := range fedShards {
		w.store(fmt.Sprint("bench", i), newResponses/fedShards)
	}
	took, err := w.check(w.newest)
	if err != nil {
		w.b.Fatal(err)
	}
	return took
}

// BenchmarkArchiveCheck prints what it costs to check what is new where there are many shards, against few.
func BenchmarkArchiveCheck(b *testing.B) {
	if os.Getenv("LAUREL_BENCH") == "" {
		b.Skip("make bench")
	}
	many, few := newCheckWorld(b, 300), newCheckWorld(b, 20)
	var pairs []pair
	for range passes {
		pairs = append(pairs, pair{many.news(), few.news()})
	}
	p := middle(pairs)
	bench.Ratio("archive, check of 1000 new responses with 300 declared shards", ms(p.first), ms(p.second), "ms", "with 20")
}
