package sites

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // Sites show their own civil time, also to a machine that has no list of zones.
)

// A zone is the time zone of a site's clock, by its IANA name: offsets change.
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

// Some sites show for the last day how long ago it was, in whole units that are cut off:
// "59 min ago" is followed by "1 hours ago", and "2 sec ago" comes first. Of yesterday
// they show the minute.

var (
	agoWords       = regexp.MustCompile(`^([0-9]{1,2}) (SEC|MIN|HOUR|HR)(?:OND|UTE)?S? AGO$`)
	yesterdayWords = regexp.MustCompile(`^([0-9]{1,2}:[0-9]{2} [AP]M) YESTERDAY$`)
	agoUnits       = map[string]time.Duration{"SEC": time.Second, "MIN": time.Minute, "HOUR": time.Hour, "HR": time.Hour}
)

// ago reads such a time, in upper case, as it is shown at now in the zone. It is the middle of
// what the words may mean, to the minute, and about says that: half an hour is the most that it is off by.
func (z zone) ago(said string, now time.Time) (at time.Time, about, ok bool) {
	said = strings.Join(strings.Fields(said), " ")
	if m := agoWords.FindStringSubmatch(said); m != nil {
		n, _ := strconv.Atoi(m[1]) // Two digits: it cannot fail.
		unit := agoUnits[m[2]]
		return now.Add(-time.Duration(n)*unit - unit/2).Truncate(time.Minute), true, true
	}
	if m := yesterdayWords.FindStringSubmatch(said); m != nil {
		place, err := time.LoadLocation(string(z))
		if err != nil {
			return at, false, false
		}
		at, err = z.at(m[1]+" "+now.In(place).AddDate(0, 0, -1).Format(time.DateOnly), time.Time{}, "3:04 PM 2006-01-02")
		return at, false, err == nil
	}
	return at, false, false
}
