package forums

import (
	"math/bits"
	"strconv"
	"time"

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
