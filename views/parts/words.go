package parts

import (
	"context"
	"strconv"
	"strings"
	"time"

	"laurel/views/texts"
)

// English is the context of texts that are in English for everybody: those of pages of admins.
var English = context.Background()

var english = English

// Number is English, as are all words here that take no context: for the pages of admins.
func Number(n int) string { return texts.Number(english, n) }

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
func DayDiff(t, now time.Time) int { return texts.DayDiff(t, now) }

// Moment is English.
func Moment(t, now time.Time) string { return texts.Moment(english, t, now) }

// Exact is English.
func Exact(t, now time.Time) string { return texts.Exact(english, t, now) }

// Day is English.
func Day(t, now time.Time) string { return texts.Day(english, t, now) }

// Date is English.
func Date(t, now time.Time) string { return texts.Date(english, t, now) }

// Next is English.
func Next(t, now time.Time) string { return texts.Next(english, t, now) }

// Ago is English.
func Ago(t, now time.Time) string { return texts.Ago(english, t, now) }

// OrElse returns a text, or another one if it is blank.
func OrElse(text, other string) string {
	if strings.TrimSpace(text) == "" {
		return other
	}
	return text
}

// NumberOrDash is English.
func NumberOrDash(n *int64) string { return texts.NumberOrDash(english, n) }

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

// Times is English.
func Times(n int) string { return texts.Times(english, n) }

// Glue puts two words together, where both are there.
func Glue(a, between, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + between + b
}

// AsOf is English.
func AsOf(t, now time.Time) string { return texts.AsOf(english, t, now) }

// ValueText is a value, or a dash where there is none.
func ValueText(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
