package rules

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// Every mistake names its place. The first line of a document's mistakes is
// what is wanted; | parts several.
func TestMistakesInDocuments(t *testing.T) {
	with := func(old, now string) string {
		doc := string(document(seedStrategy))
		if !strings.Contains(doc, old) {
			t.Fatalf("the document has no %s", old)
		}
		return strings.Replace(doc, old, now, 1)
	}
	strategy := func(s string) string { return string(document(s)) }
	const leafs = `{"objective_id":"photo","goal":5},{"objective_id":"reviews","goal":5}`
	for _, tt := range []struct{ name, doc, want string }{
		{"wrong type", with(`"allowed_length": 100`, `"allowed_length": "100"`), `objectives[0].filters[1].config.allowed_length: must be a whole number, not a text`},
		{"unknown key", with(`"allowed_length"`, `"allowed_size"`), `objectives[0].filters[1].config.allowed_size: is unknown (known: allowed_length)|objectives[0].filters[1].config.allowed_length: is missing`},
		{"unknown filter", with(`ReviewsLengthFilter`, `ReviewLengthFilter`), `objectives[0].filters[1].name: no filter is named "ReviewLengthFilter" (known: *`},
		{"unknown rule", with(`"CountRule"`, `"Count"`), `objectives[1].rule.name: no rule is named "Count" (known: *`},
		{"two rules", with(`{"name":"CountRule"}`, `[{"name":"CountRule"},{"name":"CountRule"}]`), `objectives[1].rule: must be an object, not a list`},
		{"no rule", with(`,"rule":{"name":"CountRule"}`, ``), `objectives[1].rule: is missing`},
		{"a half number", with(`"allowed_length": 100`, `"allowed_length": 1.5`), `objectives[0].filters[1].config.allowed_length: must be a whole number, not 1.5`},
		{"an empty list", with(`["reviews"]`, `[]`), `objectives[0].filters[0].config.sources: must not be empty`},
		{"an element", with(`["reviews"]`, `["reviews", 3]`), `objectives[0].filters[0].config.sources[1]: must be a text, not a number`},
		{"config is null", with(`"config":{}`, `"config":null`), `objectives[0].rule.config: must be an object, not null`},
		{"given twice", with(`"title":"Explorer"`, `"title":"Explorer","title":"X"`), `title: is given twice`},
		{"NUL", with(`"Explorer"`, `"Expl\u0000rer"`), `title: contains the character NUL, which cannot be stored`},
		{"slug", with(`"explorer"`, `"Ex plorer"`), `slug: must be lower-case letters and digits with single hyphens between them, at most 64`},
		{"same objective", with(`"id":"photo"`, `"id":"reviews"`), `objectives[1].id: "reviews" is already objectives[0]|strategy.strategy[0].strategy[0].objective_id: no objective of this award is named "photo"`},
		{"several at once", `{"slug":"","objectives":[{"id":"a","rule":{"name":"SumRule","config":{}}}],"strategy":{"goal":1,"objective_id":"b"},"permanence":"forever"}`,
			`objectives[0].rule.config.fact: is missing|slug: must not be empty|permanence: must be permanent, live, or confirmed_after: and a time such as 7d or 12h|title: is missing|strategy.objective_id: no objective of this award is named "b"`},
		{"no goal", strategy(`{"strategy":[` + leafs + `]}`), `strategy.goal: is missing: the award could never be reached`},
		{"unreachable sum", strategy(`{"goal":11,"strategy":[` + leafs + `]}`), `strategy.goal: is 11 and cannot be reached: the parts below it are worth at most 10`},
		{"unreachable min", strategy(`{"goal":6,"operation":"min","strategy":[{"objective_id":"navi"},` + leafs + `]}`), `strategy.goal: is 6 and cannot be reached: the parts below it are worth at most 5`},
		{"unreachable max", strategy(`{"goal":6,"operation":"max","strategy":[` + leafs + `]}`), `strategy.goal: is 6 and cannot be reached: the parts below it are worth at most 5`},
		{"unreachable by factor", strategy(`{"goal":6,"normalization_factor":0.5,"strategy":[` + leafs + `]}`), `strategy.goal: is 6 and cannot be reached: the parts below it are worth at most 5`},
		{"unreachable below", strategy(`{"goal":1,"strategy":[{"goal":11,"strategy":[` + leafs + `]}]}`), `strategy.strategy[0].goal: is 11 and cannot be reached: the parts below it are worth at most 10`},
		{"twice a leaf", strategy(`{"goal":1,"strategy":[{"objective_id":"navi"},{"objective_id":"navi"}]}`), `strategy.strategy[1].objective_id: objective "navi" is already used at strategy.strategy[0].objective_id and would count twice`},
		{"leaf and group", strategy(`{"goal":1,"objective_id":"navi","strategy":[{"objective_id":"photo"}]}`), `strategy: has both objective_id and strategy; use one`},
		{"neither", strategy(`{"goal":1}`), `strategy: needs an objective_id or a non-empty strategy`},
		{"operation", strategy(`{"goal":1,"operation":"avg","strategy":[{"objective_id":"navi"}]}`), `strategy.operation: no operation is named "avg" (known: max, min, sum)`},
		{"zero factor", strategy(`{"goal":1,"objective_id":"navi","normalization_factor":0}`), `strategy.normalization_factor: must be more than 0, not 0`},
		{"goal is a text", strategy(`{"goal":"3","objective_id":"navi"}`), `strategy.goal: must be a number, not a text`},
		{"a huge number", strategy(`{"goal":1e999999999,"objective_id":"navi"}`), `strategy.goal: must be a number of at most 40 digits`},
		{"levels", with(`"title":"Explorer"`, `"title":"E","levels":[{"title":"a","goal":5},{"title":"b","goal":5},{"title":"c","goal":14}]`), `levels[1].goal: is 5; it must be more than the level before it|levels[2].goal: is 14; the last level must equal the goal of the strategy, 15`},
		{"window", with(`"title":"Explorer"`, `"title":"E","window":{"from":"2026-12-01","until":"2026-11-01","zone":"fixed:Mars/Olympus"}`), `window.zone: must be member, or fixed: and a time zone such as fixed:Europe/Berlin, not "fixed:Mars/Olympus"|window.until: is 2026-11-01, not after from 2026-12-01: no day would count`},
		{"not JSON", "{\n \"slug\": x}", `slug: is not JSON (line 2, column *`},
		{"cut off", `{"slug":"a"`, `ends too early (line 1, column 12)`},
		{"empty", ``, `ends too early (line 1, column 1)`},
		{"two documents", `{} {}`, `has text after its end*`},
		{"a list", `[]`, `must be an object, not a list`},
		{"a strange key", `{"a\u0000b c":1}`, `["a\x00b c"]: is unknown*`},
		{"deep", strings.Repeat("[", 60_000), `[0][0]*`},
		{"large", strings.Repeat(" ", maxDocument+1), `has 65537 bytes; the limit is 65536`},
	} {
		_, m := Parse([]byte(tt.doc))
		for _, want := range strings.Split(tt.want, "|") {
			start, open := strings.CutSuffix(want, "*")
			if !slices.ContainsFunc(m, func(m Mistake) bool {
				return m.String() == want || open && strings.HasPrefix(m.String(), start)
			}) {
				t.Errorf("%s: no %q in\n%s", tt.name, want, m)
			}
		}
		if n := len(strings.Split(tt.want, "|")); !strings.HasSuffix(tt.want, "*") && len(m) != n {
			t.Errorf("%s: %d mistakes, want %d:\n%s", tt.name, len(m), n, m)
		}
	}
}

// The form answers while the admin types, whatever is typed.
func TestNoDocumentTakesLong(t *testing.T) {
	fill := func(start, part string) string {
		return start + strings.Repeat(part, (maxDocument-len(start))/len(part))
	}
	for _, doc := range []string{
		fill(`{"objectives":[{}`, `,{}`) + `]}`,
		fill(`{"strategy":{"strategy":[{}`, `,{}`) + `]}}`,
		fill(`{"objectives":[{"filters":[{"name":"TagFilter"}`, `,{"name":"TagFilter"}`) + `]}]}`,
		fill(`{"a":1`, `,"a":1`) + `}`,
		fill(``, `[`), fill(``, `{"a":`), fill(`"`, `\u0000`), fill(`{"slug":"`, `x`) + `"}`, fill(`{"strategy":{"goal":1`, `0`) + `}}`,
	} {
		start := time.Now()
		_, m := Parse([]byte(doc[:min(len(doc), maxDocument)]))
		if took := time.Since(start); len(m) == 0 || len(m) > maxMistakes || took > 20*time.Second { // Mostly 20 ms; what grows with the square takes minutes.
			t.Errorf("%.40s: %d mistakes after %s", doc, len(m), took)
		} else {
			t.Logf("%.40s: %s", doc, took)
		}
	}
}

func TestCanonicalFormAndVersion(t *testing.T) {
	a := mustParse(t, document(seedStrategy))
	again := mustParse(t, a.Canonical())
	if a.Version() != again.Version() {
		t.Errorf("reading the canonical form gives another one:\n%s\n%s", a.Canonical(), again.Canonical())
	}
	spelt := mustParse(t, document(strings.NewReplacer("15", "1.50e1", "0.001", "1e-3").Replace(seedStrategy)))
	if spelt.Version() != a.Version() {
		t.Error("15 and 1.50e1 are the same number")
	}
	for _, want := range []string{`"permanence": "confirmed_after:7d"`, `"backfill": "all"`, `"normalization_factor": 0.001`, `"goal": 15`, `"allowed_length": 100`} {
		if !strings.Contains(string(a.Canonical()), want) {
			t.Errorf("no %s in\n%s", want, a.Canonical())
		}
	}
	other := mustParse(t, document(strings.Replace(seedStrategy, "15", "14", 1)))
	if other.Version() == a.Version() {
		t.Error("another goal is another version")
	}
}

// Cases 21 and 24: what cannot be read says why, and nobody's events are refused.
func TestCase21And24MistakesInEvents(t *testing.T) {
	const good = `{"source":"submissions","id":"e1","item":"s1","seq":1,"member":"ada","type":"judged","object":"p1","status":"active","at":"2026-11-01T12:00:00Z","facts":{"rating":1900,"tags":["dp"],"first_solve":true,"nothing":null}}`
	e, m := ParseEvent([]byte(good))
	if len(m) > 0 || e.Seq != 1 || !e.At.Equal(noon) || e.Facts["rating"] != Units(1900) || len(e.Facts) != 3 {
		t.Fatalf("%+v, %v", e, m)
	}
	for _, tt := range []struct{ name, old, now, want string }{
		{"no member", `"member":"ada",`, ``, "member: is missing"},
		{"no item", `"item":"s1",`, ``, "item: is missing: an event with a status needs an item"},
		{"misspelt", `"status"`, `"sttus"`, "sttus: is unknown (known: source, id, item, seq, member, type, object, status, at, facts)"},
		{"time", `2026-11-01T12:00:00Z`, `yesterday`, "at: "},
		{"no time", `"at":"2026-11-01T12:00:00Z",`, ``, "at: is missing"},
		{"seq", `"seq":1`, `"seq":-1`, "seq: must not be negative, it is -1"},
		{"seq too large", `"seq":1`, `"seq":99999999999999999999`, "seq: must be a whole number, not 99999999999999999999"},
		{"a fact", `"rating":1900`, `"rating":{}`, "facts.rating: must be a text, a number, true, false or a list of texts, not an object"},
		{"a large fact", `"rating":1900`, `"rating":1e19`, "facts.rating: must be a number within ±9000000000000, not 1e19"},
		{"a type", `"judged"`, `"jud ged"`, "type: must be letters, digits, _ and - only, at most 64"},
		{"a number", good, `7`, "must be an object, not a number"},
	} {
		_, m := ParseEvent([]byte(strings.Replace(good, tt.old, tt.now, 1)))
		if len(m) != 1 || !strings.HasPrefix(m[0].String(), tt.want) {
			t.Errorf("%s: %q, want %q alone", tt.name, m, tt.want)
		}
	}
	if m := (Event{Facts: Facts{"n": 3}}).Check(); len(m) != 6 {
		t.Errorf("an empty event has %d mistakes: %v", len(m), m)
	}
}
