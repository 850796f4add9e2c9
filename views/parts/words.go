package parts

import (
	"strconv"
	"strings"
	"time"
)

// Number writes n with a comma between thousands.
func Number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Plural is a number and its noun: "1 check", "1,874 checks".
func Plural(n int, word string) string { return Number(n) + " " + Noun(n, word) }

// Noun gets an s unless n is 1.
func Noun(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// Percent is part of whole, rounded so that only all of it is 100 % and only
// nothing is 0 %.
func Percent(part, whole int) string {
	if whole <= 0 {
		return "-"
	}
	p := (part*200 + whole) / (2 * whole)
	if part < whole {
		p = min(p, 99)
	}
	if part > 0 {
		p = max(p, 1)
	}
	return strconv.Itoa(p) + " %"
}

// DayDiff is how many calendar days t is after now, in now's zone.
func DayDiff(t, now time.Time) int {
	t = t.In(now.Location())
	a := time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
	b := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	return int(a.Sub(b) / (24 * time.Hour))
}

// Moment names a moment as a person would: "14:02", "yesterday 09:12",
// "3 Nov", "3 Nov 2024". The zone is now's.
func Moment(t, now time.Time) string {
	t = t.In(now.Location())
	switch DayDiff(t, now) {
	case 0:
		return t.Format("15:04")
	case -1:
		return "yesterday " + t.Format("15:04")
	case 1:
		return "tomorrow " + t.Format("15:04")
	}
	return Date(t, now)
}

// Exact is moment with the time of day also on older days: "3 Nov 09:12".
func Exact(t, now time.Time) string {
	if d := DayDiff(t, now); d >= -1 && d <= 1 {
		return Moment(t, now)
	}
	t = t.In(now.Location())
	return Date(t, now) + t.Format(" 15:04")
}

// Day names a calendar day: "today", "tomorrow", "27 Nov", "27 Nov 2024".
func Day(t, now time.Time) string {
	t = t.In(now.Location())
	switch DayDiff(t, now) {
	case 0:
		return "today"
	case -1:
		return "yesterday"
	case 1:
		return "tomorrow"
	}
	return Date(t, now)
}

// Date writes a day, with the year where it is another one.
func Date(t, now time.Time) string {
	if t.Year() == now.Year() {
		return t.Format("2 Jan")
	}
	return t.Format("2 Jan 2006")
}

// Next names a moment to come. Close ones have a time, later ones a day; what
// is due by now is "now".
func Next(t, now time.Time) string {
	if !t.After(now) {
		return "now"
	}
	if t.Sub(now) < time.Hour || DayDiff(t, now) == 0 {
		return t.In(now.Location()).Format("15:04")
	}
	return Day(t, now)
}

// Ago says how long a moment is past: "just now", "12 minutes ago", "3 hours
// Ago", and then the day.
func Ago(t, now time.Time) string {
	switch d := now.Sub(t); {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return Plural(int(d/time.Minute), "minute") + " ago"
	case DayDiff(t, now) == 0:
		return Plural(int(d/time.Hour), "hour") + " ago"
	}
	return Moment(t, now)
}

// OrElse returns a text, or another one if it is blank.
func OrElse(text, other string) string {
	if strings.TrimSpace(text) == "" {
		return other
	}
	return text
}

// NumberOrDash writes a number that the network gave, or "-".
func NumberOrDash(n *int64) string {
	if n == nil {
		return "-"
	}
	return Number(int(*n))
}

// Join puts the said_ that say something behind one another.
func Join(all ...string) string {
	var said []string
	for _, p := range all {
		if p != "" {
			said = append(said, p)
		}
	}
	return strings.Join(said, "; ")
}

// Times writes once, twice, 3 times.
func Times(n int) string {
	switch n {
	case 0, 1:
		return "once"
	case 2:
		return "twice"
	}
	return Plural(n, "time")
}

// Glue puts two words together, where both are there.
func Glue(a, between, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + between + b
}

// AsOf is "at 14:02" of today, and "as of 3 Nov" of another day.
func AsOf(t, now time.Time) string {
	if DayDiff(t, now) == 0 {
		return "at " + Moment(t, now)
	}
	return "as of " + Moment(t, now)
}

// ValueText is a value, or a dash where there is none.
func ValueText(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
