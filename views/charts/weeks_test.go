package charts

import (
	"strings"
	"testing"
)

func TestWeeks(t *testing.T) {
	for _, x := range []struct {
		n    []int
		want []string
	}{
		{nil, []string{"–"}}, {[]int{0, 0}, []string{"–"}},
		{[]int{0, 1, 2000, 1000}, []string{"Solved in each of the last 4 weeks: 0, 1, 2,000, 1,000<", `d="M15 20V19M25 20V0M35 20V10"`}},
	} {
		svg := string(appendWeeks(t.Context(), nil, x.n))
		for _, want := range x.want {
			if !strings.Contains(svg, want) {
				t.Errorf("%v is drawn as %s, want %s", x.n, svg, want)
			}
		}
	}
}
