package texts

import (
	"context"
	"strconv"
	"strings"
	"time"
)

// Number writes n with the language's mark between thousands.
func Number(ctx context.Context, n int) string { return of(ctx).number(n) }

func (l *Language) number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + l.Thousands + s[i:]
	}
	return s
}

// Decimal writes v with as many digits as it has.
func Decimal(ctx context.Context, v float64) string {
	whole, fraction, parted := strings.Cut(strconv.FormatFloat(v, 'f', -1, 64), ".")
	if n, err := strconv.Atoi(whole); err == nil && n != 0 { // -0 keeps its sign.
		whole = Number(ctx, n)
	}
	if !parted {
		return whole
	}
	return whole + of(ctx).Point + fraction
}

// NumberOrDash writes a number that the network gave, or "-".
func NumberOrDash(ctx context.Context, n *int64) string {
	if n == nil {
		return "-"
	}
	return Number(ctx, int(*n))
}

// DayDiff is how many calendar days t is after now, in now's zone.
func DayDiff(t, now time.Time) int {
	t = t.In(now.Location())
	a := time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
	b := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	return int(a.Sub(b) / (24 * time.Hour))
}

// Format writes a time by a layout of English names, which begins with the day or has none: "2 Jan 2006".
func Format(ctx context.Context, t time.Time, layout string) string { return of(ctx).date(t, layout) }

// Moment names a moment as a person would: "14:02", "yesterday 09:12",
// "3 Nov", "3 Nov 2024". The zone is now's.
func Moment(ctx context.Context, t, now time.Time) string {
	t = t.In(now.Location())
	switch DayDiff(t, now) {
	case 0:
		return t.Format("15:04")
	case -1:
		return T(ctx, "yesterday %s", t.Format("15:04"))
	case 1:
		return T(ctx, "tomorrow %s", t.Format("15:04"))
	}
	return Date(ctx, t, now)
}

// Exact is moment with the time of day also on older days: "3 Nov 09:12".
func Exact(ctx context.Context, t, now time.Time) string {
	if d := DayDiff(t, now); d >= -1 && d <= 1 {
		return Moment(ctx, t, now)
	}
	t = t.In(now.Location())
	return Date(ctx, t, now) + t.Format(" 15:04")
}

// Day names a calendar day: "today", "tomorrow", "27 Nov", "27 Nov 2024".
func Day(ctx context.Context, t, now time.Time) string {
	t = t.In(now.Location())
	switch DayDiff(t, now) {
	case 0:
		return T(ctx, "today")
	case -1:
		return T(ctx, "yesterday")
	case 1:
		return T(ctx, "tomorrow")
	}
	return Date(ctx, t, now)
}

// Date writes a day, with the year where it is another one.
func Date(ctx context.Context, t, now time.Time) string {
	if t.Year() == now.Year() {
		return Format(ctx, t, "2 Jan")
	}
	return Format(ctx, t, "2 Jan 2006")
}

// Next names a moment to come. Close ones have a time, later ones a day; what
// is due by now is "now".
func Next(ctx context.Context, t, now time.Time) string {
	if !t.After(now) {
		return T(ctx, "now")
	}
	if t.Sub(now) < time.Hour || DayDiff(t, now) == 0 {
		return t.In(now.Location()).Format("15:04")
	}
	return Day(ctx, t, now)
}

// Ago says how long a moment is past: "just now", "12 minutes ago", "3 hours
// ago", and then the day.
func Ago(ctx context.Context, t, now time.Time) string {
	switch d := now.Sub(t); {
	case d < time.Minute:
		return T(ctx, "just now")
	case d < time.Hour:
		return N(ctx, int(d/time.Minute), "%d minute ago", "%d minutes ago")
	case DayDiff(t, now) == 0:
		return N(ctx, int(d/time.Hour), "%d hour ago", "%d hours ago")
	}
	return Moment(ctx, t, now)
}

// Times writes once, twice, 3 times.
func Times(ctx context.Context, n int) string {
	switch n {
	case 0, 1:
		return T(ctx, "once")
	case 2:
		return T(ctx, "twice")
	}
	return N(ctx, n, "%d time", "%d times")
}

// AsOf is "at 14:02" of today, and "as of 3 Nov" of another day.
func AsOf(ctx context.Context, t, now time.Time) string {
	if DayDiff(t, now) == 0 {
		return T(ctx, "at %s", Moment(ctx, t, now))
	}
	return T(ctx, "as of %s", Moment(ctx, t, now))
}

// Span is how long something took: "20 s", "3 min", "26 h", "9 days", "5 months".
func Span(ctx context.Context, d time.Duration) string {
	d = max(d, 0)
	const day = 24 * time.Hour
	switch {
	case d < time.Second:
		return T(ctx, "less than 1 s")
	case d < time.Minute:
		return T(ctx, "%d s", int(d/time.Second))
	case d < 90*time.Minute:
		return T(ctx, "%d min", int(d.Round(time.Minute)/time.Minute))
	case d < 48*time.Hour:
		return T(ctx, "%d h", int(d.Round(time.Hour)/time.Hour))
	case d < 90*day:
		return N(ctx, int(d.Round(day)/day), "%d day", "%d days")
	case d < 730*day:
		return N(ctx, int(d/(day*30)), "%d month", "%d months")
	}
	return N(ctx, int(d/(day*365)), "%d year", "%d years")
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
func When(ctx context.Context, t, at, now time.Time) string {
	if DayDiff(t, at.In(now.Location())) == 0 {
		return T(ctx, "at %s", Clock(t, now))
	}
	t = t.In(now.Location())
	if t.Year() == now.Year() {
		return T(ctx, "on %s", Format(ctx, t, "2 January"))
	}
	return T(ctx, "on %s", Format(ctx, t, "2 January 2006"))
}

// Stamp names an instant in full but for what is plain: "3 Mar 22:14".
func Stamp(ctx context.Context, t, now time.Time) string {
	return Date(ctx, t.In(now.Location()), now) + " " + Clock(t, now)
}

// LongStamp is an instant in a heading: "4 March 2026, 12:00".
func LongStamp(ctx context.Context, t, now time.Time) string {
	return Format(ctx, t.In(now.Location()), "2 January 2006, ") + Clock(t, now)
}
