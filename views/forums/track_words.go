package forums

import (
	"context"
	"html"
	"io"
	"math/bits"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"laurel/views/charts"
	"laurel/views/parts"
)

// A Track is the discussions about something, the newest first.
type Track struct {
	Messages    int
	Discussions []Discussion
	More        int    // Discussions besides.
	All         string // The address of all their messages.
}

// A Discussion is a thread as far as it is about that.
type Discussion struct {
	Serial         int64 // The newest message.
	Forum, Subject string
	Author         string // Of that message.
	Messages       int
	At             time.Time
}

// sum is "12 messages in 3 discussions, the last 2 Nov".
func (t Track) sum(now time.Time) string {
	text := parts.Plural(t.Messages, "message") + " in " + parts.Plural(len(t.Discussions)+t.More, "discussion")
	if len(t.Discussions) > 0 && t.Discussions[0].At.Year() > 1 {
		text += ", the last " + parts.Ago(t.Discussions[0].At, now)
	}
	return text
}

// words is all that a discussion's icon stands for.
func (d Discussion) words(now time.Time) string {
	text := parts.OrElse(d.Subject, "(no subject)") + ": " + parts.OrElse(d.Author, "somebody")
	if d.Messages > 1 {
		text += " and others, " + parts.Number(d.Messages) + " messages"
	}
	if d.At.Year() <= 1 {
		return text
	}
	return text + ", " + parts.Ago(d.At, now)
}

// dot is how large the icon of a discussion is: a step for each doubling.
func (d Discussion) dot() string { return strconv.Itoa(min(3+bits.Len(uint(max(d.Messages, 1))), 8)) }

// A profile has room for few letters of a subject.
const briefSubject = 28

// TrackLine is the line of a profile about its discussions.
func TrackLine(t Track, now time.Time) templ.Component {
	if t.Messages == 0 {
		return nil
	}
	return trackLine(t, now)
}

// icons draws the discussions of a profile in few bytes: it has no styles of its own
// for them, so their words are titles.
func (t Track) icons(now time.Time) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		b := append(make([]byte, 0, 160*len(t.Discussions)), `<svg height=18 width=`...)
		b = charts.AppendInt(b, 22*len(t.Discussions))
		b = append(b, ` fill=currentColor role=group aria-label=Discussions>`...)
		for i, d := range t.Discussions {
			if subject := []rune(d.Subject); len(subject) > briefSubject {
				d.Subject = string(subject[:briefSubject-1]) + "…"
			}
			b = append(b, `<a href=`+messagePath(d.Serial)+`><title>`...)
			b = append(b, html.EscapeString(d.words(now))...)
			b = append(b, `</title><circle cx=`...)
			b = charts.AppendInt(b, 22*i+11)
			b = append(b, ` cy=10 r=`+d.dot()+` /></a>`...)
		}
		_, err := w.Write(append(b, `</svg>`...))
		return err
	})
}
