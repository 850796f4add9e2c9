package charts

import (
	"strings"
	"testing"
	"time"

	"laurel/views/viewstest"
)

func sampleRanks() RankChart {
	c := RankChart{Player: "ada", Now: viewstest.Now, From: viewstest.March(1, 0, 0), Until: viewstest.March(30, 0, 0)}
	for i, r := range []int{30, 24, 25, 18, 12, 9, 10, 4, 2} {
		s := RankSpan{From: viewstest.March(1+3*i, 8, 0), LastSeen: viewstest.March(3+3*i, 2, 0), Until: viewstest.March(4+3*i, 8, 0), Rank: r}
		switch i {
		case 4:
			s.Until = viewstest.March(3+3*i, 20, 0)
		case 8:
			s.Until = time.Time{}
		}
		c.Spans = append(c.Spans, s)
	}
	return c
}

func TestRankHistory(t *testing.T) {
	c := sampleRanks()
	svg := string(appendRanks(t.Context(), nil, c))
	for _, want := range []string{"Rank of ada from 1 Mar 08:00 to 27 Mar 02:00: rank 30 at first, 2 at last, best 2, worst 30", ">30</text>", ">2</text>"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the chart does not say %q: %s", want, svg)
		}
	}
	s := rankScaleOf(c)
	if s.y(2) >= s.y(30) {
		t.Error("a better rank is not higher")
	}
	if n := strings.Count(string(s.appendGuesses(nil, c.Spans)), "V"); n != len(c.Spans)-2 {
		t.Errorf("%d steps, want %d: none over the gap, none at the end", n, len(c.Spans)-2)
	}
	for name, c := range map[string]RankChart{
		"one rank":    {Spans: c.Spans[:1], From: c.From, Until: c.Until},
		"zero length": {Spans: c.Spans[:1], From: c.From, Until: c.From},
		"outside":     {Spans: c.Spans, From: viewstest.Now, Until: viewstest.Now.Add(time.Hour)},
	} {
		if svg := string(appendRanks(t.Context(), nil, c)); !strings.HasSuffix(svg, "</svg>") || strings.Contains(svg, "-9223372036854775808") {
			t.Errorf("%s: %s", name, svg)
		}
	}
}
