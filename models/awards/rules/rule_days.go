package rules

import (
	"slices"
	"time"
)

func init() { register(rules, "ConsecutiveDaysRule", func() Rule { return new(daysRule) }) }

// daysRule counts the longest run of days of the member's calendar on each of
// which there is an item. Days are dates, so that one of 23 or 25 hours is one.
type daysRule struct{}

func (*daysRule) Contribute(e *Event) (string, Amount) {
	return e.local().Format(time.DateOnly), unit
}

func (*daysRule) Value(cells map[string]Amount) Amount {
	days := make([]time.Time, 0, len(cells))
	for key, items := range cells {
		if day, err := time.Parse(time.DateOnly, key); err == nil && items > 0 {
			days = append(days, day)
		}
	}
	slices.SortFunc(days, time.Time.Compare)
	var longest, run int64
	for i, day := range days {
		if i > 0 && days[i-1].AddDate(0, 0, 1).Equal(day) {
			run++
		} else {
			run = 1
		}
		longest = max(longest, run)
	}
	return Units(longest)
}

func (*daysRule) Whole() bool { return true }

func (*daysRule) Counts() Phrase { return Say("the longest run of days with an item on each") }
