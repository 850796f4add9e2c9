package awards

import (
	"slices"
	"strconv"
	"strings"

	"laurel/models/awards/rules"
	views "laurel/views/awards"
)

// windowKeys are the fields of a window, which is made by the first that is
// filled and goes with the last.
var windowKeys = []struct {
	key, label, help string
	options          []string
}{
	{"from", "From", "The first day that counts, such as 2026-11-01.", nil},
	{"until", "Until", "The first day that no longer counts.", nil},
	{"every", "Can be won every", "", []string{"", "day", "week", "month", "year"}},
	{"grace", "Grace", "How long late events still count after the end; 24h by default.", nil},
	{"zone", "Calendar", "member (default) or a fixed zone: fixed:Europe/Berlin.", nil},
}

// addWindow makes the fields of the window.
func (f *awardForm) addWindow(s *rules.Sheet) {
	f.window.Error = f.errs["window"]
	window := s.Key("window")
	if window == nil {
		window = rules.NewObject()
	}
	if !window.IsObject() {
		return
	}
	for _, k := range windowKeys {
		v := f.key(window, "window."+k.key, rules.Key{Name: k.key, Help: k.help, Of: "text"}, k.label)
		if v.Options = k.options; v.Options != nil {
			v.Blank = "once only"
			if !slices.Contains(v.Options, v.Value) {
				v.Options = append([]string{v.Value}, v.Options...)
			}
		}
		write := f.set[v.Path]
		f.set[v.Path] = func(text string) {
			write(text)
			s.Set("window", window)
			if window.String() == "{}" {
				s.Set("window", nil)
			}
		}
		f.window.Fields = append(f.window.Fields, v)
	}
}

// addLevels makes the fields of the levels.
func (f *awardForm) addLevels(s *rules.Sheet) {
	f.levels.Error = f.errs["levels"]
	for i, l := range s.Key("levels").Items() {
		if !l.IsObject() {
			continue
		}
		at := "levels[" + strconv.Itoa(i) + "]."
		f.levels.Rows = append(f.levels.Rows, views.LevelForm{Index: i, Fields: []views.EditorField{
			f.key(l, at+"title", rules.Key{Name: "title", Of: "text", Required: true}, "Level "+strconv.Itoa(i+1)),
			f.key(l, at+"goal", rules.Key{Name: "goal", Of: "number", Required: true}, "Goal of level "+strconv.Itoa(i+1)),
		}})
	}
}

// reworkLevels adds a level or removes the one at a place. The first one has the
// goal of the award; each later one comes before the last, whose goal that is.
func reworkLevels(s *rules.Sheet, what string, at []int) {
	levels := s.Key("levels")
	switch {
	case levels != nil && !strings.HasPrefix(levels.String(), "["):
	case what == "add-level" && len(levels.Items()) == 0:
		goal := rules.NewNumber(s.Key("strategy").Key("goal").Text())
		s.Append("levels", rules.NewObject("title", rules.NewText(""), "goal", goal))
	case what == "add-level":
		last := levels.Items()[len(levels.Items())-1]
		levels.Drop(func(_ int, l *rules.Sheet) bool { return l == last })
		s.Append("levels", rules.NewObject("title", rules.NewText(""), "goal", rules.NewText("")))
		s.Append("levels", last)
	case what == "remove-level" && len(at) > 0:
		levels.Drop(func(i int, _ *rules.Sheet) bool { return i == at[0] })
		if len(levels.Items()) == 0 {
			s.Set("levels", nil)
		}
	}
}
