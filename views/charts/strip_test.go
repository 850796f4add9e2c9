package charts

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"laurel/views/parts"
	"laurel/views/viewstest"
)

// drawn is what a strip shows, by class: where each part begins and ends.
func drawn(t *testing.T, s Strip) map[string]int {
	t.Helper()
	svg := string(appendStrip(t.Context(), nil, s))
	d := xml.NewDecoder(strings.NewReader(svg))
	d.Strict = false
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
	}
	n := map[string]int{}
	for _, m := range regexp.MustCompile(`<path class=(\w) d="([^"]*)"`).FindAllStringSubmatch(svg, -1) {
		n[m[1]] += strings.Count(strings.ToLower(m[2]), "m")
	}
	return n
}

func TestStrip(t *testing.T) {
	hours := func(hs ...int) (ts []time.Time) {
		for _, h := range hs {
			ts = append(ts, viewstest.Then.Add(time.Duration(h)*time.Hour))
		}
		return ts
	}
	at := func(h int) time.Time { return hours(h)[0] }
	window := Strip{Title: "Rating", From: at(0), Until: at(100)}
	strip := func(at time.Time, checks, failed []time.Time, spans ...StripSpan) Strip {
		s := window
		s.At, s.Checks, s.Failed, s.Spans = at, checks, failed, spans
		return s
	}
	many := make([]time.Time, 5000)
	for i := range many {
		many[i] = at(0).Add(time.Duration(i) * 72 * time.Second)
	}
	for _, tt := range []struct {
		name       string
		strip      Strip
		want, sums string
	}{
		{"nothing", strip(time.Time{}, nil, nil), "", "0 values, no checks"},
		{"zero length", Strip{Title: "Rating", From: at(0), Until: at(0), At: at(0), Checks: hours(0)}, "k1 t1", "0 values, 1 check"},
		{"open", strip(at(50), hours(0, 90), nil, StripSpan{From: at(0), LastSeen: at(90)}), "g1 k2 t1 v1", "1 value, 2 checks"},
		{"seen once, changed", strip(at(50), hours(10, 60), nil, StripSpan{at(10), at(10), at(60), "1"}, StripSpan{From: at(60), LastSeen: at(100)}), "g1 k2 t1 v2", "2 values, 2 checks"},
		{"all failed", strip(at(50), nil, hours(10, 20, 30), nil...), "e1 f3 t1", "0 values, 3 checks, 3 failed"},
		{"failed twice", strip(at(50), hours(0, 40, 100), hours(10, 20, 60), StripSpan{From: at(0), LastSeen: at(100)}), "e2 f3 k3 t1 v1", "1 value, 6 checks, 3 failed"},
		{"instant outside", strip(at(-1), hours(-5, 200), hours(300), StripSpan{at(-9), at(-5), at(-5), "1"}), "", "0 values, no checks"},
		{"span over all", strip(at(200), nil, nil, StripSpan{at(-9), at(200), at(300), "1"}), "v1", "1 value, no checks"},
		{"thousands", strip(at(1), many, nil), "k234 t1", "0 values, 5,000 checks"},
	} {
		var got []string
		n := drawn(t, tt.strip)
		for _, class := range []string{"e", "f", "g", "k", "t", "v"} {
			if n[class] > 0 {
				got = append(got, class+parts.Number(n[class]))
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: drawn %v, want %s", tt.name, got, tt.want)
		}
		if text := strings.TrimPrefix(stripSum(t.Context(), tt.strip), "Timeline of Rating: "); text != tt.sums {
			t.Errorf("%s: %q, want %q", tt.name, text, tt.sums)
		}
		tt.strip.Wide = true
		drawn(t, tt.strip)
	}
	if svg := string(appendStrip(t.Context(), nil, strip(at(1), many, nil))); !strings.Contains(svg, "<title>5,000 checks, drawn as 234</title>") || len(svg) > 3<<10 {
		t.Errorf("thousands of checks: %d bytes, %s", len(svg), svg)
	}
}

func TestStripWords(t *testing.T) {
	s := sampleStrip("CodeChef rating", 3, StripSpan{From: time.Date(2026, 2, 1, 9, 0, 0, 0, viewstest.Riga), LastSeen: viewstest.March(4, 3, 0), Until: viewstest.March(5, 5, 0), Label: "1688"}, StripSpan{From: viewstest.March(5, 5, 0), LastSeen: viewstest.March(30, 9, 0), Label: "1702"})
	s.Title = `Rating "x" <y>`
	want := `Rating "x" <y> from 1 Feb 00:00 to 31 Mar 00:00: 1688 seen from 1 Feb 09:00 to 4 Mar 03:00, then 1702 seen from 5 Mar 05:00 to 30 Mar 09:00. 62 checks.`
	if got := stripWords(t.Context(), s); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if svg := string(appendStrip(t.Context(), nil, s)); strings.Contains(svg, "<y>") || strings.Contains(svg, `"x"`) {
		t.Errorf("the title is not escaped: %s", svg)
	}
	for range 3 {
		s.Spans = append(s.Spans, StripSpan{From: viewstest.March(30, 10, 0), LastSeen: viewstest.March(30, 10, 0), Label: "9"})
	}
	if got := stripWords(t.Context(), s); !strings.Contains(got, "then 9 seen once, 30 Mar 10:00, then 9 seen once, 30 Mar 10:00, and 1 more change. ") {
		t.Errorf("%q", got)
	}
	s.Spans = nil
	if got := stripWords(t.Context(), s); !strings.Contains(got, ": nothing known. 62 checks.") {
		t.Errorf("%q", got)
	}
}
