package profiles

import (
	"context"
	"time"

	"laurel/views/texts"
)

// lineText is how fresh one account is, in a line.
func lineText(ctx context.Context, a Account, now time.Time) string {
	if note := accountNote(ctx, a, now); note != "" || a.CompleteUntil.IsZero() {
		return note
	}
	return texts.T(ctx, "Up to date %s", texts.AsOf(ctx, a.CompleteUntil, now))
}
