package profiles

import (
	"time"

	"laurel/views/parts"
)

// lineText is how fresh one account is, in a line.
func lineText(a Account, now time.Time) string {
	if note := accountNote(a, now); note != "" || a.CompleteUntil.IsZero() {
		return note
	}
	return "Up to date " + parts.AsOf(a.CompleteUntil, now)
}
