package charts

import (
	"context"
	"html"
	"io"
	"slices"
	"time"

	"github.com/a-h/templ"

	"laurel/views/texts"
)

// A Strip is the timeline of one value: when it was what, and how that is known.
type Strip struct {
	Title       string      // "Codeforces rating".
	From, Until time.Time   // What is drawn; Until at most the present. The zone is that of all times.
	At          time.Time   // Marked; zero, or outside, is not.
	Spans       []StripSpan // Oldest first; those outside are not drawn.
	Checks      []time.Time // That succeeded, in order.
	Failed      []time.Time // That did not, in order.
	Wide        bool        // Stands alone, with its days named below.

	ticks  string // The id of its ticks, when other strips of the page have the same.
	shared bool   // The ticks of that id are drawn already.
}

// A StripSpan is a time through which a value did not change.
type StripSpan struct {
	From     time.Time // The first check that showed it.
	LastSeen time.Time // The last check that showed it.
	Until    time.Time // The check that found it ended; zero while it is open.
	Label    string    // The value: "1874".
}

// Timeline draws a strip: solid between the first and the last check at a value,
// hatched from there to the check that found another, nothing where nothing is
// known, a dashed frame while checks failed, and below it a tick for each check,
// a hollow one for each that failed.
//
// A page with strips has stripDefs once.
func Timeline(s Strip) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		_, err := w.Write(appendStrip(ctx, make([]byte, 0, 2<<10), s))
		return err
	})
}

const (
	stripUnits = 700 // The width of a strip.
	tickGap    = 3   // Of these: checks nearer than this share a tick.
)

func appendStrip(ctx context.Context, b []byte, s Strip) []byte {
	const view = ` viewBox="0 0 700 30" preserveAspectRatio=none`
	if s.Wide {
		b = append(b, `<svg class="strip wide" role=img aria-label="`...)
		b = append(b, html.EscapeString(stripWords(ctx, s))...)
		b = append(b, `">`...)
		b = s.appendDays(ctx, b)
		b = append(b, `<svg height=30`+view+`>`...)
	} else {
		b = append(b, `<svg class=strip role=img aria-label="`...)
		b = append(b, html.EscapeString(stripSum(ctx, s))...)
		b = append(b, `"`+view+`>`...)
	}
	for i, p := range s.Spans {
		b = s.appendSpan(b, p, i)
	}
	b = s.appendGaps(b)
	b = s.appendAllTicks(ctx, b)
	if !s.At.IsZero() && s.covers(s.At) {
		b = append(b, `<path class=t d="M`...)
		b = AppendInt(b, s.x(s.At))
		b = append(b, ` 0v28"/>`...)
	}
	if s.Wide {
		b = append(b, `</svg>`...)
	}
	return append(b, `</svg>`...)
}

func (s Strip) x(t time.Time) int { return along(t, s.From, s.Until, stripUnits) }

// along is where an instant is in a picture, from 0 to units; those outside
// are at the ends.
func along(t, from, until time.Time, units int) int {
	whole := until.Sub(from)
	if whole <= 0 {
		return 0
	}
	return min(max(int(float64(units)*t.Sub(from).Seconds()/whole.Seconds()), 0), units)
}

// covers says whether a strip reaches an instant.
func (s Strip) covers(t time.Time) bool { return !t.Before(s.From) && !t.After(s.Until) }

// shows says whether a span is drawn.
func (s Strip) shows(p StripSpan) bool { return !p.From.After(s.Until) && !s.end(p).Before(s.From) }

// end is when a span ends, at most where the strip does.
func (s Strip) end(p StripSpan) time.Time {
	if p.Until.IsZero() || p.Until.After(s.Until) {
		return s.Until
	}
	return p.Until
}

// appendSpan draws what is certain of a span, and what is a guess.
func (s Strip) appendSpan(b []byte, p StripSpan, i int) []byte {
	if !s.shows(p) {
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
	b = AppendInt(b, from)
	if class == "e" {
		b = append(b, ` 3h`...)
	} else {
		b = append(b, ` 6h`...)
	}
	b = AppendInt(b, max(until-from, 1))
	if class == "e" {
		b = append(b, `v16H`...)
	} else {
		b = append(b, `v11H`...)
	}
	b = AppendInt(b, from)
	return append(b, `z"/>`...)
}

// appendGaps frames the times in which checks failed: from the first one that
// failed to the next that did not.
func (s Strip) appendGaps(b []byte) []byte {
	for i := 0; i < len(s.Failed); {
		first, until, end := s.Failed[i], s.Until, len(s.Failed)
		if next, _ := slices.BinarySearchFunc(s.Checks, first, time.Time.Compare); next < len(s.Checks) {
			until = s.Checks[next]
			end, _ = slices.BinarySearchFunc(s.Failed, until, time.Time.Compare)
		}
		i = max(end, i+1)
		if !until.Before(s.From) && !first.After(s.Until) && s.x(until)-s.x(first) > 2 {
			b = appendBar(b, "e", s.x(first), s.x(until))
		}
	}
	return b
}

// appendDays names days below a strip that is alone.
func (s Strip) appendDays(ctx context.Context, b []byte) []byte {
	whole := s.Until.Sub(s.From)
	if whole <= 0 {
		return b
	}
	layout := "2 Jan 2006"
	if whole < 3*24*time.Hour {
		layout = "2 Jan 15:04"
	}
	for i, class := range []string{"", "m", "end"} {
		b = append(b, `<text y="96%" x="`...)
		b = AppendInt(b, i*50)
		b = append(b, `%" class="`...)
		b = append(b, class...)
		b = append(b, `">`...)
		b = append(b, texts.Format(ctx, s.From.Add(whole*time.Duration(i)/2), layout)...)
		b = append(b, `</text>`...)
	}
	return b
}
