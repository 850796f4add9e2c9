package rules

import "testing"

// One event against one award, as a consumer meets it.
func BenchmarkEvent(b *testing.B) {
	line := []byte(`{"source":"reviews","id":"e1","item":"s1","seq":1,"member":"ada","type":"review","object":"p1","status":"active","at":"2026-11-01T12:00:00Z","facts":{"rating":1900,"tags":["dp"],"length":120}}`)
	a := mustParse(b, document(seedStrategy))
	e, _ := ParseEvent(line)
	counters := map[string]Amount{"photo": Units(2), "reviews": Units(1), "navi": Units(4321)}
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			ParseEvent(line)
		}
	})
	b.Run("contribution", func(b *testing.B) {
		for b.Loop() {
			for i := range a.Objectives {
				a.Objectives[i].Contribution(&e)
			}
		}
	})
	b.Run("progress", func(b *testing.B) {
		for b.Loop() {
			a.Progress(counters)
		}
	})
}
