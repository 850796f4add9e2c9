package rules

import (
	"maps"
	"math"
	"testing"
	"time"
)

const countParts, uniqueParts = `{"name":"CountRule"}`, `{"name":"UniqueByObjectRule"}`

// What a stream of events makes of ada's counters; docs/design/awards.md lists
// the decisions.
func TestCases(t *testing.T) {
	review := func(item string, seq int64, status string) Event { return photo(item, seq, status, "cafe") }
	tap := func(id string) Event { return Event{Source: "app", ID: id, Member: "ada", Type: "tap", At: noon} }
	for _, tt := range []struct {
		name, rule string
		events     []Event
		want       map[string]Amount
	}{
		{"1 same event twice", countParts, []Event{photo("a", 1, "active", ""), photo("a", 1, "active", "")}, map[string]Amount{"active": unit}},
		{"1 same event twice, without a status", countParts, []Event{tap("x"), tap("x"), tap("y")}, map[string]Amount{"active": 2 * unit}},
		{"2 blocked before active", countParts, []Event{photo("a", 3, "blocked", ""), photo("a", 2, "active", "")}, map[string]Amount{"blocked": unit}},
		{"3 toggling gives nothing", countParts, []Event{photo("a", 1, "active", ""), photo("a", 2, "deleted", ""), photo("a", 3, "active", ""), photo("a", 4, "deleted", ""), photo("a", 5, "active", "")}, map[string]Amount{"active": unit}},
		{"4 an edit that is delete and create", uniqueParts, []Event{review("a", 1, "active"), review("a", 2, "deleted"), review("b", 3, "active")}, map[string]Amount{"active": unit, "deleted": unit}},
		{"5 two reviews of a place, one blocked", uniqueParts, []Event{review("a", 1, "active"), review("b", 1, "active"), review("a", 2, "blocked")}, map[string]Amount{"active": unit, "blocked": unit}},
		{"5 both blocked", uniqueParts, []Event{review("a", 1, "active"), review("b", 1, "active"), review("a", 2, "blocked"), review("b", 2, "blocked")}, map[string]Amount{"blocked": unit}},
		{"5 one comes back", uniqueParts, []Event{review("a", 1, "active"), review("b", 1, "active"), review("a", 2, "blocked"), review("b", 2, "blocked"), review("a", 3, "active")}, map[string]Amount{"active": unit, "blocked": unit}},
		{"17 never below zero", countParts, []Event{photo("a", 1, "blocked", ""), photo("a", 2, "deleted", "")}, map[string]Amount{"deleted": unit}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLedger(t, one(t, tt.rule, "1"))
			l.apply(tt.events...)
			if got := l.counters("ada", "done"); !maps.Equal(got, tt.want) {
				t.Errorf("counters %v, want %v", got, tt.want)
			}
		})
	}
}

func TestCase2TurnsAreTotal(t *testing.T) {
	turns := []Order{ // Each after all before it.
		{0, noon, "moderation", "a"}, {0, noon, "active", "a"}, {0, noon, "blocked", "a"}, {0, noon, "deleted", "a"}, {0, noon, "deleted", "b"},
		{0, noon.Add(time.Second), "active", "a"}, {1, noon, "active", "a"}, {2, noon.Add(-time.Hour), "active", "a"},
	}
	for i, a := range turns {
		for j, b := range turns {
			if a.After(b) != (i > j) {
				t.Errorf("%v after %v = %t", a, b, a.After(b))
			}
		}
	}
}

func TestCase6AnEditChangesAFiltersMind(t *testing.T) {
	l := newLedger(t, mustParse(t, document(seedStrategy)))
	review := func(seq, length int64) Event {
		return Event{Source: "reviews", ID: "e", Item: "r", Seq: seq, Member: "ada", Status: "active", Object: "cafe", At: noon, Facts: Facts{"length": Units(length)}}
	}
	l.apply(review(1, 120))
	if got := l.counters("ada", "reviews")[Active]; got != unit {
		t.Errorf("of 120 characters: %s", got)
	}
	l.apply(review(2, 80))
	if got := l.counters("ada", "reviews"); len(got) != 0 {
		t.Errorf("shortened to 80 characters: %v", got)
	}
}

func TestCase7AnItemMovesToAnotherMember(t *testing.T) {
	l := newLedger(t, one(t, countParts, "1"))
	moved := photo("a", 2, "active", "")
	moved.Member = "bob"
	l.apply(photo("a", 1, "active", ""), moved)
	if a, b := l.progress("ada"), l.progress("bob"); a.Value.Sign() != 0 || !b.Reached {
		t.Errorf("ada has %s, bob %s", a.Value, b.Value)
	}
}

func TestCase8WhatAChangeCosts(t *testing.T) {
	old := mustParse(t, document(seedStrategy))
	for _, tt := range []struct {
		name   string
		change func(*Award)
		want   Change
	}{
		{"nothing", func(*Award) {}, Same},
		{"title", func(a *Award) { a.Title = "Finder" }, Words},
		{"permanence", func(a *Award) { a.Permanence = Permanence{Kind: "live"} }, Goals},
		{"strategy", func(a *Award) { a.Strategy.Operation = "max" }, Goals},
		{"filters", func(a *Award) { a.Objectives[1].Filters = nil }, Counting},
		{"window and title", func(a *Award) { a.Title, a.Window = "x", &Window{Every: "day"} }, Counting},
	} {
		now := mustParse(t, old.Canonical())
		tt.change(&now)
		if got := Compare(&old, &now); got != tt.want {
			t.Errorf("%s: change %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestCase9WhenItWasReached(t *testing.T) {
	a := mustParse(t, []byte(`{"slug":"two","title":"Two","objectives":[{"id":"done","rule":{"name":"UniqueByObjectRule"}}],
		"strategy":{"objective_id":"done","goal":3},"levels":[{"title":"Bronze","goal":2},{"title":"Silver","goal":3}]}`))
	var items []Counted
	for i, object := range []string{"x", "x", "y", "z"} {
		items = append(items, Counted{noon.AddDate(0, 0, i), "done", Contribution{Active, object, unit}})
	}
	items[0], items[3] = items[3], items[0] // As they come out of a table.
	items = append(items, Counted{noon.AddDate(0, 0, -1), "done", Contribution{"blocked", "q", unit}})
	for level, want := range map[int]int{1: 2, 2: 3} {
		if at, ok := a.Crossed(level, items); !ok || !at.Equal(noon.AddDate(0, 0, want)) {
			t.Errorf("level %d was reached at %s, want on day %d", level, at, want)
		}
	}
	if at, ok := a.Crossed(2, items[1:4]); ok {
		t.Errorf("three of which one is the same place reach level 2 at %s", at)
	}
	for text, want := range map[string]bool{"all": true, "none": false, "since:2026-10-01T00:00:00Z": true, "since:2026-11-02": false} {
		var b Backfill
		if err := b.UnmarshalText([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if got := b.Counts(noon, noon.Add(time.Hour)); got != want {
			t.Errorf("%s: an event from before counts = %t", text, got)
		}
	}
}

func TestCase10And27LevelsUseTheState(t *testing.T) {
	a := mustParse(t, []byte(`{"slug":"l","title":"L","objectives":[{"id":"done","rule":{"name":"CountRule"}}],
		"strategy":{"objective_id":"done","goal":100},"levels":[{"title":"I","goal":2},{"title":"II","goal":10},{"title":"III","goal":100}]}`))
	for n, want := range map[int64]int{0: 0, 1: 0, 2: 1, 9: 1, 11: 2, 99: 2, 100: 3, 5000: 3} {
		if p := a.Progress(map[string]Amount{"done": Units(n)}); p.Level != want || p.Reached != (n >= 100) || p.Started != (n > 0) {
			t.Errorf("%d: level %d, want %d (%+v)", n, p.Level, want, p)
		}
	}
}

func TestCase11Permanence(t *testing.T) {
	for _, tt := range []struct {
		text  string
		after time.Duration
		want  bool
	}{
		{"permanent", 0, false}, {"live", 1000 * time.Hour, true},
		{"confirmed_after:7d", 7*24*time.Hour - 1, true}, {"confirmed_after:7d", 7 * 24 * time.Hour, false}, {"confirmed_after:12h", 13 * time.Hour, false},
	} {
		var p Permanence
		if err := p.UnmarshalText([]byte(tt.text)); err != nil {
			t.Fatal(err)
		}
		if got := p.Revokes(noon, noon.Add(tt.after)); got != tt.want {
			t.Errorf("%s after %s: revokes = %t", tt.text, tt.after, got)
		}
	}
}

func TestCase13States(t *testing.T) {
	if !Paused.Counts() || Paused.Grants() {
		t.Error("a paused award counts and does not grant")
	}
	if !Retired.Shown() || Retired.Grants() || Hidden.Shown() {
		t.Error("a retired award is shown and not earned, a hidden one is neither")
	}
	if Running.May(Draft) || !Draft.May(Running) || Draft.May(Hidden) {
		t.Error("a draft becomes active, and nothing becomes a draft")
	}
	if Running.Deletable(1) || !Running.Deletable(0) || !Draft.Deletable(0) {
		t.Error("what somebody has is not deleted")
	}
}

func TestCase16Kilometres(t *testing.T) {
	a := mustParse(t, document(`{"goal":1000,"objective_id":"navi","normalization_factor":0.001}`))
	sum, missed := Amount(0), 0
	for step := 1; step <= 10_000; step++ { // 0.1 km each.
		sum += Units(100)
		if step%10 == 0 && a.Progress(map[string]Amount{"navi": sum}).Value.Cmp(Units(int64(step/10)).rat()) != 0 {
			missed++
		}
	}
	if missed > 0 {
		t.Errorf("%d of 1,000 goals are missed", missed)
	}
	thirds := mustParse(t, document(`{"goal":1,"objective_id":"navi","normalization_factor":0.333}`))
	if p := thirds.Progress(map[string]Amount{"navi": Units(3)}); p.Reached || p.Value.String() != "0.999" || p.Shown() != "0" {
		t.Errorf("3 x 0.333 = %s, reached %t", p.Value, p.Reached)
	}
}

func TestCase17And18CountersDoNotBreak(t *testing.T) {
	tally := Cells{}
	if err := tally.Move(Contribution{Active, "", unit}, Contribution{}); err == nil || len(tally) != 0 {
		t.Errorf("what never was there is taken back: %v, %v", err, tally)
	}
	full := Cells{Active: {"": math.MaxInt64}, "blocked": {"": unit}}
	if err := full.Move(Contribution{"blocked", "", unit}, Contribution{Active, "", 1}); err == nil || full["blocked"][""] != unit {
		t.Errorf("a full counter: %v, %v", err, full)
	}
	sum := &sumRule{Fact: "m", MaxPerDay: new(Units(50))}
	if _, a := sum.Contribute(&Event{At: noon, Facts: Facts{"m": Units(9_000_000_000)}}); a != defaultMaxPerEvent {
		t.Errorf("an absurd number counts as %s", a)
	}
	if got := sum.Value(map[string]Amount{"2026-11-01": Units(80), "2026-11-02": Units(20)}); got != Units(70) {
		t.Errorf("80 and 20 with at most 50 a day: %s", got)
	}
	if _, a := sum.Contribute(&Event{At: noon, Facts: Facts{"m": -unit}}); a != 0 {
		t.Errorf("a negative number counts as %s", a)
	}
}
