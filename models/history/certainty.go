package history

import (
	"time"

	"laurel/models/archive"
	"laurel/models/archive/shards"
)

// A Certainty says how much was known of a value at an instant.
type Certainty string

// The classes, in the order of trust.
const (
	ClassKnown     Certainty = "known"      // Seen at this very instant.
	ClassConfirmed Certainty = "confirmed"  // Seen before and after it, with the same value.
	ClassLastKnown Certainty = "last_known" // Seen before it; the next fetch found something else.
	ClassOpen      Certainty = "still_open" // Seen before it and not since.
	ClassDisplaced Certainty = "displaced"  // Proven wrong by then: another took its place.
	ClassRemoved   Certainty = "removed"    // Not shown any more by then, or the source was gone.
	ClassNever     Certainty = "never_seen" // Not seen by then.
)

// CertaintyOf says how much was known at t of a key whose row valid at t is valid and
// whose newest row that had ended by t is before; either may be nil.
func CertaintyOf(valid, before *archive.Snapshot, t time.Time) Certainty {
	switch {
	case valid == nil && before == nil:
		return ClassNever
	case valid == nil && before.EndReason == shards.Displaced:
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
