package rules

import (
	"encoding/json"
	"testing"
	"time"
)

// A document of any bytes is either refused with places or can be evaluated,
// written and read again, and it never takes long.
func FuzzParse(f *testing.F) {
	f.Add(document(seedStrategy))
	f.Add([]byte(`{"slug":"a","slug":"b","objectives":[{"id":"\u0000"}],"strategy":{"goal":1e999}}`))
	f.Add([]byte(`{"slug":"w","title":"W","objectives":[{"id":"o","filters":[{"name":"ExpressionFilter","config":{"expression":"facts.a > 1"}}],"rule":{"name":"MaxRule","config":{"fact":"a"}}}],"strategy":{"objective_id":"o","goal":2.5},"window":{"every":"week","grace":"0h"},"levels":[{"title":"I","goal":1},{"title":"II","goal":2.5}],"permanence":"live","backfill":"since:2026-01-01"}`))
	f.Add([]byte(`[[[[[[[[[[[[[[[[[[[[[[[[[[[[`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		start := time.Now()
		a, m := Parse(doc)
		if took := time.Since(start); took > time.Second {
			t.Fatalf("took %s", took)
		}
		if len(m) > 0 {
			return
		}
		canonical := a.Canonical()
		if !json.Valid(canonical) {
			t.Fatalf("not JSON: %s", canonical)
		}
		again, m := Parse(canonical)
		if len(m) > 0 || again.Version() != a.Version() {
			t.Fatalf("reading it again: %v\n%s\n%s", m, canonical, again.Canonical())
		}
		e := Event{Source: "s", Item: "i", At: noon, Facts: Facts{"a": Units(3)}}
		for i := range a.Objectives {
			a.Objectives[i].Contribution(&e)
		}
		if p := a.Progress(nil); p.Reached || p.Started {
			t.Fatalf("reached by nobody: %s", canonical)
		}
		a.Window.Period(&e)
	})
}

func FuzzParseEvent(f *testing.F) {
	f.Add([]byte(`{"source":"s","id":"1","item":"i","member":"ada","type":"t","status":"active","at":"2026-11-01T12:00:00+01:00","facts":{"n":1.5e3,"l":["a"],"b":true}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		e, m := ParseEvent(line)
		if len(m) > 0 {
			return
		}
		written, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		again, m := ParseEvent(written)
		if len(m) > 0 || again.Order() != e.Order() && !again.At.Equal(e.At) || len(again.Facts) != len(e.Facts) {
			t.Fatalf("%v\n%s\n%s", m, line, written)
		}
	})
}

// An expression is refused or runs on any event without harm, and gives the
// same twice.
func FuzzExpression(f *testing.F) {
	for _, s := range []string{"true", "facts.n > 3 and 'dp' in facts.tags", "len(facts.text) ** 99 > 1", "facts.text matches facts.text", "1..9", "[1,2][5] == 1", "{'a':1}.b ?? true"} {
		f.Add(s, "(a+)+$", int64(7))
	}
	f.Fuzz(func(t *testing.T, expression, text string, n int64) {
		if len(text) > 10_000 {
			return
		}
		filter := &expressionFilter{Expression: expression}
		var m Mistakes
		filter.check("config", &m)
		if len(m) > 0 {
			return
		}
		e := Event{Source: "s", At: noon, Facts: Facts{"text": text, "n": Amount(n), "tags": []string{text, "dp"}, "b": true}}
		start := time.Now()
		if first, second := filter.Pass(&e), filter.Pass(&e); first != second {
			t.Fatalf("%t, then %t", first, second)
		}
		if took := time.Since(start); took > time.Second {
			t.Fatalf("took %s", took)
		}
	})
}
