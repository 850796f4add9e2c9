package charts

import (
	"bytes"
	"context"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestHeatmapShowsEveryDay reads the strokes back and compares them with the days.
func TestHeatmapShowsEveryDay(t *testing.T) {
	for _, first := range []time.Time{time.Date(2025, 11, 17, 0, 0, 0, 0, time.UTC), time.Date(2025, 11, 20, 0, 0, 0, 0, time.UTC)} {
		y := sampleYear()
		y.First = first
		levels, offset := LevelsOf(y.Days), Weekday(first)
		got := strokes(t, string(appendHeatmap(t.Context(), nil, y)))
		for i, d := range y.Days {
			at := offset + i
			if want := levels.Of(d.Submissions); got[[2]int{at / 7, at % 7}] != want {
				t.Errorf("from %s, day %d with %d submissions has level %d, want %d", first.Format(time.DateOnly), i, d.Submissions, got[[2]int{at / 7, at % 7}], want)
			}
		}
	}
}

// strokes returns the level of each cell, by week and row.
func strokes(t *testing.T, svg string) map[[2]int]int {
	t.Helper()
	cells := map[[2]int]int{}
	for _, path := range regexp.MustCompile(`<path class=h([1-4]) d="M\.5 0([^"]*)"`).FindAllStringSubmatch(svg, -1) {
		level, _ := strconv.Atoi(path[1])
		x, row := 0, 0
		for _, s := range regexp.MustCompile(`m(\d+)( \d+|-\d+)v(\d+)`).FindAllStringSubmatch(path[2], -1) {
			dx, _ := strconv.Atoi(s[1])
			drow, _ := strconv.Atoi(strings.TrimSpace(s[2]))
			n, _ := strconv.Atoi(s[3])
			x, row = x+dx, row+drow
			for range n {
				cells[[2]int{x, row}] = level
				row++
			}
		}
	}
	return cells
}

func TestLevels(t *testing.T) {
	days := func(counts ...int) []DayCount {
		var ds []DayCount
		for _, n := range counts {
			ds = append(ds, DayCount{Submissions: n})
		}
		return ds
	}
	for _, tt := range []struct {
		days []DayCount
		want string // The legend.
	}{
		{days(), "0"},
		{days(0, 3, 0), "0 | 1 to 3"},
		{days(1, 2, 3, 4), "0 | 1 | 2 | 3 | 4"},
		{days(1, 1, 1, 1, 1, 9), "0 | 1 | 2 to 9"},
		{days(2, 2, 8, 8, 9, 30, 30, 100), "0 | 1 to 2 | 3 to 8 | 9 to 30 | 31 to 100"},
	} {
		legend := string(appendHeatLegend(t.Context(), nil, LevelsOf(tt.days)))
		var got []string
		for _, m := range regexp.MustCompile(`</i> ([^<]*)<`).FindAllStringSubmatch(legend, -1) {
			got = append(got, m[1])
		}
		if strings.Join(got, " | ") != tt.want {
			t.Errorf("%v: %q, want %q", tt.days, got, tt.want)
		}
	}
}

// Days that a site counts and does not list are said so, to readers and to the script.
func TestUndetailedDays(t *testing.T) {
	for c, want := range map[DayCount]string{
		{}:          "none",
		{1, 1, 0}:   "1 submission, 1 accepted",
		{24, 0, 24}: "24 submissions, details unknown",
		{24, 3, 20}: "24 submissions, 3 accepted, 20 without details",
	} {
		if got := DayWords(t.Context(), c); got != want {
			t.Errorf("%v: %q, want %q", c, got, want)
		}
	}
	y := sampleYear()
	for i := range y.Days {
		y.Days[i] = DayCount{Submissions: 2}
	}
	if picture := string(appendHeatmap(t.Context(), nil, y)); strings.Contains(picture, "undetailed") {
		t.Error("a year without undetailed days names them")
	}
	y.Days[0].Undetailed, y.Days[11].Undetailed = 2, 1
	if picture := string(appendHeatmap(t.Context(), nil, y)); !strings.Contains(picture, ` data-undetailed="0:2 11:1">`) {
		t.Error("the picture does not name its undetailed days")
	}
}

// busyYear has a submission on every day: the most that a picture must say.
func busyYear() Year {
	y := sampleYear()
	for i := range y.Days {
		y.Days[i] = DayCount{Submissions: 1 + i*7919%23, Accepted: 1}
	}
	return y
}

func TestHeatmapIsSmall(t *testing.T) {
	if n := len(appendHeatmap(t.Context(), nil, busyYear())); n > 5<<10 {
		t.Errorf("a busy year takes %d bytes, want at most %d", n, 5<<10)
	}
	heatmap := Heatmap(busyYear())
	if n := testing.AllocsPerRun(100, func() { _ = heatmap.Render(context.Background(), io.Discard) }); n > 60 { // Most are its words.
		t.Errorf("a heatmap takes %g allocations, want at most 60", n)
	}
}

func BenchmarkHeatmap(b *testing.B) {
	heatmap := Heatmap(busyYear())
	b.ReportAllocs()
	var out bytes.Buffer
	for b.Loop() {
		out.Reset()
		if err := heatmap.Render(b.Context(), &out); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(out.Len()), "bytes")
}
