package awards_test

import (
	"strings"
	"testing"

	handlers "laurel/handlers/awards"
	"laurel/models/awards/rules"
)

// A form that nothing was typed into changes nothing, and what is typed into one
// field changes that place alone, whatever the document looks like.
func FuzzAwardForm(f *testing.F) {
	for _, seed := range []string{writer, handlers.NewAward, `{}`, `[]`, `{"objectives": [[1], {"filters": [3, {"name": "TagFilter", "config": 1}], "rule": 2}], "strategy": []}`,
		`{"slug": 1, "strategy": {"goal": "x"}, "objectives": [{"id": null, "rule": {"name": "SumRule", "config": {"fact": [], "max_per_day": {}}}}]}`,
		`{"objectives": [{"filters": [{"name": "TagFilter", "config": {"tags": ["a,b", "c"]}}]}]}`,
		`{"levels": [{"title": "Bronze", "goal": 5, "more": [1]}, {"title": "Gold", "goal": 50}], "window": {"from": "2026-11-01", "every": "month", "more": {}}}`,
		`{"levels": [1, {"title": 2, "goal": {}}], "window": {"every": 5, "from": null}}`, `{"levels": {"a": 1}, "window": []}`} {
		f.Add(seed, "7", "add-filter 0")
		f.Add(seed, "", "add-level")
		f.Add(seed, "month", "remove-level 0")
	}
	f.Fuzz(func(t *testing.T, text, typed, button string) {
		s, _ := rules.ReadSheet([]byte(text))
		if s == nil {
			return
		}
		form := handlers.FormOf(s, nil)
		same := map[string][]string{}
		for path, value := range form.Now {
			same[path] = []string{handlers.OneLine(value)} // As browsers send it.
		}
		before := s.String()
		if changed, passed := form.Apply(form, same); s.String() != before {
			t.Fatalf("nothing was typed, and %t, %v:\n%s\nbecame\n%s", changed, passed, before, s)
		}
		for path := range form.Now {
			again, _ := rules.ReadSheet([]byte(before))
			next := handlers.FormOf(again, nil)
			next.Apply(form, map[string][]string{path: {typed}})
			if _, wrong := rules.ReadSheet([]byte(again.String())); len(wrong) > 0 && wrong[0].Path == "" && len(again.String()) < 64<<10 {
				t.Fatalf("%s = %q makes no JSON: %v\n%s", path, typed, wrong, again)
			}
		}
		if words := strings.Fields(button); len(words) > 0 {
			handlers.Rework(s, words, typed)
			handlers.FormOf(s, nil)
		}
	})
}
