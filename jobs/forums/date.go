package forums

import (
	"strconv"
	"strings"
	"time"
)

// zones are the names of time zones in mail and on pages, in hours from UTC. Go
// knows only those of the place it runs in. Where one name stands for several
// zones it is the one seen in mail; such dates are approximate anyway.
var zones = map[string]float64{
	"UT": 0, "UTC": 0, "GMT": 0, "Z": 0, "WET": 0, "WEST": 1, "BST": 1, "CET": 1, "MET": 1, "CEST": 2, "MEST": 2, "EET": 2, "EEST": 3,
	"MSK": 3, "MSD": 4,
	"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7, "AKST": -9, "AKDT": -8, "HST": -10, "AST": -4,
	"ADT": -3, "NST": -3.5, "NDT": -2.5,
	"BRT": -3, "BRST": -2, "ART": -3, "IST": 5.5, "SGT": 8, "HKT": 8, "AWST": 8, "JST": 9, "KST": 9, "ACST": 9.5, "AEST": 10, "EST5EDT": -5,
	"AEDT": 11, "NZST": 12, "NZDT": 13, "SAST": 2, "IDT": 3,
}

var months = map[string]time.Month{
	"jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11, "dec": 12,
}

// A date is what a sender or a page wrote as one.
type date struct {
	at     time.Time // UTC.
	offset bool      // It says by how much its zone is off, and not only the zone's name.
	zoned  bool      // It says a zone that we know.
}

// parts are the numbers of a date while it is read, -1 where not seen yet.
type parts struct {
	year, day, hour, minute, second int
	month                           time.Month
	zone                            float64
}

// readDate reads a date in any of the ways mail programs write it (RFC 5322, the
// asctime of From_ lines, ISO 8601), words in any order. It is false where a day
// or a time of day is missing.
func readDate(text string) (date, bool) {
	if len(text) > 200 {
		text = text[:200]
	}
	text, comment, _ := strings.Cut(text, "(")
	if t, err := time.Parse(time.RFC3339, strings.TrimSpace(text)); err == nil {
		return date{t.UTC(), true, true}, true
	}
	p, d := parts{year: -1, day: -1, hour: -1}, date{}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool {
		return r == ' ' || r == '\t' || r == ',' || r == '\n' ||
			r == '\r'
	}) {
		p.take(word, &d)
	}
	if !d.zoned { // Some write the zone as a comment only.
		p.takeZone(strings.TrimSpace(strings.TrimRight(comment, ") ")), &d)
	}
	if p.year < 0 || p.day < 1 || p.month == 0 || p.hour < 0 {
		return date{}, false
	}
	at := time.Date(p.year, p.month, p.day, p.hour, p.minute, p.second, 0, time.UTC)
	if time.Date(p.year, p.month, p.day, 0, 0, 0, 0, time.UTC).Month() != p.month { // The 31st of February.
		return date{}, false
	}
	d.at = at.Add(-time.Duration(p.zone * float64(time.Hour)))
	return d, true
}

// take finds out what a word of a date is.
func (p *parts) take(word string, d *date) {
	if strings.ContainsRune(word, ':') && word[0] >= '0' && word[0] <= '9' {
		p.takeTime(word)
		return
	}
	if m, ok := months[strings.ToLower(word[:min(3, len(word))])]; ok && p.month == 0 {
		p.month = m
		return
	}
	if y, m, ok := isoDay(word); ok {
		p.year, p.month, p.day = y, m, day(word[8:])
		return
	}
	if n, err := strconv.Atoi(word); err == nil && word[0] != '+' && word[0] != '-' {
		p.takeNumber(n, len(word))
		return
	}
	if p.takeDashed(word, d) || p.takeHalf(word) || d.zoned {
		return
	}
	p.takeZone(word, d)
}

// takeDashed takes 13-Jun-1999.
func (p *parts) takeDashed(word string, d *date) bool {
	dd, rest, _ := strings.Cut(word, "-")
	mm, yy, ok := strings.Cut(rest, "-")
	if !ok || day(dd) < 0 || p.month != 0 {
		return false
	}
	p.take(dd, d)
	p.take(mm, d)
	p.take(yy, d)
	return true
}

// takeHalf takes the half of the day, where the hour before it needs one.
func (p *parts) takeHalf(word string) bool {
	switch {
	case strings.EqualFold(word, "PM") && p.hour > 0 && p.hour < 12:
		p.hour += 12
	case strings.EqualFold(word, "AM") && p.hour == 12:
		p.hour = 0
	default:
		return false
	}
	return true
}

func isoDay(word string) (int, time.Month, bool) {
	t, err := time.Parse(time.DateOnly, word)
	return t.Year(), t.Month(), err == nil
}

func day(word string) int {
	if n, err := strconv.Atoi(word); err == nil && n >= 1 && n <= 31 {
		return n
	}
	return -1
}

// takeNumber sorts a bare number: the day comes before a year of two digits.
func (p *parts) takeNumber(n, digits int) {
	switch {
	case digits <= 2 && p.day < 0 && n >= 1 && n <= 31:
		p.day = n
	case p.year < 0:
		p.year = yearOf(n, digits)
	}
}

// yearOf is the year that a number stands for, -1 for none.
func yearOf(n, digits int) int {
	switch {
	case digits == 4 && n >= 1000:
		return n
	case digits == 2 && n < 50: // RFC 5322, 4.3.
		return n + 2000
	case digits == 2, digits == 3 && n >= 100: // Of three digits: by programs that were not ready for 2000.
		return n + 1900
	case digits == 5 && n >= 19100 && n < 19200: // Neither were these.
		return n - 19000 + 1900
	}
	return -1
}

func (p *parts) takeTime(word string) {
	clock := strings.Split(word, ":")
	h, err1 := strconv.Atoi(clock[0])
	m, err2 := strconv.Atoi(clock[1])
	if err1 != nil || err2 != nil || h < 0 || h > 23 || m < 0 || m > 59 || p.hour >= 0 {
		return
	}
	p.hour, p.minute = h, m
	if len(clock) > 2 {
		seconds, _, _ := strings.Cut(clock[2], ".")
		if s, err := strconv.Atoi(seconds); err == nil && s >= 0 && s <= 60 {
			p.second = s
		}
	}
}

// takeZone reads -0400 or a name. Offsets that no zone has are no offsets.
func (p *parts) takeZone(word string, d *date) {
	if h, ok := zones[strings.ToUpper(word)]; ok {
		p.zone, d.zoned = h, true
		return
	}
	word = strings.ReplaceAll(strings.TrimPrefix(word, "GMT"), ":", "")
	if len(word) != 5 || word[0] != '+' && word[0] != '-' {
		return
	}
	n, err := strconv.Atoi(word[1:])
	if err != nil || n < 0 || n > 1400 || n%100 > 59 {
		return
	}
	p.zone = float64(n/100) + float64(n%100)/60
	if word[0] == '-' {
		p.zone = -p.zone
	}
	d.zoned, d.offset = true, true
}

// Mail is younger than the first and, in this package's life, older than the
// second. What lies outside is a clock that was never set.
var (
	earliest = time.Date(1982, 1, 1, 0, 0, 0, 0, time.UTC)
	latest   = time.Date(2038, 1, 1, 0, 0, 0, 0, time.UTC)
)

// setDate sets a date as shown, and what it says. A date is exact where it says
// its zone in numbers or as UTC, and is on this side of reason.
func (m *Mail) setDate(shown string) {
	m.SentShown, m.SentAt = oneLine(shown), time.Time{}
	d, ok := readDate(m.SentShown)
	m.Approximate = true
	if ok && d.at.Year() >= 1 && d.at.Year() <= 9999 {
		m.SentAt = d.at
		m.Approximate = !d.zoned || !d.offset && !universal(m.SentShown) || d.at.Before(earliest) || !d.at.Before(latest)
	}
}

// universal reports whether a date says UTC by name.
func universal(shown string) bool {
	shown = strings.TrimSpace(shown)
	for _, name := range []string{"GMT", "UTC", "UT", "Z"} {
		if strings.HasSuffix(shown, " "+name) || strings.Contains(shown, " "+name+" ") {
			return true
		}
	}
	return false
}
