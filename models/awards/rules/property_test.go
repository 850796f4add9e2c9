package rules

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// everyRule is an award with one objective per rule.
func everyRule(t testing.TB) Award {
	return mustParse(t, []byte(`{"slug":"all","title":"All","objectives":[
		{"id":"count","rule":{"name":"CountRule"}},
		{"id":"unique","rule":{"name":"UniqueByObjectRule"}},
		{"id":"sum","rule":{"name":"SumRule","config":{"fact":"metres"}}},
		{"id":"capped","rule":{"name":"SumRule","config":{"fact":"metres","max_per_day":3}}},
		{"id":"max","rule":{"name":"MaxRule","config":{"fact":"metres"}}},
		{"id":"days","rule":{"name":"ConsecutiveDaysRule"}}],
		"strategy":{"goal":100,"strategy":[{"objective_id":"count"},{"operation":"max","strategy":[{"objective_id":"unique"},{"objective_id":"sum","normalization_factor":0.3}]},
		{"operation":"min","strategy":[{"objective_id":"capped"},{"objective_id":"max"}]},{"objective_id":"days"}]}}`))
}

// histories gives every item a few states; each with its number.
func histories(t *rapid.T) []Event {
	var events []Event
	for item := range rapid.IntRange(1, 8).Draw(t, "items") {
		for seq := range rapid.IntRange(1, 4).Draw(t, "states") {
			events = append(events, Event{
				Source: "s", ID: fmt.Sprint(item, "/", seq), Item: fmt.Sprint(item), Seq: int64(seq + 1), Type: "t",
				Member: rapid.SampledFrom([]string{"ada", "bob"}).Draw(t, "member"),
				Status: rapid.SampledFrom([]string{"active", "active", "moderation", "blocked", "deleted"}).Draw(t, "status"),
				Object: rapid.SampledFrom([]string{"", "x", "y", "z"}).Draw(t, "object"),
				At:     noon.AddDate(0, 0, rapid.IntRange(0, 5).Draw(t, "day")),
				Facts:  Facts{"metres": Amount(rapid.Int64Range(-10, 9_000_000).Draw(t, "metres"))},
			})
		}
	}
	return events
}

func (l *ledger) all() map[string]map[string]Amount {
	all := map[string]map[string]Amount{}
	for _, member := range []string{"ada", "bob"} {
		for _, o := range l.award.Objectives {
			all[member+" "+o.ID] = l.counters(member, o.ID)
		}
	}
	return all
}

func equal(a, b map[string]map[string]Amount) bool {
	return maps.EqualFunc(a, b, func(x, y map[string]Amount) bool { return maps.Equal(x, y) })
}

// Shuffled, doubled: the counters are those of each item's last state alone.
func TestOrderOfArrivalDoesNotMatter(t *testing.T) {
	award := everyRule(t)
	rapid.Check(t, func(rt *rapid.T) {
		events := histories(rt)
		last := map[string]Event{}
		for _, e := range events {
			if e.Seq > last[e.Item].Seq {
				last[e.Item] = e
			}
		}
		want := newLedger(t, award)
		want.apply(slices.Collect(maps.Values(last))...)

		got := newLedger(t, award)
		got.apply(rapid.Permutation(append(slices.Clone(events), events...)).Draw(rt, "order")...)
		if !equal(got.all(), want.all()) {
			rt.Fatalf("counters %v, want %v", got.all(), want.all())
		}
	})
}

func TestTakingBackLeavesNothing(t *testing.T) {
	award := everyRule(t)
	rapid.Check(t, func(rt *rapid.T) {
		for i := range award.Objectives {
			o, tally := &award.Objectives[i], Cells{}
			var there []Contribution
			for _, e := range histories(rt) {
				there = append(there, o.Contribution(&e))
				if err := tally.Move(Contribution{}, there[len(there)-1]); err != nil {
					rt.Fatal(err)
				}
			}
			for _, c := range rapid.Permutation(there).Draw(rt, "order") {
				if err := tally.Move(c, Contribution{}); err != nil {
					rt.Fatal(err)
				}
			}
			if len(tally) > 0 {
				rt.Fatalf("%s: %v is left", o.ID, tally)
			}
		}
	})
}

// One more active item never makes a counter or the progress fall, and an award
// that is not reached always says what is missing.
func TestMoreIsNeverLess(t *testing.T) {
	award := everyRule(t)
	rapid.Check(t, func(rt *rapid.T) {
		cells, counters := make([]Cells, len(award.Objectives)), map[string]Amount{}
		before := award.Progress(counters)
		for _, e := range histories(rt) {
			e.Status = Active
			for i := range award.Objectives {
				o := &award.Objectives[i]
				if cells[i] == nil {
					cells[i] = Cells{}
				}
				if err := cells[i].Move(Contribution{}, o.Contribution(&e)); err != nil {
					rt.Fatal(err)
				}
				now := o.Counters(cells[i])[Active]
				if now < counters[o.ID] {
					rt.Fatalf("%s fell from %s to %s", o.ID, counters[o.ID], now)
				}
				counters[o.ID] = now
			}
			p := award.Progress(counters)
			if p.Value.Cmp(before.Value.Rat) < 0 || p.Reached == (len(award.Missing(counters)) > 0) {
				rt.Fatalf("%s after %s, reached %t, missing %v", p.Value, before.Value, p.Reached, award.Missing(counters))
			}
			before = p
		}
	})
}

// What Missing calls enough is enough, and one step less is not.
func TestWhatIsMissingIsExact(t *testing.T) {
	award := mustParse(t, document(seedStrategy))
	rapid.Check(t, func(rt *rapid.T) {
		counters := map[string]Amount{
			"photo": Units(rapid.Int64Range(0, 7).Draw(rt, "photo")), "reviews": Units(rapid.Int64Range(0, 7).Draw(rt, "reviews")),
			"navi": Amount(rapid.Int64Range(0, 12_000_000_000).Draw(rt, "navi")),
		}
		for _, m := range award.Missing(counters) {
			step := unit
			if m.Objective == "navi" {
				step = 1
			}
			then := maps.Clone(counters)
			then[m.Objective] += m.More
			enough := award.Progress(then)
			then[m.Objective] -= step
			if less := award.Progress(then); enough.Reached != m.Enough || less.Value.Cmp(enough.Value.Rat) >= 0 {
				rt.Fatalf("%v: %s: %s then, %s with one step less", counters, m, enough.Value, less.Value)
			}
		}
	})
}

func TestCrossedIsTheFirstTime(t *testing.T) {
	award := one(t, uniqueParts, "2")
	rapid.Check(t, func(rt *rapid.T) {
		var items []Counted
		for range rapid.IntRange(0, 8).Draw(rt, "n") {
			object := rapid.SampledFrom([]string{"x", "y", "z"}).Draw(rt, "object")
			at := noon.Add(time.Duration(rapid.IntRange(0, 20).Draw(rt, "at")) * time.Hour)
			items = append(items, Counted{at, "done", Contribution{Active, object, unit}})
		}
		var want time.Time
		for h := range 21 { // By looking at every hour.
			seen := map[string]bool{}
			for _, i := range items {
				if !i.At.After(noon.Add(time.Duration(h) * time.Hour)) {
					seen[i.Contribution.Key] = true
				}
			}
			if len(seen) >= 2 {
				want = noon.Add(time.Duration(h) * time.Hour)
				break
			}
		}
		if got, ok := award.Crossed(1, items); !got.Equal(want) || ok == want.IsZero() {
			rt.Fatalf("%v: crossed at %s, want %s", items, got, want)
		}
	})
}
