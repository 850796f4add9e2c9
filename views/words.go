package views

import (
	"net/url"
	"strconv"
	"strings"
	"time"
)

func profilePath(name string) string     { return "/u/" + url.PathEscape(name) }
func retrievePath(name string) string    { return profilePath(name) + "/retrieve" }
func eventsPath(name string) string      { return profilePath(name) + "/retrieval/events" }
func daysPath(name string) string        { return profilePath(name) + "/days" }
func ratingsPath(name string) string     { return profilePath(name) + "/ratings" }
func submissionsPath(name string) string { return profilePath(name) + "/submissions" }

// dayPath leads to the submissions of one day.
func dayPath(name string, day time.Time) string {
	d := day.Format(time.DateOnly)
	return submissionsPath(name) + "?from=" + d + "&to=" + d
}

// signIn leads to the sign-in page and back to where the visitor was.
func signIn(from string) string {
	if from == "" || from == "/" || strings.HasPrefix(from, "/sign-") {
		return "/sign-in"
	}
	return "/sign-in?next=" + url.QueryEscape(from)
}

// footerLine says which program this is and how the sites are.
func footerLine(f Frame) string {
	line := "Laurel"
	if f.Build != "" {
		line += " " + f.Build
	}
	if f.Health != "" {
		line += " · " + f.Health
	}
	return line + " ·"
}

// number writes n with a comma between thousands.
func number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Count writes a number as pages do: 1,874.
func Count(n int) string { return number(n) }

// count is a number and its noun: "1 look", "1,874 looks".
func count(n int, word string) string { return number(n) + " " + noun(n, word) }

// noun gets an s unless n is 1.
func noun(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// percent is part of whole, rounded so that only all of it is 100 % and only
// nothing is 0 %.
func percent(part, whole int) string {
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

// dayDiff is how many calendar days t is after now, in now's zone.
func dayDiff(t, now time.Time) int {
	t = t.In(now.Location())
	a := time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
	b := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	return int(a.Sub(b) / (24 * time.Hour))
}

// moment names a moment as a person would: "14:02", "yesterday 09:12",
// "3 Nov", "3 Nov 2024". The zone is now's.
func moment(t, now time.Time) string {
	t = t.In(now.Location())
	switch dayDiff(t, now) {
	case 0:
		return t.Format("15:04")
	case -1:
		return "yesterday " + t.Format("15:04")
	case 1:
		return "tomorrow " + t.Format("15:04")
	}
	return date(t, now)
}

// exact is moment with the time of day also on older days: "3 Nov 09:12".
func exact(t, now time.Time) string {
	if d := dayDiff(t, now); d >= -1 && d <= 1 {
		return moment(t, now)
	}
	t = t.In(now.Location())
	return date(t, now) + t.Format(" 15:04")
}

// day names a calendar day: "today", "tomorrow", "27 Nov", "27 Nov 2024".
func day(t, now time.Time) string {
	t = t.In(now.Location())
	switch dayDiff(t, now) {
	case 0:
		return "today"
	case -1:
		return "yesterday"
	case 1:
		return "tomorrow"
	}
	return date(t, now)
}

func date(t, now time.Time) string {
	if t.Year() == now.Year() {
		return t.Format("2 Jan")
	}
	return t.Format("2 Jan 2006")
}

// next names a moment to come. Close ones have a time, later ones a day; what
// is due by now is "now".
func next(t, now time.Time) string {
	if !t.After(now) {
		return "now"
	}
	if t.Sub(now) < time.Hour || dayDiff(t, now) == 0 {
		return t.In(now.Location()).Format("15:04")
	}
	return day(t, now)
}

// ago says how long a moment is past: "just now", "12 minutes ago", "3 hours
// ago", and then the day.
func ago(t, now time.Time) string {
	switch d := now.Sub(t); {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return count(int(d/time.Minute), "minute") + " ago"
	case dayDiff(t, now) == 0:
		return count(int(d/time.Hour), "hour") + " ago"
	}
	return moment(t, now)
}
