package charts

import (
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"laurel/views/viewstest"
)

func TestNotable(t *testing.T) {
	events := make([]RatingEvent, 10)
	for i, r := range []int{1500, 1400, 1600, 1900, 1700, 1650, 1660, 1670, 1680, 1690} {
		events[i] = RatingEvent{Rating: r}
	}
	for _, tt := range []struct {
		n    int
		want []int
	}{{5, []int{1, 3, 7, 8, 9}}, {2, []int{1, 3}}, {20, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}} {
		got := notable(events, tt.n)
		if len(got) != len(tt.want) {
			t.Fatalf("notable(%d) = %v, want %v", tt.n, got, tt.want)
		}
		for i := range got {
			if got[i] != tt.want[i] {
				t.Errorf("notable(%d) = %v, want %v", tt.n, got, tt.want)
			}
		}
	}
	if got := notable(events[:1], 5); len(got) != 1 {
		t.Errorf("of one event: %v", got)
	}
}

func TestScale(t *testing.T) {
	curve := func(ratings ...int) []Curve {
		c := Curve{}
		for i, r := range ratings {
			c.Events = append(c.Events, RatingEvent{Rating: r, At: viewstest.Now.AddDate(0, i, 0)})
		}
		return []Curve{c}
	}
	for _, tt := range []struct {
		curves          []Curve
		low, high, step int
	}{
		{curve(1500), 1500, 1550, 50},
		{curve(1510, 1688), 1500, 1700, 50},
		{curve(1010, 2480), 1000, 2500, 500},
		{curve(-120, 300), -200, 300, 200},
	} {
		s, ok := scaleOf(tt.curves)
		if !ok || s.low > tt.low || s.high < tt.high || (s.high-s.low)/s.step > 5 {
			t.Errorf("%v: from %d to %d by %d", tt.curves, s.low, s.high, s.step)
		}
		for _, e := range tt.curves[0].Events {
			if x, y := s.x(e.At), s.y(e.Rating); x < 0 || x > 1000 || y < 0 || y > 1000 {
				t.Errorf("%d is drawn outside, at %d %d", e.Rating, x, y)
			}
		}
	}
	if _, ok := scaleOf([]Curve{{}}); ok {
		t.Error("nothing has a scale")
	}
}

// TestRatingCurves reads what can be pointed at.
func TestRatingCurves(t *testing.T) {
	curves := []Curve{{Site: "Codeforces", Events: []RatingEvent{
		{"Round <1>", "", 900, 1602, viewstest.Now.Add(-48 * time.Hour)},
		{"Round 2", "", 5, 1764, viewstest.Now},
	}}}
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(viewstest.Rendered(t, RatingCurves(curves))))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	doc.Find("[tabindex] title").Each(func(_ int, s *goquery.Selection) { got = append(got, s.Text()) })
	if want := "Round <1>: 1602, rank 900; Round 2: 1764, rank 5, +162"; strings.Join(got, "; ") != want {
		t.Errorf("%q, want %q", got, want)
	}
}
