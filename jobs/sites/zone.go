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

// Some sites show of the last days how long ago it was, in whole units that are cut off: "59 min
// ago" is followed by "1 hours ago" or "an hour ago", and "2 sec ago" comes first. Of yesterday some
// show the minute.

var (
	agoWords = regexp.MustCompile(
		`^(?:ABOUT )?([0-9]{1,3}|AN?|A FEW) (S|SEC|SECOND|M|MIN|MINUTE|H|HR|HOUR|D|DAY)S?\.? AGO$`)
	vagueWords = regexp.MustCompile(
		`^(?:(?:ABOUT|OVER|ALMOST) )?([0-9]{1,3}|AN?|A FEW|SEVERAL) (SECOND|MINUTE|HOUR|DAY|W|WK|WEEK|MO|MONTH|Y|YR|YEAR)S?\.? AGO$`)
	yesterdayWords = regexp.MustCompile(`^([0-9]{1,2}:[0-9]{2} [AP]M) YESTERDAY$`)
	agoUnits       = map[byte]time.Duration{'S': time.Second, 'M': time.Minute, 'H': time.Hour, 'D': 24 * time.Hour}
)

// errVague is a time that says too little to store a row under it: weeks, months, a few days. The site has
// not changed if it shows many of them.
var errVague = fmt.Errorf("%w: too vague a time", ErrFormat)

const week, month, year = 7 * 24 * time.Hour, 2922 * time.Hour / 4, 8766 * time.Hour // A month and a year on average.

// vaguely reads such a time, in upper case: it is within off of at.
func vaguely(said string, now time.Time) (at time.Time, off time.Duration, ok bool) {
	m := vagueWords.FindStringSubmatch(strings.Join(strings.Fields(said), " "))
	if m == nil {
		return at, 0, false
	}
	unit, few := agoUnits[m[2][0]], m[1] == "A FEW" || m[1] == "SEVERAL"
	switch {
	case m[2][0] == 'W':
		unit = week
	case strings.HasPrefix(m[2], "MO"):
		unit = month
	case m[2][0] == 'Y':
		unit = year
	}
	n := 1
	if few {
		n = 5
	} else if m[1] != "A" && m[1] != "AN" {
		n, _ = strconv.Atoi(m[1]) // Three digits: it cannot fail.
	}
	if off = unit; few {
		off = 5 * unit
	}
	return now.Add(-time.Duration(n)*unit - unit/2), off, true
}

// ago reads such a time, in upper case, as it is shown at now in the zone. It is the middle of
// what the words may mean, to the minute; off is by how much it may be wrong, 0 for a minute that is shown.
func (z zone) ago(said string, now time.Time) (at time.Time, off time.Duration, ok bool) {
	said = strings.Join(strings.Fields(said), " ")
	if said == "JUST NOW" || said == "NOW" {
		said = "A FEW SEC AGO"
	}
	if m := agoWords.FindStringSubmatch(said); m != nil {
		n, unit := 1, agoUnits[m[2][0]]
		switch {
		case m[1] == "A FEW" && unit != time.Second:
			return at, 0, false
		case m[1] == "A FEW":
			n = 20
		case m[1] != "A" && m[1] != "AN":
			n, _ = strconv.Atoi(m[1]) // Three digits: it cannot fail.
		}
		return now.Add(-time.Duration(n)*unit - unit/2).Truncate(time.Minute), max(unit/2, time.Minute), true
	}
	if m := yesterdayWords.FindStringSubmatch(said); m != nil {
		place, err := time.LoadLocation(string(z))
		if err != nil {
			return at, 0, false
		}
		at, err = z.at(m[1]+" "+now.In(place).AddDate(0, 0, -1).Format(time.DateOnly), time.Time{}, "3:04 PM 2006-01-02")
		return at, 0, err == nil
	}
	return at, 0, false
}
