package parts

import (
	"time"
)

// Span is how long something took: "20 s", "3 min", "26 h", "9 days", "5 months".
func Span(d time.Duration) string {
	d = max(d, 0)
	const day = 24 * time.Hour
	switch {
	case d < time.Second:
		return "less than 1 s"
	case d < time.Minute:
		return Number(int(d/time.Second)) + " s"
	case d < 90*time.Minute:
		return Number(int(d.Round(time.Minute)/time.Minute)) + " min"
	case d < 48*time.Hour:
		return Number(int(d.Round(time.Hour)/time.Hour)) + " h"
	case d < 90*day:
		return Number(int(d.Round(day)/day)) + " days"
	case d < 730*day:
		return Number(int(d/(day*30))) + " months"
	}
	return Number(int(d/(day*365))) + " years"
}

// Clock is a time of day, with seconds where they are not 0.
func Clock(t, now time.Time) string {
	t = t.In(now.Location())
	if t.Second() != 0 {
		return t.Format("15:04:05")
	}
	return t.Format("15:04")
}

// When is "at 12:05" on the day of at, and "on 9 March" on another.
func When(t, at, now time.Time) string {
	if DayDiff(t, at.In(now.Location())) == 0 {
		return "at " + Clock(t, now)
	}
	t = t.In(now.Location())
	if t.Year() == now.Year() {
		return "on " + t.Format("2 January")
	}
	return "on " + t.Format("2 January 2006")
}

// Stamp names an instant in full but for what is plain: "3 Mar 22:14".
func Stamp(t, now time.Time) string {
	return Date(t.In(now.Location()), now) + " " + Clock(t, now)
}

// LongStamp is an instant in a heading: "4 March 2026, 12:00".
func LongStamp(t, now time.Time) string {
	return t.In(now.Location()).Format("2 January 2006, ") + Clock(t, now)
}
