package db

import "time"

// StartOfDay returns the first moment of a civil day in loc. Where clocks are
// put forward at midnight there is no midnight, and the day begins with the
// change; where they are put back over it, the first of the two is meant.
func StartOfDay(day time.Time, loc *time.Location) time.Time {
	t := time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, loc)
	civil := CivilDay(day, time.UTC)
	if CivilDay(t, loc).Before(civil) {
		_, change := t.ZoneBounds()
		return change
	}
	if begin, _ := t.ZoneBounds(); !begin.IsZero() && CivilDay(begin.Add(-1), loc).Equal(civil) && t.Sub(begin) < 3*time.Hour {
		return StartOfDay(civil, time.FixedZone("", offset(begin.Add(-1), loc)))
	}
	return t
}

// offset is how far loc's clock is ahead of UTC at t, in seconds.
func offset(t time.Time, loc *time.Location) int {
	_, seconds := t.In(loc).Zone()
	return seconds
}

// CivilDay returns the day that t falls on in loc, as that day's midnight in UTC.
func CivilDay(t time.Time, loc *time.Location) time.Time {
	y, m, d := t.In(loc).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}
