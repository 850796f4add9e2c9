package archive

import (
	"context"
	"time"

	"laurel/views/parts"
	"laurel/views/texts"
)

// Classes of certainty: how much was known of a value at an instant.
const (
	Known     = "known"      // Seen at this very instant.
	Confirmed = "confirmed"  // Seen before and after, with the same value.
	LastKnown = "last known" // Seen before; found to be another the next time.
	StillOpen = "still open" // Seen before and not since.
	Displaced = "displaced"  // Proven wrong by then, as another took its place; what it became is unknown.
	Removed   = "removed"    // Not shown any more by then, or the source itself was gone.
	NeverSeen = "never seen" // Not seen by then.
)

// A Certainty says how much was known of a value at an instant, and why.
type Certainty struct {
	Class      string    // One of the classes; "" is NeverSeen.
	SeenBefore time.Time // The newest check, at or before the instant, that showed this value; zero if there is none.
	SeenAfter  time.Time // The first check after the instant that showed this value still; zero if there is none.
	Ended      time.Time // When a check found it ended, before or after the instant; zero while it is open.
	Reason     string    // Why it ended, as in the archive: changed, displaced, removed, source gone.
	FirstSeen  time.Time // For NeverSeen: the first check that showed any value, later; zero if none ever did.

	// The failed checks in a row around the instant: the first of them, and the
	// next check that succeeded. Both zero if the checks succeeded, FailingUntil
	// zero if none has since.
	FailingFrom, FailingUntil time.Time
}

func (c Certainty) class() string {
	if c.Class == "" {
		return NeverSeen
	}
	return c.Class
}

// marks distinguish classes without colour.
var marks = map[string]string{
	Known: "=", Confirmed: "≈", LastKnown: "?", StillOpen: "…", Displaced: "×", Removed: "−", NeverSeen: "·",
}

// classNames are the classes as pages call them.
var classNames = map[string]string{
	Known: texts.Mark("exact"), Confirmed: texts.Mark("likely"), LastKnown: texts.Mark("last known"), StillOpen: texts.Mark("latest"),
	Displaced: texts.Mark("replaced"), Removed: texts.Mark("removed"),
	NeverSeen: texts.Mark("unknown"),
}

// meanings explain the classes, in the order of trust.
var meanings = []struct{ class, text string }{
	{Known, texts.Mark("A check at this exact time showed this value.")},
	{Confirmed, texts.Mark("The checks before and after this time showed the same value.")},
	{LastKnown, texts.Mark("The last check before this time showed this value and the next one another. It changed somewhere in between.")},
	{StillOpen, texts.Mark("The newest check showed this value. It has not been checked since.")},
	{Displaced, texts.Mark("Someone else took this place, so the value had changed. The new value is unknown until the next check.")},
	{Removed, texts.Mark("A complete list no longer showed it, or the source was gone.")},
	{NeverSeen, texts.Mark("No check up to this time showed a value.")},
}

// A reason is what a page knows besides the certainty when it says why.
type reason struct {
	Certainty
	at, now time.Time // The instant asked about; the present, whose zone is the zone of all times.
	source  string    // Who is asked: "AtCoder".
	became  string    // What it changed to: " to 1702", or "".
}

// text says why a value is of its class, in one sentence without a full stop.
func (r reason) text(ctx context.Context) string {
	return parts.Join(r.seen(ctx), r.failing(ctx))
}

func (r reason) seen(ctx context.Context) string {
	switch r.class() {
	case Known:
		return texts.T(ctx, "seen at %s exactly", texts.Clock(r.at, r.now))
	case Confirmed:
		return texts.T(ctx, "seen %s before and %s after, unchanged", texts.Span(ctx, r.at.Sub(r.SeenBefore)),
			texts.Span(ctx, r.SeenAfter.Sub(r.at)))
	case LastKnown:
		if r.Ended.IsZero() { // At a time to come.
			return texts.T(ctx, "last seen %s ago", texts.Span(ctx, r.now.Sub(r.SeenBefore)))
		}
		return texts.T(ctx, "last seen %s before", texts.Span(ctx, r.at.Sub(r.SeenBefore))) + "; " + r.ending(ctx)
	case StillOpen:
		if r.now.Sub(r.at) < time.Minute {
			return texts.T(ctx, "last seen %s ago", texts.Span(ctx, r.at.Sub(r.SeenBefore)))
		}
		return texts.T(ctx, "last seen %s before, not checked since", texts.Span(ctx, r.at.Sub(r.SeenBefore)))
	case Displaced:
		return texts.T(ctx, "someone else took this place %s; new value unknown", texts.When(ctx, r.Ended, r.at, r.now))
	case Removed:
		if r.Reason == "source gone" {
			return texts.T(ctx, "the source was gone %s", texts.When(ctx, r.Ended, r.at, r.now))
		}
		return texts.T(ctx, "no longer shown %s", texts.When(ctx, r.Ended, r.at, r.now))
	}
	if r.FirstSeen.IsZero() {
		return texts.T(ctx, "never seen so far")
	}
	return texts.T(ctx, "first seen %s", texts.When(ctx, r.FirstSeen, r.at, r.now))
}

// ending says what the first check after the instant found instead of a value.
func (r reason) ending(ctx context.Context) string {
	later := texts.Span(ctx, r.Ended.Sub(r.SeenBefore))
	switch r.Reason {
	case "displaced":
		return texts.T(ctx, "someone else had this place %s later", later)
	case "removed":
		return texts.T(ctx, "no longer shown %s later", later)
	case "source gone":
		return texts.T(ctx, "the source was gone %s later", later)
	}
	return texts.T(ctx, "changed%s within the next %s", r.became, later)
}

func (r reason) failing(ctx context.Context) string {
	if r.FailingFrom.IsZero() {
		return ""
	}
	who := r.source
	if who == "" {
		who = texts.T(ctx, "the source")
	}
	if r.FailingUntil.IsZero() {
		return texts.T(ctx, "%s has not answered since %s", who, r.short(ctx, r.FailingFrom))
	}
	return texts.T(ctx, "%s did not answer from %s to %s", who, r.short(ctx, r.FailingFrom), r.short(ctx, r.FailingUntil))
}

// short is a day, or a time of day where the failures lie within the instant's day.
func (r reason) short(ctx context.Context, t time.Time) string {
	if parts.DayDiff(r.FailingFrom, r.at.In(r.now.Location())) == 0 &&
		(r.FailingUntil.IsZero() || parts.DayDiff(r.FailingUntil, r.at.In(r.now.Location())) == 0) {
		return texts.Clock(t, r.now)
	}
	return texts.Date(ctx, t.In(r.now.Location()), r.now)
}
