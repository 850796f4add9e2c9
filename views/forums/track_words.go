package forums

import (
	"context"
	"math/bits"
	"strconv"
	"time"

	"laurel/views/parts"
	"laurel/views/texts"
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
func (t Track) sum(ctx context.Context, now time.Time) string {
	messages := texts.N(ctx, t.Messages, "%d message", "%d messages")
	discussions := texts.N(ctx, len(t.Discussions)+t.More, "%d discussion", "%d discussions")
	if len(t.Discussions) > 0 && t.Discussions[0].At.Year() > 1 {
		return texts.T(ctx, "%s in %s, the last %s", messages, discussions, texts.Ago(ctx, t.Discussions[0].At, now))
	}
	return parts.Glue(messages, ", ", discussions)
}

// words is all that a discussion's icon stands for.
func (d Discussion) words(ctx context.Context, now time.Time) string {
	text := parts.OrElse(d.Subject, texts.T(ctx, "(no subject)")) + ": " + parts.OrElse(d.Author, texts.T(ctx, "somebody"))
	if d.Messages > 1 {
		text += " " + texts.T(ctx, "and others, %d messages", d.Messages)
	}
	if d.At.Year() <= 1 {
		return text
	}
	return text + ", " + texts.Ago(ctx, d.At, now)
}

// dot is how large the icon of a discussion is: a step for each doubling.
func (d Discussion) dot() string { return strconv.Itoa(min(3+bits.Len(uint(max(d.Messages, 1))), 8)) }
