package archive

import (
	"time"

	"laurel/views/parts"
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
	Known: "exact", Confirmed: "likely", LastKnown: "last known", StillOpen: "latest", Displaced: "replaced", Removed: "removed",
	NeverSeen: "unknown",
}

// meanings explain the classes, in the order of trust.
var meanings = []struct{ class, text string }{
	{Known, "A check at this exact time showed this value."},
	{Confirmed, "The checks before and after this time showed the same value."},
	{LastKnown, "The last check before this time showed this value and the next one another. It changed somewhere in between."},
	{StillOpen, "The newest check showed this value. It has not been checked since."},
	{Displaced, "Someone else took this place, so the value had changed. The new value is unknown until the next check."},
	{Removed, "A complete list no longer showed it, or the source was gone."},
	{NeverSeen, "No check up to this time showed a value."},
}

// A reason is what a page knows besides the certainty when it says why.
type reason struct {
	Certainty
	at, now time.Time // The instant asked about; the present, whose zone is the zone of all times.
	source  string    // Who is asked: "AtCoder".
	became  string    // What it changed to: " to 1702", or "".
}

// text says why a value is of its class, in one sentence without a full stop.
func (r reason) text() string {
	return parts.Join(r.seen(), r.failing())
}

func (r reason) seen() string {
	switch r.class() {
	case Known:
		return "seen at " + parts.Clock(r.at, r.now) + " exactly"
	case Confirmed:
		return "seen " + parts.Span(r.at.Sub(r.SeenBefore)) + " before and " + parts.Span(r.SeenAfter.Sub(r.at)) + " after, unchanged"
	case LastKnown:
		if r.Ended.IsZero() { // At a time to come.
			return "last seen " + parts.Span(r.now.Sub(r.SeenBefore)) + " ago"
		}
		return "last seen " + parts.Span(r.at.Sub(r.SeenBefore)) + " before; " + r.ending()
	case StillOpen:
		if r.now.Sub(r.at) < time.Minute {
			return "last seen " + parts.Span(r.at.Sub(r.SeenBefore)) + " ago"
		}
		return "last seen " + parts.Span(r.at.Sub(r.SeenBefore)) + " before, not checked since"
	case Displaced:
		return "someone else took this place " + parts.When(r.Ended, r.at, r.now) + "; new value unknown"
	case Removed:
		if r.Reason == "source gone" {
			return "the source was gone " + parts.When(r.Ended, r.at, r.now)
		}
		return "no longer shown " + parts.When(r.Ended, r.at, r.now)
	}
	if r.FirstSeen.IsZero() {
		return "never seen so far"
	}
	return "first seen " + parts.When(r.FirstSeen, r.at, r.now)
}

// ending says what the first check after the instant found instead of a value.
func (r reason) ending() string {
	later := parts.Span(r.Ended.Sub(r.SeenBefore))
	switch r.Reason {
	case "displaced":
		return "someone else had this place " + later + " later"
	case "removed":
		return "no longer shown " + later + " later"
	case "source gone":
		return "the source was gone " + later + " later"
	}
	return "changed" + r.became + " within the next " + later
}

func (r reason) failing() string {
	if r.FailingFrom.IsZero() {
		return ""
	}
	who := r.source
	if who == "" {
		who = "the source"
	}
	if r.FailingUntil.IsZero() {
		return who + " has not answered since " + r.short(r.FailingFrom)
	}
	return who + " did not answer from " + r.short(r.FailingFrom) + " to " + r.short(r.FailingUntil)
}

// short is a day, or a time of day where the failures lie within the instant's day.
func (r reason) short(t time.Time) string {
	if parts.DayDiff(r.FailingFrom, r.at.In(r.now.Location())) == 0 &&
		(r.FailingUntil.IsZero() || parts.DayDiff(r.FailingUntil, r.at.In(r.now.Location())) == 0) {
		return parts.Clock(t, r.now)
	}
	return parts.Date(t.In(r.now.Location()), r.now)
}
