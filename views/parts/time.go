package parts

import (
	"time"

	"laurel/views/texts"
)

// Span is English.
func Span(d time.Duration) string { return texts.Span(english, d) }

// Clock is a time of day, with seconds where they are not 0.
func Clock(t, now time.Time) string { return texts.Clock(t, now) }

// When is English.
func When(t, at, now time.Time) string { return texts.When(english, t, at, now) }

// Stamp is English.
func Stamp(t, now time.Time) string { return texts.Stamp(english, t, now) }

// LongStamp is English.
func LongStamp(t, now time.Time) string { return texts.LongStamp(english, t, now) }
