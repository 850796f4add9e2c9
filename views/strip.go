package views

import (
	"context"
	"html"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
)

// A Strip is the timeline of one value: when it was what, and how that is known.
type Strip struct {
	Title       string      // "Codeforces rating".
	From, Until time.Time   // What is drawn; Until at most the present. The zone is that of all times.
	At          time.Time   // Marked; zero, or outside, is not.
	Spans       []StripSpan // Oldest first; those outside are not drawn.
	Looks       []time.Time // That succeeded, in order.
	Failed      []time.Time // That did not, in order.
	Wide        bool        // Stands alone, with its days named below.

	ticks  string // The id of its ticks, when other strips of the page have the same.
	shared bool   // The ticks of that id are drawn already.
}

// A StripSpan is a time through which a value did not change.
type StripSpan struct {
	From     time.Time // The first look that showed it.
	LastSeen time.Time // The last look that showed it.
	Until    time.Time // The look that found it ended; zero while it is open.
	Label    string    // The value: "1874".
}

// Timeline draws a strip: solid between the first and the last look at a value,
// hatched from there to the look that found another, nothing where nothing is
// known, a dashed frame while looks failed, and below it a tick for each look,
// a hollow one for each that failed.
//
// A page with strips has stripDefs once.
func Timeline(s Strip) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := w.Write(appendStrip(make([]byte, 0, 2<<10), s))
		return err
	})
}

const (
	stripUnits = 700 // The width of a strip.
	tickGap    = 3   // Of these: looks nearer than this share a tick.
)

func appendStrip(b []byte, s Strip) []byte {
	b = append(b, `<svg class="strip`...)
	if s.Wide {
		b = append(b, ` wide`...)
	}
	b = append(b, `" role="img" aria-label="`...)
	b = append(b, html.EscapeString(stripWords(s))...)
	b = append(b, `">`...)
	if s.Wide {
		b = s.appendDays(b)
	}
	b = append(b, `<svg viewBox="0 0 700 30" preserveAspectRatio=none height=30>`...)
	for i, p := range s.Spans {
		b = s.appendSpan(b, p, i)
	}
	b = s.appendGaps(b)
	b = s.appendAllTicks(b)
	if !s.At.IsZero() && !s.At.Before(s.From) && !s.At.After(s.Until) {
		b = append(b, `<path class=t d="M`...)
		b = appendInt(b, s.x(s.At))
		b = append(b, ` 0v28"/>`...)
	}
	return append(b, `</svg></svg>`...)
}

// x is where an instant stands, from 0 to stripUnits; those outside stand at the ends.
func (s Strip) x(t time.Time) int {
	whole := s.Until.Sub(s.From)
	if whole <= 0 {
		return 0
	}
	return min(max(int(stripUnits*t.Sub(s.From).Seconds()/whole.Seconds()), 0), stripUnits)
}

// end is when a span ends, at most where the strip does.
func (s Strip) end(p StripSpan) time.Time {
	if p.Until.IsZero() || p.Until.After(s.Until) {
		return s.Until
	}
	return p.Until
}

// appendSpan draws what is certain of a span, and what is a guess.
func (s Strip) appendSpan(b []byte, p StripSpan, i int) []byte {
	if p.From.After(s.Until) || s.end(p).Before(s.From) {
		return b
	}
	from, seen, until := s.x(p.From), s.x(p.LastSeen), s.x(s.end(p))
	seen = max(seen, from+2) // Seen once is still seen.
	if i > 0 {
		from++ // So that a change can be seen even where nobody had to guess.
	}
	b = appendBar(b, "v", from, seen)
	if until > seen {
		b = appendBar(b, "g", seen, until)
	}
	return b
}

// appendBar draws a part of a strip; a frame stands a little outside.
func appendBar(b []byte, class string, from, until int) []byte {
	b = append(b, `<path class=`...)
	b = append(b, class...)
	b = append(b, ` d="M`...)
	b = appendInt(b, from)
	if class == "e" {
		b = append(b, ` 3h`...)
	} else {
		b = append(b, ` 6h`...)
	}
	b = appendInt(b, max(until-from, 1))
	if class == "e" {
		b = append(b, `v16H`...)
	} else {
		b = append(b, `v11H`...)
	}
	b = appendInt(b, from)
	return append(b, `z"/>`...)
}

// appendGaps frames the times in which looks failed: from the first one that
// failed to the next that did not.
func (s Strip) appendGaps(b []byte) []byte {
	for i := 0; i < len(s.Failed); {
		first := s.Failed[i]
		next, _ := slices.BinarySearchFunc(s.Looks, first, time.Time.Compare)
		until := s.Until
		if next < len(s.Looks) {
			until = s.Looks[next]
		}
		for i < len(s.Failed) && !s.Failed[i].After(until) {
			i++
		}
		if !until.Before(s.From) && !first.After(s.Until) && s.x(until)-s.x(first) > 2 {
			b = appendBar(b, "e", s.x(first), s.x(until))
		}
	}
	return b
}

// appendAllTicks draws all looks, or names those of a strip that has the same.
func (s Strip) appendAllTicks(b []byte) []byte {
	if s.shared {
		b = append(b, `<use href="#`...)
		b = append(b, s.ticks...)
		return append(b, `"/>`...)
	}
	if s.ticks != "" {
		b = append(b, `<g id=`...)
		b = append(b, s.ticks...)
		b = append(b, '>')
	}
	b = s.appendTicks(b, "k", s.Looks)
	b = s.appendTicks(b, "f", s.Failed)
	if s.ticks != "" {
		b = append(b, `</g>`...)
	}
	return b
}

// shareTicks lets strips with the same looks draw them once. Numbers that one
// page shows are looked at together, so that is most of a member's.
func shareTicks(groups []NumberGroup) []NumberGroup {
	groups = slices.Clone(groups)
	for i := range groups {
		s := &groups[i].Strip
		s.ticks = "k" + strconv.Itoa(i)
		for j := range i {
			if o := groups[j].Strip; !o.shared && s.sameLooks(o) {
				s.ticks, s.shared = o.ticks, true
			}
		}
	}
	return groups
}

func (s Strip) sameLooks(o Strip) bool {
	return s.From.Equal(o.From) && s.Until.Equal(o.Until) && slices.EqualFunc(s.Looks, o.Looks, time.Time.Equal) && slices.EqualFunc(s.Failed, o.Failed, time.Time.Equal)
}

// appendTicks draws looks, one for those that stand too near to each other.
func (s Strip) appendTicks(b []byte, class string, looks []time.Time) []byte {
	drawn, all, pen := 0, 0, 0
	start := len(b)
	b = append(b, `<path class=`...)
	b = append(b, class...)
	b = append(b, ` d="`...)
	for _, t := range looks {
		if t.Before(s.From) || t.After(s.Until) {
			continue
		}
		all++
		x := s.x(t)
		if drawn > 0 && x-pen < tickGap {
			continue
		}
		b = append(b, 'm')
		b = appendInt(b, x-pen)
		switch {
		case drawn == 0:
			b = append(b, " 20"...)
		case class == "k":
			b = append(b, "-6"...) // Up again from the end of the tick before.
		default:
			b = append(b, " 0"...)
		}
		if class == "k" {
			b = append(b, "v6"...)
		} else {
			b = append(b, "h2v6h-2z"...)
		}
		drawn++
		pen = x
	}
	if all == 0 {
		return b[:start]
	}
	b = append(b, `"><title>`...)
	b = append(b, count(all, "look")...)
	if class == "f" {
		b = append(b, " that failed"...)
	}
	if drawn < all {
		b = append(b, ", drawn as "...)
		b = append(b, number(drawn)...)
	}
	return append(b, `</title></path>`...)
}

// appendDays names days below a strip that stands alone.
func (s Strip) appendDays(b []byte) []byte {
	whole := s.Until.Sub(s.From)
	if whole <= 0 {
		return b
	}
	layout := "2 Jan 2006"
	if whole < 3*24*time.Hour {
		layout = "2 Jan 15:04"
	}
	for i, class := range []string{"", "m", "m", "m", "end"} {
		b = append(b, `<text y="96%" x="`...)
		b = appendInt(b, i*25)
		b = append(b, `%" class="`...)
		b = append(b, class...)
		b = append(b, `">`...)
		b = s.From.Add(whole*time.Duration(i)/4).AppendFormat(b, layout)
		b = append(b, `</text>`...)
	}
	return b
}

// stripWords is a strip in a sentence or two.
func stripWords(s Strip) string {
	var b strings.Builder
	now := s.Until
	b.WriteString(s.Title + " from " + stamp(s.From, now) + " to " + stamp(s.Until, now) + ": ")
	shown := 0
	for _, p := range s.Spans {
		if p.From.After(s.Until) || s.end(p).Before(s.From) {
			continue
		}
		shown++
		if shown > stripSpoken {
			continue
		}
		if shown > 1 {
			b.WriteString(", then ")
		}
		b.WriteString(valueText(p.Label) + " " + spanWords(p, now))
	}
	switch {
	case shown == 0:
		b.WriteString("nothing known")
	case shown > stripSpoken:
		b.WriteString(", and " + count(shown-stripSpoken, "more change"))
	}
	b.WriteString(". " + looksWords(within(s, s.Looks), within(s, s.Failed)) + ".")
	return b.String()
}

// stripSpoken is how many values the words of a strip name; the table names all.
const stripSpoken = 4

func spanWords(p StripSpan, now time.Time) string {
	if p.LastSeen.After(p.From) {
		return "seen from " + stamp(p.From, now) + " to " + stamp(p.LastSeen, now)
	}
	return "seen once, " + stamp(p.From, now)
}

// within counts the instants that a strip shows.
func within(s Strip, looks []time.Time) int {
	n := 0
	for _, t := range looks {
		if !t.Before(s.From) && !t.After(s.Until) {
			n++
		}
	}
	return n
}

func looksWords(looks, failed int) string {
	if looks+failed == 0 {
		return "No looks"
	}
	text := count(looks+failed, "look")
	if failed > 0 {
		text += ", " + strconv.Itoa(failed) + " failed"
	}
	return text
}
