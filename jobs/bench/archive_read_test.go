package bench_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"laurel/jobs/bench"
	"laurel/models/archive"
	"laurel/models/archive/shards"
	"laurel/models/modelstest"
)

const (
	boards    = 50
	places    = 100
	followed  = 800 // Accounts, each with six shards.
	histories = 100
)

var profileShards = []string{"account_rating", "account_rank", "account_counts", "account_name", "account_place", "account_title"}

// BenchmarkArchiveReads prints what the state at an instant costs with a history
// of 100 versions of everything, against one version: of one key, of a ranking of
// 100 places from its stored list and from its rows, and of a whole profile.
func BenchmarkArchiveReads(b *testing.B) {
	if os.Getenv("LAUREL_BENCH") == "" {
		b.Skip("make bench")
	}
	w := &archiveWorld{b: b, db: modelstest.Open(b).DB, clock: modelstest.Noon}
	w.version(1)
	start := w.clock
	short := w.reads(start)
	for v := 2; v <= histories; v++ {
		w.version(v)
	}
	long := w.reads(start)
	for _, what := range []string{"one key", "a ranking from its list", "a ranking from its rows", "a whole profile"} {
		bench.Ratio("archive, state at T: "+what, long[what], short[what], "ms", "100 versions of each of 980,000 rows, against 1")
	}
}

// version writes one more version of everything.
func (w *archiveWorld) version(v int) {
	for board := range boards {
		name, r := fmt.Sprint("board ", board), archive.Response{Source: "bench", Address: fmt.Sprint("ladder ", board), At: w.tick(), Shards: map[string][]shards.Row{}}
		var items []any
		for p := range places {
			player := fmt.Sprint("player ", (p+v)%places)
			r.Shards["ladder"] = append(r.Shards["ladder"], shards.Row{"ladder": name, "player": player, "rank": p + 1, "score": v})
			items = append(items, map[string]any{"player": player, "rank": p + 1, "score": v})
		}
		list, err := archive.PutList(w.b.Context(), w.db, items, places)
		w.ok(err)
		r.Shards["ladder_list"] = []shards.Row{{"ladder": name, "list": list.ID, "size": places}}
		r.Complete = map[string][]shards.Row{"ladder": {{"ladder": name}}}
		_, err = archive.Store(w.b.Context(), w.db, r, w.clock)
		w.ok(err)
	}
	r := archive.Response{Source: "bench", Address: "accounts", At: w.tick(), Shards: map[string][]shards.Row{}}
	for i := range followed {
		for _, name := range profileShards {
			s, err := archive.Lookup(w.b.Context(), w.db, name)
			w.ok(err)
			row := shards.Row{"site": "bench", "handle": fmt.Sprint("handle ", i)}
			for _, f := range s.Data {
				row[f.Name] = v
				if f.Type == shards.Text {
					row[f.Name] = fmt.Sprint("version ", v)
				}
			}
			r.Shards[name] = append(r.Shards[name], row)
		}
	}
	_, err := archive.Store(w.b.Context(), w.db, r, w.clock)
	w.ok(err)
}

// reads measures the reads at random instants of the history.
func (w *archiveWorld) reads(start time.Time) map[string]float64 {
	w.ok(w.db.Exec("VACUUM ANALYZE").Error)
	r := rand.New(rand.NewPCG(1, 1))
	took := map[string][]time.Duration{}
	at := func(name string, key shards.Row, t time.Time, want int) []archive.Snapshot {
		s, err := archive.Lookup(w.b.Context(), w.db, name)
		w.ok(err)
		rows, err := archive.At(w.b.Context(), w.db, s, archive.Query{Key: key}, t)
		w.ok(err)
		if len(rows) != want {
			w.b.Fatalf("%d rows of %s %v at %s, want %d", len(rows), name, key, t, want)
		}
		return rows
	}
	measure := func(what string, f func()) {
		begin := time.Now()
		f()
		took[what] = append(took[what], time.Since(begin))
	}
	for range 200 {
		t := start.Add(time.Duration(r.Int64N(int64(w.clock.Sub(start)) + 1)))
		board, handle := fmt.Sprint("board ", r.IntN(boards)), fmt.Sprint("handle ", r.IntN(followed))
		measure("one key", func() { at("account_rating", shards.Row{"site": "bench", "handle": handle}, t, 1) })
		measure("a ranking from its list", func() {
			list, err := archive.ListByID(w.b.Context(), w.db, at("ladder_list", shards.Row{"ladder": board}, t, 1)[0].Data["list"].(string))
			w.ok(err)
			if len(list.Items) != places {
				w.b.Fatalf("%d items", len(list.Items))
			}
		})
		measure("a ranking from its rows", func() { at("ladder", shards.Row{"ladder": board}, t, places) })
		measure("a whole profile", func() {
			for _, name := range profileShards {
				at(name, shards.Row{"site": "bench", "handle": handle}, t, 1)
			}
		})
	}
	out := map[string]float64{}
	for what, d := range took {
		out[what] = median(d)
	}
	return out
}
