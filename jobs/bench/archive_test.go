package bench_test

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"gorm.io/gorm"

	"laurel/jobs/bench"
	"laurel/models/archive"
	"laurel/models/archive/shards"
	"laurel/models/modelstest"
)

const (
	archiveKeys = 5000
	batch       = 1000
	passes      = 15
)

// keyed is one kind of shard that is measured, and its floor: a table that
// keeps only the newest state, by INSERT ... ON CONFLICT DO UPDATE.
type keyed struct {
	name  string
	shard shards.Declaration
	floor string
}

func kinds() []keyed {
	f := func(name string) shards.Field { return shards.Field{Name: name, Type: shards.Integer} }
	one := shards.Declaration{Name: "bench_one", Key: []shards.Field{f("player")}, Data: []shards.Field{f("place"), f("score")}}
	two := shards.Declaration{Name: "bench_two", Key: []shards.Field{f("player")}, Data: []shards.Field{f("place"), f("score")}, Unique: [][]string{{"place"}}}
	return []keyed{
		{"one key", one, `CREATE TABLE floor (player bigint PRIMARY KEY, place bigint, score bigint, seen_at timestamptz)`},
		{"two keys", two, `CREATE TABLE floor (player bigint PRIMARY KEY, place bigint UNIQUE, score bigint, seen_at timestamptz)`},
	}
}

// world keeps the state that both are given.
type archiveWorld struct {
	b     *testing.B
	db    *gorm.DB
	kind  keyed
	score []int64
	clock time.Time
}

func (w *archiveWorld) tick() time.Time {
	w.clock = w.clock.Add(time.Second)
	return w.clock
}

func (w *archiveWorld) ok(err error) {
	w.b.Helper()
	if err != nil {
		w.b.Fatal(err)
	}
}

// rows are the players of a batch. Each holds the place of its number.
func (w *archiveWorld) rows(n int) []shards.Row {
	var out []shards.Row
	for i := n * batch; i < (n+1)*batch; i++ {
		out = append(out, shards.Row{"player": int64(i), "place": int64(i), "score": w.score[i]})
	}
	return out
}

// store gives a batch to the archive: as the page that always shows it, or as one
// that showed another batch before, where nothing is to be gained from that.
func (w *archiveWorld) store(n int, mixed bool, want func(archive.Result) bool) time.Duration {
	w.b.Helper()
	page := fmt.Sprint("page ", n)
	if mixed {
		page = "mixed page"
	}
	rows := w.rows(n)
	start := time.Now()
	res, err := archive.Store(w.b.Context(), w.db, archive.Response{Source: "bench", Address: page, At: w.tick(), Shards: map[string][]shards.Row{w.kind.shard.Name: rows}}, w.clock)
	took := time.Since(start)
	w.ok(err)
	if !want(res) {
		w.b.Fatalf("unexpected result %+v", res)
	}
	return took
}

// floor gives the same batch to the floor.
func (w *archiveWorld) floor(n int) time.Duration {
	players, places, scores := make([]int64, batch), make([]int64, batch), make([]int64, batch)
	for i := range players {
		k := n*batch + i
		players[i], places[i], scores[i] = int64(k), int64(k), w.score[k]
	}
	start := time.Now()
	err := w.db.Exec(`
		INSERT INTO floor SELECT *, @now FROM unnest(CAST(@a AS bigint[]), CAST(@b AS bigint[]), CAST(@c AS bigint[]))
		ON CONFLICT (player) DO UPDATE SET place = EXCLUDED.place, score = EXCLUDED.score, seen_at = EXCLUDED.seen_at`,
		map[string]any{"now": w.tick(), "a": &players, "b": &places, "c": &scores}).Error
	took := time.Since(start)
	w.ok(err)
	return took
}

func (w *archiveWorld) change(n int) {
	for i := n * batch; i < (n+1)*batch; i++ {
		w.score[i]++
	}
}

func (w *archiveWorld) vacuum() {
	for _, table := range []string{"shard_" + w.kind.shard.Name, "shard__past_" + w.kind.shard.Name, "floor", "archive_retrievals", "archive_pages"} {
		w.ok(w.db.Exec("VACUUM ANALYZE " + table).Error)
	}
}

func median(d []time.Duration) float64 {
	slices.Sort(d)
	return d[len(d)/2].Seconds() * 1000
}

// BenchmarkArchive prints what it costs to keep all that was ever seen: against
// keeping only the newest state, and against a row at a time in the shape of the
// document that the archive was designed after.
func BenchmarkArchive(b *testing.B) {
	if os.Getenv("LAUREL_BENCH") == "" {
		b.Skip("make bench")
	}
	for _, kind := range kinds() {
		w := &archiveWorld{b: b, db: modelstest.Open(b).DB, kind: kind, score: make([]int64, archiveKeys), clock: modelstest.Noon}
		_, err := archive.Declare(b.Context(), w.db, kind.shard, w.clock)
		w.ok(err)
		w.ok(w.db.Exec(kind.floor).Error)
		for n := range archiveKeys / batch {
			w.store(n, false, func(r archive.Result) bool { return r.Inserted == batch })
			w.floor(n)
		}
		w.measure("1 version")
		for v := 1; v < 100; v++ {
			for n := range archiveKeys / batch {
				w.change(n)
				w.store(n, false, func(r archive.Result) bool { return r.Inserted == batch })
			}
		}
		w.measure("100 versions")
		w.againstSeed()
		found, err := archive.Check(b.Context(), w.db)
		w.ok(err)
		if found.Total > 0 {
			b.Errorf("findings: %+v", found.Findings[0])
		}
	}
}

// measure gives each batch to the archive and right after it to the floor, so
// that both meet the machine in the same state.
func (w *archiveWorld) measure(versions string) {
	w.vacuum()
	pairs := map[string][]pair{}
	run := func(what string, store func(int) time.Duration) {
		for n := range archiveKeys / batch {
			pairs[what] = append(pairs[what], pair{store(n), w.floor(n)})
		}
	}
	all := func(r archive.Result) bool { return r.Confirmed == batch }
	for range passes {
		run("unchanged rows", func(n int) time.Duration { return w.store(n, true, all) })
		for n := range archiveKeys / batch {
			w.store(n, false, all) // From here on its page shows what it showed before.
		}
		run("unchanged page", func(n int) time.Duration {
			return w.store(n, false, func(r archive.Result) bool { return r.Unchanged })
		})
		for n := range archiveKeys / batch {
			w.change(n)
		}
		run("changed rows", func(n int) time.Duration {
			return w.store(n, true, func(r archive.Result) bool { return r.Inserted == batch && r.Ended == batch })
		})
	}
	for _, what := range []string{"unchanged rows", "changed rows", "unchanged page"} {
		p := middle(pairs[what])
		bench.Ratio(fmt.Sprintf("archive, %s, %s: %s", w.kind.name, versions, what), ms(p.first), ms(p.second), "ms", "INSERT ... ON CONFLICT DO UPDATE, 1000 rows")
	}
}

// A pair is how long the same rows took both.
type pair struct{ first, second time.Duration }

// middle is the pair whose ratio is the median of all ratios.
func middle(pairs []pair) pair {
	slices.SortFunc(pairs, func(a, b pair) int { return cmp.Compare(a.ratio(), b.ratio()) })
	return pairs[len(pairs)/2]
}

func (p pair) ratio() float64 { return p.first.Seconds() / p.second.Seconds() }

func ms(d time.Duration) float64 { return d.Seconds() * 1000 }
