package sites

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Some sites tell of the last day how long ago it was, in whole units that are cut off:
// "59 min ago" is followed by "1 hours ago", and "2 sec ago" comes first. Of yesterday
// they tell the minute.

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
