package awards

import (
	"regexp"
	"slices"
	"strings"

	"laurel/models/awards/rules"
)

// apart stands between the values of a list, which has several fields of one name: nobody types it.
const apart = '\x1f'

// choiceWords are what choices say, where it is not the value.
var choiceWords = map[string]string{"mon": "Monday", "tue": "Tuesday", "wed": "Wednesday", "thu": "Thursday", "fri": "Friday",
	"sat": "Saturday", "sun": "Sunday", "contest": "during the contest", "virtual": "virtually", "practice": "as practice",
	"unknown": "unknown"}

var clockTime = regexp.MustCompile(`^([01][0-9]|2[0-3]):[0-5][0-9]$`) // What a field of a time takes.

// listed is a list as one text. Fields that are empty are no values.
func listed(values []string) string {
	var list []string
	for _, v := range values {
		if v = strings.TrimSpace(v); v != "" {
			list = append(list, v)
		}
	}
	return strings.Join(list, string(apart))
}

// textsOf are the values of a list, or what stands in its place.
func textsOf(s *rules.Sheet) []string {
	if list, ok := s.Texts(); ok {
		return list
	}
	return []string{s.Text()}
}

// withOthers are choices, with those behind them that stand there and are none.
func withOthers(choices, values []string) []string {
	all := slices.Clone(choices)
	for _, v := range values {
		if len(choices) > 0 && !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	return all
}

// wrongAt is what is wrong at the first of these places, which have no field of their own.
func (f *awardForm) wrongAt(paths ...string) string {
	for _, path := range paths {
		if words := f.errs[path]; words != "" {
			return words
		}
	}
	return ""
}

// fieldAt is the path of the field that a mistake is about: of a value of a list it is the list's.
func (f *awardForm) fieldAt(path string) string {
	if _, ok := f.Now[path]; ok {
		return path
	}
	if list, _, ok := cutLast(path, "["); ok && f.lists[list] {
		return list
	}
	return ""
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
