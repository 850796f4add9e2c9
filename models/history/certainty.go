package history

import (
	"time"

	"laurel/models/archive"
)

// A Class says how much was known of a value at an instant.
type Class string

// The classes, in the order of trust.
const (
	ClassKnown     Class = "known"      // Seen at this very instant.
	ClassConfirmed Class = "confirmed"  // Seen before and after it, with the same value.
	ClassLastKnown Class = "last_known" // Seen before it; the next look found something else.
	ClassOpen      Class = "still_open" // Seen before it and not since.
	ClassDisplaced Class = "displaced"  // Proven wrong by then: another took its place.
	ClassRemoved   Class = "removed"    // Not shown any more by then, or the source was gone.
	ClassNever     Class = "never_seen" // Not seen by then.
)

// ClassOf says how much was known at t of a key whose row valid at t is valid and
// whose newest row that had ended by t is before; either may be nil.
func ClassOf(valid, before *archive.Snapshot, t time.Time) Class {
	switch {
	case valid == nil && before == nil:
		return ClassNever
	case valid == nil && before.EndReason == archive.Displaced:
		return ClassDisplaced
	case valid == nil:
		return ClassRemoved
	case valid.SeenBefore != nil && valid.SeenBefore.Equal(t):
		return ClassKnown
	case valid.SeenAfter != nil:
		return ClassConfirmed
	case valid.ValidUntil != nil:
		return ClassLastKnown
	}
	return ClassOpen
}
