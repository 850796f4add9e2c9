package parts

import (
	"testing"
	"time"
)

func TestPercent(t *testing.T) {
	for _, tt := range []struct {
		part, whole int
		want        string
	}{{0, 0, "-"}, {0, 5, "0 %"}, {5, 5, "100 %"}, {999, 1000, "99 %"}, {1, 1000, "1 %"}, {1, 2, "50 %"}, {2, 3, "67 %"}} {
		if got := Percent(tt.part, tt.whole); got != tt.want {
			t.Errorf("percent(%d, %d) = %q, want %q", tt.part, tt.whole, got, tt.want)
		}
	}
}

func TestNumber(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -42: "-42", -123456: "-123,456"} {
		if got := Number(n); got != want {
			t.Errorf("Number(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestSpan(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "less than 1 s", 20 * time.Second: "20 s", 89 * time.Minute: "89 min", 90 * time.Minute: "2 h", 47 * time.Hour: "47 h",
		48 * time.Hour: "2 days", 89 * 24 * time.Hour: "89 days", 150 * 24 * time.Hour: "5 months", 800 * 24 * time.Hour: "2 years",
	} {
		if got := Span(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}
