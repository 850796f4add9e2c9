package rules

import (
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// What is read quickly is what is read strictly, and it has no mistake.
func sameRead(t interface{ Fatalf(string, ...any) }, line []byte) {
	for _, source := range []string{"", "s"} {
		quick, ok := quickEvent(line, source)
		if !ok {
			continue
		}
		strict, mistakes := strictEvent(line, source)
		if len(mistakes) > 0 || !reflect.DeepEqual(quick, strict) {
			t.Fatalf("%q\nquickly  %#v\nstrictly %#v, %v", line, quick, strict, mistakes)
		}
	}
}

func FuzzQuickEvent(f *testing.F) {
	f.Add([]byte(`{"source":"a","id":"1","member":"m","type":"t","at":"2026-11-01T12:00:00Z","facts":{"a":1,"b":"\u0416","c":["x"],"d":true,"e":null,"a":2}}`))
	f.Add([]byte(`{"source":"a","source":"b","id":"1","item":"i","seq":-1,"status":"active","member":"m","type":"t","at":"2026-11-01T12:00:00.5+02:00"} x`))
	f.Fuzz(func(t *testing.T, line []byte) { sameRead(t, line) })
}

func TestQuickEvent(t *testing.T) {
	t.Parallel()
	parts := []string{`"source":"a"`, `"source":"a b"`, `"id":"1"`, `"id":1`, `"member":"m"`, `"type":"t"`, `"at":"2026-11-01T12:00:00Z"`, `"at":"yesterday"`, `"item":"\u0061"`,
		`"seq":7`, `"seq":7.0`, `"status":"active"`, `"facts":{}`, `"facts":{"a":1.5,"b":["x","y"],"c":false}`, `"facts":{"a":1,"a":1}`, `"facts":{"a":[1]}`, `"facts":null`, `"other":1`}
	quick := 0
	rapid.Check(t, func(t *rapid.T) {
		line := ""
		for n, part := range rapid.Permutation(parts).Draw(t, "parts")[:rapid.IntRange(0, 8).Draw(t, "n")] {
			if n > 0 {
				line += ","
			}
			line += part
		}
		sameRead(t, []byte("{"+line+"}"))
	})
	for _, line := range []string{
		`{"source":"a","id":"1","member":"m","type":"t","at":"2026-11-01T12:00:00Z"}`,
		`{"source":"a","id":"1","item":"i","seq":7,"member":"m","type":"t","object":"o","status":"active","at":"2026-11-01T12:00:00Z","facts":{"a":1.5,"b":["x"],"c":false,"d":"\"ж"}}`,
	} {
		if _, ok := quickEvent([]byte(line), ""); ok {
			quick++
		}
		sameRead(t, []byte(line))
	}
	if quick != 2 {
		t.Error(fmt.Sprint(quick, " of 2 usual events were read quickly"))
	}
}

func BenchmarkParseEvent(b *testing.B) {
	line := []byte(`{"source":"photo","id":"p1.1","item":"p1","seq":1,"member":"ada","type":"photo","object":"place 7","status":"active","at":"2026-11-21T12:01:00Z","facts":{"metres":12.5,"site":"codeforces"}}`)
	for b.Loop() {
		if _, m := ParseEvent(line); len(m) > 0 {
			b.Fatal(m)
		}
	}
}

func BenchmarkParseEventStrictly(b *testing.B) {
	line := []byte(`{"source":"photo","id":"p1.1","item":"p1","seq":1,"member":"ada","type":"photo","object":"place 7","status":"active","at":"2026-11-21T12:01:00Z","facts":{"metres":12.5,"site":"codeforces"}}`)
	for b.Loop() {
		if _, m := strictEvent(line, ""); len(m) > 0 {
			b.Fatal(m)
		}
	}
}
