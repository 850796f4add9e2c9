package posts

import (
	"strings"
	"testing"
	"time"

	"laurel/views/charts"
	"laurel/views/viewstest"
)

func TestPostStatus(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*Post)
		want   string
	}{
		{"active", func(*Post) {}, "Tracking, checked every 3 minutes; next check 14:06."},
		{"due", func(p *Post) { p.Due = true }, "checking now."},
		{"new", func(p *Post) { p.Seen = time.Time{} }, "The first check is starting"},
		{"missing", func(p *Post) { p.Missing = 2 }, "Not found twice since yesterday 08:05"},
		{"in trouble", func(p *Post) { p.Attempts, p.LastError = 1, "no answer in time" }, "The last check failed (no answer in time); next check 14:06."},
		{"gone", func(p *Post) { p.State, p.Next = "gone", time.Time{} }, "hidden since yesterday 08:05; showing the last known numbers."},
		{"later", func(p *Post) { p.State, p.Next = "gone", viewstest.Now.AddDate(0, 0, 7) }, "next check 28 Nov 14:05."},
		{"finished", func(p *Post) { p.State = "finished" }, "its numbers are final."},
		{"a tier of days", func(p *Post) { p.Tier = Tier{30 * 24 * time.Hour, 24 * time.Hour} }, "checked every day"},
	} {
		p := samplePost("active")
		tt.change(&p)
		if got := p.status(t.Context(), viewstest.Now); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q does not say %q", tt.name, got, tt.want)
		}
	}
}

// A number that is not known is a gap in every picture, and a dash in the table.
func TestUnknownNumbersAreGaps(t *testing.T) {
	page := samplePostPage(samplePost("active"))
	svg := viewstest.Rendered(t, Chart(page.Curve))
	_, line, _ := strings.Cut(svg, `<path class=c0 d="`)
	line, _, _ = strings.Cut(line, `"`)
	if n := strings.Count(line, "M"); n != 2 || strings.Count(svg, `class="dot c0"`) != 1 { // Around the look without likes; and the one before the silence.
		t.Errorf("the line %q has %d pieces, want 2 and a dot", line, n)
	}
	if zoomed := page.Curve.zoomed(); !strings.Contains(zoomed, `[0,30,null,270,null,480,750]`) {
		t.Errorf("the script gets %s", zoomed)
	}
	if spark := viewstest.Rendered(t, charts.Sparkline(samplePost("active").Line)); strings.Count(spark, "M") != 2 {
		t.Errorf("the small line %s has no gap", spark)
	}
	html := viewstest.Rendered(t, Page(page))
	if !strings.Contains(html, `data-of="quotes">-<`) || strings.Contains(html, `data-figure="quotes"`) || !strings.Contains(html, `data-figure="replies">0<`) {
		t.Error("a number that nobody gave is shown, or one that is 0 is not")
	}
	if strings.Contains(html, "<b>it</b>") || !strings.Contains(html, `rel="nofollow noopener noreferrer"`) {
		t.Error("what a network says is not plain text, or its link is trusted")
	}
}

func TestPoolSaysWhatToDo(t *testing.T) {
	for want, p := range map[string]Pool{
		"stretched 2.00 times. Add a credential":              {Slowdown: 2, Demand: 20, Supply: 10, Measured: viewstest.Now},
		"every 2.5 days. Raise the monthly budget":            {Slowdown: 1, EveryDays: 2.5, Demand: 1, Supply: 10, Measured: viewstest.Now},
		"none succeeded in the last hour":                     {Slowdown: 1, Demand: 0.25, Supply: 10, Measured: viewstest.Now, Failed: 4},
		"Every post is checked on schedule":                   {Slowdown: 1, Demand: 0.25, Supply: 10, Measured: viewstest.Now},
		"No usable credential":                                {Closed: true, Measured: viewstest.Now, Supply: 3},
		"are measured within 5 minutes":                       {},
		"0.2 requests an hour needed, 3,000 available. Every": {Slowdown: 1, Demand: 0.25, Supply: 3000, Measured: viewstest.Now},
	} {
		if got := p.pace(); !strings.Contains(got, want) {
			t.Errorf("%+v: %q does not say %q", p, got, want)
		}
	}
}

func TestShortNumbers(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 9999: "9,999", 12_000: "12k", 12_500: "12.5k", 3_000_000: "3M", 1_200_000_000: "1.2G"} {
		if got := short(t.Context(), n); got != want {
			t.Errorf("short(%d) = %q, want %q", n, got, want)
		}
	}
	for n, want := range map[int64]int64{1: 4, 4: 4, 5: 8, 13: 20, 33: 40, 41: 80, 999: 1200} {
		if got := roundUp(n); got != want {
			t.Errorf("roundUp(%d) = %d, want %d", n, got, want)
		}
	}
}
