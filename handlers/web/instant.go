package web

import (
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	pg "laurel/models/db"
	"laurel/models/members"
)

// FirstInstant is the earliest that may be asked about, as in the archive.
var FirstInstant = time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC)

// InstantParam reads the instant asked about: RFC 3339, or as a form sends it, in
// zone, with or without the time of day. Without one it is now.
func (h *Base) InstantParam(c echo.Context, field string, zone *time.Location) (time.Time, error) {
	text := strings.TrimSpace(c.QueryParam(field))
	if text == "" || text == "now" {
		return h.Now(), nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02 15:04", time.DateOnly} {
		if t, err := time.ParseInLocation(layout, text, zone); err == nil {
			if t.Before(FirstInstant) || t.Year() > 9000 {
				break
			}
			return t.UTC(), nil
		}
	}
	return time.Time{}, &pg.InputError{Field: field,
		Message: "write the instant as 2026-03-04T12:00:00Z (+ as %2B in a URL), as 2026-03-04T12:00, or as a day, 2026-03-04"}
}

// TimeMapAtMost bounds the states that a TimeMap lists: the newest ones.
const TimeMapAtMost = 5000

// DayStart is the moment at which a day of the member begins, or the day after it.
func DayStart(field, text string, m *members.Member, plus int) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil || day.Year() < 1900 || day.Year() > 9000 {
		return time.Time{}, &pg.InputError{Field: field, Message: "write the day as 2026-05-31"}
	}
	return pg.StartOfDay(day.AddDate(0, 0, plus), m.Location()), nil
}
