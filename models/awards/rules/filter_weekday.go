package rules

import (
	"slices"
	"strings"
)

func init() { register(filters, "DayOfWeekFilter", func() Filter { return new(dayOfWeekFilter) }) }

// dayOfWeekFilter takes what was done on these days, where the member is.
type dayOfWeekFilter struct {
	Days []string `json:"days" choices:"mon tue wed thu fri sat sun" help:"Days of the member's week: mon, tue, wed, thu, fri, sat, sun."`
}

var weekdays = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"} // By time.Weekday.

func (f *dayOfWeekFilter) check(at string, m *Mistakes) {
	for i, day := range f.Days {
		if !slices.Contains(weekdays, day) {
			m.add(element(join(at, "days"), i), "no day is named %q (known: %s)", day, strings.Join(weekdays, ", "))
		}
	}
}

func (f *dayOfWeekFilter) Pass(e *Event) bool {
	return slices.Contains(f.Days, weekdays[e.local().Weekday()])
}

func (f *dayOfWeekFilter) Wants() Phrase { return oneOf("the member's day", f.Days) }
