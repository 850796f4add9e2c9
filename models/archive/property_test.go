package archive_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gorm.io/gorm"
	"pgregory.net/rapid"

	"laurel/models/archive"
	"laurel/models/archive/shards"
	"laurel/models/modelstest"
)

// histories says how many random histories a test goes through.
func histories(t *testing.T, few int) {
	t.Helper()
	if soak() {
		few = 10_000
	}
	if err := flag.Set("rapid.checks", fmt.Sprint(few)); err != nil {
		t.Fatal(err)
	}
}

// history draws responses of a few pages about a few keys, so that they meet.
func history(rt *rapid.T, s *archive.Shard, distinct bool) []archive.Response {
	var out []archive.Response
	used, said := map[int]bool{}, map[string][]row{} // A page does not contradict itself at one instant.
	for range rapid.IntRange(1, 14).Draw(rt, "responses") {
		r := archive.Response{Source: "test", Address: rapid.SampledFrom([]string{"a", "b", "c"}).Draw(rt, "page"), Complete: map[string][]row{}}
		n := rapid.IntRange(0, 12).Draw(rt, "minute")
		if distinct {
			for used[n] {
				n++
			}
			used[n] = true
		}
		r.At = minute(n)
		of := fmt.Sprint(r.Address, n)
		var rows []row
		for range rapid.IntRange(0, 3).Draw(rt, "rows") {
			x := row{"g": rapid.SampledFrom([]string{"x", "y"}).Draw(rt, "g"), "k": rapid.IntRange(0, 2).Draw(rt, "k"), "u": nil, "d": nil}
			if u := rapid.IntRange(0, 3).Draw(rt, "u"); u > 0 {
				x["u"] = u
			}
			if d := rapid.IntRange(0, 2).Draw(rt, "d"); d > 0 {
				x["d"] = fmt.Sprint(d)
			}
			if !slices.ContainsFunc(said[of], func(y row) bool { return clash(x, y) }) {
				rows, said[of] = append(rows, x), append(said[of], x)
			}
		}
		r.Shards = map[string][]row{s.Name: rows}
		if !distinct && rapid.IntRange(0, 3).Draw(rt, "complete") == 0 {
			r.Complete[s.Name] = []row{{"g": rapid.SampledFrom([]string{"x", "y"}).Draw(rt, "scope")}}
			r.Gone = rapid.IntRange(0, 4).Draw(rt, "gone") == 0
		}
		out = append(out, r)
	}
	return out
}

// clash says whether two rows contradict each other.
func clash(x, y row) bool {
	return x["g"] == y["g"] && x["k"] == y["k"] || x["g"] == y["g"] && x["u"] != nil && x["u"] == y["u"] || x["d"] != nil && x["d"] == y["d"]
}

// expected are the rows as the fold of all responses has them.
func expected(t *testing.T, db *gorm.DB, s *archive.Shard, responses []archive.Response) []string {
	var seen []shards.Observation
	var endings []shards.Ending
	for _, r := range responses {
		o, e, err := archive.Observations(t.Context(), db, r, later)
		if err != nil {
			t.Fatal(err)
		}
		seen, endings = append(seen, o...), append(endings, e...)
	}
	spans, _ := shards.Fold(seen, endings)
	var out []string
	for _, p := range spans {
		out = append(out, text(s.Snapshot(p)))
	}
	slices.Sort(out)
	return out
}

func text(s archive.Snapshot) string {
	out, _ := json.Marshal(s)
	return strings.ReplaceAll(string(out), "2026-11-21T12:", "")
}

var errUndo = errors.New("undo")

// rowsAfter stores responses, so many at a time as they come, and undoes it.
func rowsAfter(t *testing.T, rt *rapid.T, tx *gorm.DB, s *archive.Shard, atATime int, responses []archive.Response) (out []string) {
	err := tx.Transaction(func(tx *gorm.DB) error {
		for some := range slices.Chunk(responses, atATime) {
			results, err := archive.StoreAll(t.Context(), tx, some, later)
			if err != nil {
				return err
			}
			for i, res := range results {
				if n := len(some[i].Shards[s.Name]); res.Confirmed+res.Inserted+res.Yielded != n {
					rt.Errorf("%d rows given, %+v", n, res)
				}
			}
		}
		rows, err := archive.History(t.Context(), tx, s, archive.Query{})
		if err != nil {
			return err
		}
		for _, r := range rows {
			out = append(out, text(r))
		}
		findings, err := archive.CheckShard(tx, s)
		if err != nil {
			return err
		}
		for _, f := range findings {
			rt.Errorf("check: %+v", f)
		}
		return errUndo
	})
	if !errors.Is(err, errUndo) {
		rt.Fatal(err)
	}
	slices.Sort(out)
	return out
}

func propertyShard(t *testing.T, tx *gorm.DB) *archive.Shard {
	return declareShard(t, tx, shards.Declaration{Name: "p", Key: fields("g text, k integer"), Data: fields("u integer, d text"),
		Unique: [][]string{{"g", "u"}, {"d"}}, Scope: []string{"g"}})
}

func mustBe(rt *rapid.T, what string, got, want []string) {
	if !slices.Equal(got, want) {
		rt.Fatalf("%s:\n%s\nwant:\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// In order, in any other order and with everything twice, the rows are the fold.
func TestAnyOrderGivesTheFold(t *testing.T) {
	histories(t, 30)
	tx := modelstest.Tx(t)
	s := propertyShard(t, tx)
	rapid.Check(t, func(rt *rapid.T) {
		responses := history(rt, s, false)
		want := expected(t, tx, s, responses)
		inOrder := slices.Clone(responses)
		slices.SortStableFunc(inOrder, func(a, b archive.Response) int { return a.At.Compare(b.At) })
		mustBe(rt, "in order", rowsAfter(t, rt, tx, s, 1, inOrder), want)
		mustBe(rt, "as drawn, and again", rowsAfter(t, rt, tx, s, 1, append(slices.Clone(responses), responses...)), want)
		n := rapid.IntRange(2, 12).Draw(rt, "at a time")
		mustBe(rt, "some at a time, and again", rowsAfter(t, rt, tx, s, n, append(slices.Clone(responses), responses...)), want)
		seed := rapid.Uint64().Draw(rt, "shuffle")
		r := rand.New(rand.NewPCG(seed, 1))
		r.Shuffle(len(responses), func(i, j int) { responses[i], responses[j] = responses[j], responses[i] })
		mustBe(rt, "shuffled", rowsAfter(t, rt, tx, s, 1, responses), want)
	})
}

// A response of many rows and as many responses of one row each are the same.
func TestSetBasedIsOneByOne(t *testing.T) {
	histories(t, 20)
	tx := modelstest.Tx(t)
	s := propertyShard(t, tx)
	rapid.Check(t, func(rt *rapid.T) {
		responses := history(rt, s, true)
		slices.SortFunc(responses, func(a, b archive.Response) int { return a.At.Compare(b.At) })
		want := expected(t, tx, s, responses)
		mustBe(rt, "set-based", rowsAfter(t, rt, tx, s, 1, responses), want)
		var single []archive.Response
		for _, r := range responses {
			for i, x := range r.Shards[s.Name] {
				one := r
				one.Address, one.Shards = fmt.Sprint(r.Address, i), map[string][]row{s.Name: {x}}
				single = append(single, one)
			}
		}
		mustBe(rt, "one by one", rowsAfter(t, rt, tx, s, 1, single), want)
	})
}
