package awards

import (
	"slices"
	"testing"

	pg "laurel/models/db"
)

func FuzzCounted(f *testing.F) {
	f.Add("[]", "2026-11", "active", `a "place", [1]\ and é`)
	f.Add(`[[1,"","active","",1000000],[2,"","a\"]","x,y",-3]]`, "", "", "")
	f.Add(`[[1,"`, "\\", "\"", "\x00")
	f.Fuzz(func(t *testing.T, text, period, status, cell string) {
		if list, err := readCounted(text); err == nil && len(text) < 2 {
			t.Fatalf("%q is read as %v", text, list)
		}
		want := []counted{{7, period, status, cell, 1_500_000}, {8, cell, period, status, -1}}
		valid := slices.Clone(want)
		for i := range valid {
			for _, s := range []*string{&valid[i].Period, &valid[i].Status, &valid[i].Cell} {
				*s = pg.CleanText(*s)
			}
		}
		got, err := readCounted(writeCounted(valid))
		if err != nil || !slices.Equal(got, valid) {
			t.Fatalf("%v (%v), want %v", got, err, valid)
		}
	})
}
