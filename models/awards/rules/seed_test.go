package rules

import (
	"fmt"
	"strings"
	"testing"
)

const seedFilters = `[ { "name":"SourceFilter", "config":{ "sources":["reviews"] } }, { "name": "ReviewsLengthFilter", "config": { "allowed_length": 100 } } ]`
const seedRule = `{"name": "ReviewUniqueByObjectRule","config":{}}`
const seedStrategy = `{ "goal": 15, "operation": "sum", "strategy": [ { "goal": 5, "operation": "sum", "strategy": [ { "objective_id": "photo" }, { "objective_id": "reviews" } ] }, { "goal": 10, "operation": "sum", "strategy": [ { "objective_id": "navi", "normalization_factor": 0.001 } ] } ] }`

// document wraps a strategy in an award that has the seed's three objectives.
func document(strategy string) []byte {
	return fmt.Appendf(nil, `{"slug":"explorer","title":"Explorer","objectives":[
		{"id":"reviews","filters":%s,"rule":%s},
		{"id":"photo","filters":[{"name":"SourceFilter","config":{"sources":["photo"]}}],"rule":{"name":"CountRule"}},
		{"id":"navi","rule":{"name":"SumRule","config":{"fact":"metres"}}}],
		"strategy":%s}`, seedFilters, seedRule, strategy)
}

func mustParse(t testing.TB, doc []byte) Award {
	t.Helper()
	a, m := Parse(doc)
	if len(m) > 0 {
		t.Fatalf("%s\n%s", m, doc)
	}
	return a
}

func TestTheSeedsFiltersAndRule(t *testing.T) {
	a := mustParse(t, document(seedStrategy))
	reviews := &a.Objectives[0]
	review := func(source, object, text string) *Event {
		return &Event{Source: source, Item: "r1", Status: "active", Object: object, Facts: Facts{"text": text}}
	}
	for _, tt := range []struct {
		name  string
		event *Event
		want  Contribution
	}{
		{"101 characters", review("reviews", "cafe", strings.Repeat("a", 101)), Contribution{"active", "cafe", unit}},
		{"100 characters are not more than 100", review("reviews", "cafe", strings.Repeat("a", 100)), Contribution{}},
		{"characters are not bytes", review("reviews", "cafe", strings.Repeat("ж", 100)), Contribution{}},
		{"101 Cyrillic ones", review("reviews", "cafe", strings.Repeat("ж", 101)), Contribution{"active", "cafe", unit}},
		{"an accent of its own is no character", review("reviews", "cafe", strings.Repeat("e\u0301", 100)), Contribution{}},
		{"space around does not count", review("reviews", "cafe", "  "+strings.Repeat("a", 100)+"\n"), Contribution{}},
		{"another source", review("photo", "cafe", strings.Repeat("a", 101)), Contribution{}},
		{"about nothing", review("reviews", "", strings.Repeat("a", 101)), Contribution{}},
		{"no text", &Event{Source: "reviews", Object: "cafe"}, Contribution{}},
	} {
		if got := reviews.Contribution(tt.event); got != tt.want {
			t.Errorf("%s: contributes %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestStrategyVectors(t *testing.T) {
	const three = `{"goal":3,"operation":"sum","strategy":[{"objective_id":"reviews"},{"objective_id":"photo"}]}`
	const both = `{"goal":10,"strategy":[{"objective_id":"photo","goal":5},{"objective_id":"reviews","goal":5}]}`
	for _, tt := range []struct {
		name, strategy         string
		photo, reviews, metres int64
		value, shown           string
		reached                bool
	}{
		{"3 reviews or 3 photos, has 1 and 2: 3", three, 2, 1, 0, "3", "3", true},
		{"3 or 3, 3 and 3", three, 3, 3, 0, "3", "3", true},
		{"3 or 3, 0 and 2", three, 2, 0, 0, "2", "2", false},
		{"5 and 5, 9 and 3", both, 9, 3, 0, "8", "8", false},
		{"5 and 5, 5 and 5", both, 5, 5, 0, "10", "10", true},
		{"nested 3,1,4321 m", seedStrategy, 3, 1, 4321, "8.321", "8", false},
		{"nested 9,9,0", seedStrategy, 9, 9, 0, "5", "5", false},
		{"nested 2,3,9999 m", seedStrategy, 2, 3, 9999, "14.999", "14", false},
		{"nested 2,3,10000 m", seedStrategy, 2, 3, 10000, "15", "15", true},
		{"nested 100 photos, 1,000 km", seedStrategy, 100, 0, 1_000_000, "15", "15", true},
		{"nothing", seedStrategy, 0, 0, 0, "0", "0", false},
		{"min: the least of both", `{"goal":5,"operation":"min","strategy":[{"objective_id":"photo"},{"objective_id":"reviews"}]}`, 9, 3, 0, "3", "3", false},
		{"max: the best of both", `{"goal":5,"operation":"max","strategy":[{"objective_id":"photo"},{"objective_id":"reviews"}]}`, 4, 3, 0, "4", "4", false},
		{"a single leaf", `{"goal":10,"objective_id":"navi","normalization_factor":0.001}`, 0, 0, 2500, "2.5", "2", false},
		{"below 0 is 0", three, -4, 1, 0, "1", "1", false},
	} {
		a := mustParse(t, document(tt.strategy))
		p := a.Progress(map[string]Amount{"photo": Units(tt.photo), "reviews": Units(tt.reviews), "navi": Units(tt.metres)})
		if p.Value.String() != tt.value || p.Shown() != tt.shown || p.Reached != tt.reached {
			t.Errorf("%s: %s, shown as %s, reached %t; want %s, %s, %t", tt.name, p.Value, p.Shown(), p.Reached, tt.value, tt.shown, tt.reached)
		}
	}
}

func TestMissingInPlainWords(t *testing.T) {
	a := mustParse(t, document(seedStrategy))
	for _, tt := range []struct {
		counters map[string]Amount
		want     string
	}{
		{nil, "photo: 5 more (now 0) would help, but is not enough alone; reviews: 5 more (now 0) would help, but is not enough alone; navi: 10000 more (now 0) would help, but is not enough alone"},
		{map[string]Amount{"photo": Units(2), "reviews": Units(3), "navi": Units(9999)}, "navi: 1 more (now 9999) would be enough"},
		{map[string]Amount{"photo": Units(4), "navi": Units(20000)}, "photo: 1 more (now 4) would be enough; reviews: 1 more (now 0) would be enough"},
		{map[string]Amount{"photo": Units(5), "navi": Units(10000)}, ""},
	} {
		var words []string
		for _, m := range a.Missing(tt.counters) {
			words = append(words, m.String())
		}
		if got := strings.Join(words, "; "); got != tt.want {
			t.Errorf("%v: %s\nwant %s", tt.counters, got, tt.want)
		}
	}
}
