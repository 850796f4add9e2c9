package charts

import (
	"context"
	"html"
	"slices"
	"strconv"
	"time"

	"laurel/views/texts"
)

// appendAllTicks draws all checks, or names those of a strip that has the same.
func (s Strip) appendAllTicks(ctx context.Context, b []byte) []byte {
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
	b = s.appendTicks(ctx, b, "k", s.Checks)
	b = s.appendTicks(ctx, b, "f", s.Failed)
	if s.ticks != "" {
		b = append(b, `</g>`...)
	}
	return b
}

// ShareTicks lets strips with the same checks draw them once. Numbers of one page
// are checked together, so that is most of a member's.
func ShareTicks(strips []*Strip) {
	for i, s := range strips {
		s.ticks = "k" + strconv.Itoa(i)
		for _, o := range strips[:i] {
			if !o.shared && s.sameChecks(*o) {
				s.ticks, s.shared = o.ticks, true
			}
		}
	}
}

func (s Strip) sameChecks(o Strip) bool {
	return s.From.Equal(o.From) && s.Until.Equal(o.Until) && slices.EqualFunc(s.Checks, o.Checks, time.Time.Equal) &&
		slices.EqualFunc(s.Failed, o.Failed, time.Time.Equal)
}

// appendTicks draws checks, one for those that are too near to each other.
func (s Strip) appendTicks(ctx context.Context, b []byte, class string, checks []time.Time) []byte {
	drawn, all, pen := 0, 0, 0
	start := len(b)
	b = append(b, `<path class=`...)
	b = append(b, class...)
	b = append(b, ` d="`...)
	for _, t := range checks {
		if !s.covers(t) {
			continue
		}
		all++
		x := s.x(t)
		if drawn > 0 && x-pen < tickGap {
			continue
		}
		b = append(b, 'm')
		b = AppendInt(b, x-pen)
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
	text := texts.N(ctx, all, "%d check", "%d checks")
	if class == "f" {
		text = texts.N(ctx, all, "%d check that failed", "%d checks that failed")
	}
	if drawn < all {
		text = texts.T(ctx, "%s, drawn as %d", text, drawn)
	}
	b = append(b, html.EscapeString(text)...)
	return append(b, `</title></path>`...)
}
