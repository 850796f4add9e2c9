package sites

import (
	"fmt"
	"time"
	_ "time/tzdata" // Sites tell their own civil time, also to a machine that has no list of zones.
)

// A zone is where a site's clock stands, by its IANA name: offsets change.
type zone string

// at returns the instant of a civil time that is written in one of the layouts.
// Where clocks are set back, an hour comes twice: it is then the latest instant
// that is not after notAfter, or the later of the two where that is zero.
func (z zone) at(text string, notAfter time.Time, layouts ...string) (time.Time, error) {
	place, err := time.LoadLocation(string(z))
	if err != nil {
		return time.Time{}, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	for _, layout := range layouts {
		t, err := time.ParseInLocation(layout, text, place)
		if err != nil {
			continue
		}
		found := t
		for _, shift := range []time.Duration{-time.Hour, time.Hour} {
			twin := t.Add(shift)
			if twin.Hour() != t.Hour() || twin.Minute() != t.Minute() || twin.Day() != t.Day() {
				continue
			}
			late, early := twin, t
			if late.Before(early) {
				late, early = early, late
			}
			if found = late; !notAfter.IsZero() && late.After(notAfter) {
				found = early
			}
		}
		return believable(found)
	}
	return time.Time{}, fmt.Errorf("%w: %q is not a time", ErrFormat, text)
}
