package charts

import (
	"strconv"
	"strings"
	"time"

	"laurel/views/parts"
)

// stripWords is a strip in a sentence or two.
func stripWords(s Strip) string {
	var b strings.Builder
	now := s.Until
	b.WriteString(s.Title + " from " + parts.Stamp(s.From, now) + " to " + parts.Stamp(s.Until, now) + ": ")
	shown := 0
	for _, p := range s.Spans {
		if !s.shows(p) {
			continue
		}
		shown++
		if shown > stripSpoken {
			continue
		}
		if shown > 1 {
			b.WriteString(", then ")
		}
		b.WriteString(parts.ValueText(p.Label) + " " + spanWords(p, now))
	}
	switch {
	case shown == 0:
		b.WriteString("nothing known")
	case shown > stripSpoken:
		b.WriteString(", and " + parts.Plural(shown-stripSpoken, "more change"))
	}
	b.WriteString(". " + ChecksWords(within(s, s.Checks), within(s, s.Failed)) + ".")
	return b.String()
}

// stripSum is a strip of many in a few words: the page that it leads to says all.
func stripSum(s Strip) string {
	values := 0
	for _, p := range s.Spans {
		if s.shows(p) {
			values++
		}
	}
	return "Timeline of " + s.Title + ": " + parts.Plural(values, "value") + ", " +
		strings.ToLower(ChecksWords(within(s, s.Checks), within(s, s.Failed)))
}

// stripSpoken is how many values the words of a strip name; the table names all.
const stripSpoken = 4

func spanWords(p StripSpan, now time.Time) string {
	if p.LastSeen.After(p.From) {
		return "seen from " + parts.Stamp(p.From, now) + " to " + parts.Stamp(p.LastSeen, now)
	}
	return "seen once, " + parts.Stamp(p.From, now)
}

// within counts the instants that a strip shows.
func within(s Strip, checks []time.Time) int {
	n := 0
	for _, t := range checks {
		if s.covers(t) {
			n++
		}
	}
	return n
}

// ChecksWords says how many checks there were, and how many failed.
func ChecksWords(checks, failed int) string {
	if checks+failed == 0 {
		return "No checks"
	}
	text := parts.Plural(checks+failed, "check")
	if failed > 0 {
		text += ", " + strconv.Itoa(failed) + " failed"
	}
	return text
}
