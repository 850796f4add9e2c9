package charts

import (
	"context"
	"strings"
	"time"

	"laurel/views/parts"
	"laurel/views/texts"
)

// stripWords is a strip in a sentence or two.
func stripWords(ctx context.Context, s Strip) string {
	var b strings.Builder
	now := s.Until
	b.WriteString(texts.T(ctx, "%s from %s to %s", s.Title, texts.Stamp(ctx, s.From, now), texts.Stamp(ctx, s.Until, now)) + ": ")
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
			b.WriteString(", " + texts.T(ctx, "then") + " ")
		}
		b.WriteString(parts.ValueText(p.Label) + " " + spanWords(ctx, p, now))
	}
	switch {
	case shown == 0:
		b.WriteString(texts.T(ctx, "nothing known"))
	case shown > stripSpoken:
		b.WriteString(", " + texts.N(ctx, shown-stripSpoken, "and %d more change", "and %d more changes"))
	}
	b.WriteString(". " + ChecksWords(ctx, within(s, s.Checks), within(s, s.Failed)) + ".")
	return b.String()
}

// stripSum is a strip of many in a few words: the page that it leads to says all.
func stripSum(ctx context.Context, s Strip) string {
	values := 0
	for _, p := range s.Spans {
		if s.shows(p) {
			values++
		}
	}
	return texts.T(ctx, "Timeline of %s: %s, %s", s.Title, texts.N(ctx, values, "%d value", "%d values"),
		texts.Lower(ctx, ChecksWords(ctx, within(s, s.Checks), within(s, s.Failed))))
}

// stripSpoken is how many values the words of a strip name; the table names all.
const stripSpoken = 4

func spanWords(ctx context.Context, p StripSpan, now time.Time) string {
	if p.LastSeen.After(p.From) {
		return texts.T(ctx, "seen from %s to %s", texts.Stamp(ctx, p.From, now), texts.Stamp(ctx, p.LastSeen, now))
	}
	return texts.T(ctx, "seen once, %s", texts.Stamp(ctx, p.From, now))
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
func ChecksWords(ctx context.Context, checks, failed int) string {
	if checks+failed == 0 {
		return texts.T(ctx, "No checks")
	}
	text := texts.N(ctx, checks+failed, "%d check", "%d checks")
	if failed > 0 {
		text += ", " + texts.T(ctx, "%d failed", failed)
	}
	return text
}
