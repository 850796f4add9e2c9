package rules

import (
	"testing"

	"pgregory.net/rapid"
)

// A counter that is moved cell by cell is the one that all cells amount to.
func TestMovedIsTheDifferenceOfValues(t *testing.T) {
	t.Parallel()
	for _, kind := range Kinds() {
		if !kind.Rule {
			continue
		}
		for _, config := range []string{`{}`, `{"fact":"points"}`, `{"fact":"points","max_per_day":3}`} {
			doc := `{"slug":"a","title":"A","objectives":[{"id":"o","rule":{"name":"` + kind.Name + `","config":` + config + `}}],"strategy":{"objective_id":"o","goal":1}}`
			a, mistakes := Parse([]byte(doc))
			if len(mistakes) > 0 || !a.Objectives[0].PerCell() {
				continue
			}
			o := &a.Objectives[0]
			rapid.Check(t, func(t *rapid.T) {
				cells, counter := map[string]Amount{}, Amount(0)
				for range rapid.IntRange(1, 20).Draw(t, "moves") {
					key := rapid.SampledFrom([]string{"2026-11-01", "2026-11-02", "x"}).Draw(t, "cell")
					if kind.Name == "CountRule" {
						key = "" // Its only one.
					}
					now := max(0, cells[key]+Units(int64(rapid.IntRange(-3, 3).Draw(t, "by"))))
					counter += o.Moved(cells[key], now)
					cells[key] = now
				}
				if want := o.Rule.Config.Value(cells); counter != want {
					t.Fatalf("%s %s: moved to %s, all cells are %s", kind.Name, config, counter, want)
				}
			})
		}
	}
}
