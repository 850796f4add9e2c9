package awards

import (
	"maps"
	"strconv"
	"strings"

	"laurel/models/awards/rules"
	"laurel/models/badges/openbadge"
	views "laurel/views/awards"
)

// windowKeys are the fields of a window, which is made by the first that is
// filled and goes with the last.
var windowKeys = []struct {
	key, label, help string
	options          []string
}{
	{"from", "From", "The first day that counts.", nil},
	{"until", "Until", "The first day that no longer counts.", nil},
	{"every", "Can be won every", "", []string{"", "day", "week", "month", "year"}},
	{"grace", "Grace", "How long late events still count after the end.", spans},
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
		switch k.key {
		case "every":
			v = selectOf(v, k.options, map[string]string{"": "once only"})
		case "grace":
			v = selectOf(v, k.options, withDefault(spanWords, "24 hours (default)"))
		default:
			v.Date = v.Value == "" || len(v.Value) == 10
		}
		f.window.Fields = append(f.window.Fields, v)
	}
	f.window.Fields = append(f.window.Fields, f.choice(window, "window.zone", &calendars)...)
	for _, v := range f.window.Fields {
		write := f.set[v.Path]
		f.set[v.Path] = func(text string) {
			write(text)
			s.Set("window", window)
			if window.String() == "{}" {
				s.Set("window", nil)
			}
		}
	}
}

// addPicture makes the fields of the picture, which is made by the first that is filled.
func (f *awardForm) addPicture(s *rules.Sheet) {
	picture := s.Key("picture")
	if picture == nil {
		picture = rules.NewObject()
	}
	if !picture.IsObject() {
		return
	}
	icon := f.key(picture, "picture.icon", rules.Key{Name: "icon", Of: "text"}, "Icon")
	icon = selectOf(icon, append([]string{""}, rules.Icons()...), map[string]string{"": "star (default)"})
	icon.Drawn = iconDrawings
	hue := f.key(picture, "picture.hue", rules.Key{Name: "hue", Of: "number"}, "Colour")
	hue = selectOf(hue, append([]string{""}, hues...), hueWords)
	fields := []views.EditorField{icon,
		f.key(picture, "picture.emoji", rules.Key{Name: "emoji", Of: "text", Help: "One emoji in place of an icon."}, "Emoji"), hue}
	for _, v := range fields {
		write := f.set[v.Path]
		f.set[v.Path] = func(text string) {
			write(text)
			s.Set("picture", picture)
			if picture.String() == "{}" {
				s.Set("picture", nil)
			}
		}
	}
	f.picture = fields
}

// hues are colours to choose from, by their degrees; the JSON takes any.
var (
	hues     = strings.Fields("0 30 50 80 120 160 180 210 240 270 300 330")
	hueWords = map[string]string{"": "the award's own (default)", "0": "red", "30": "orange", "50": "yellow", "80": "lime", "120": "green",
		"160": "mint", "180": "turquoise", "210": "azure", "240": "blue", "270": "violet", "300": "magenta", "330": "pink"}
	iconDrawings = func() map[string]string {
		drawn := map[string]string{"": openbadge.IconSVG("star")}
		for _, name := range rules.Icons() {
			drawn[name] = openbadge.IconSVG(name)
		}
		return drawn
	}()
)

// withDefault adds what a choice is that is left out.
func withDefault(words map[string]string, blank string) map[string]string {
	all := maps.Clone(words)
	all[""] = blank
	return all
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
