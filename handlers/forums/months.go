package forums

import (
	"regexp"
	"strconv"
	"time"

	"laurel/models/forums"
	views "laurel/views/forums"
)

// earlyGap is after how many months without a message what is older is not drawn:
// wrong dates, mostly.
const earlyGap = 60

// history is a forum's messages by month, with what is missing of its periods.
func history(months []forums.MonthCount, periods []forums.Period) (h views.History) {
	by := map[int]*views.Month{}
	at := func(month int) *views.Month {
		if by[month] == nil {
			by[month] = monthOf(month)
		}
		return by[month]
	}
	last := 0
	for _, m := range months {
		if m.Month.Year() <= 1 {
			h.Undated += m.Messages
			continue
		}
		n := monthNumber(m.Month)
		at(n).Messages, last = m.Messages, max(last, n)
	}
	for _, p := range periods {
		start, long, ok := periodMonths(p.Period)
		if !ok || p.CheckedAt != nil && p.Stored >= p.Listed {
			continue
		}
		last = max(last, start+long-1)
		for n := start; n < start+long; n++ {
			if at(n); p.CheckedAt == nil {
				by[n].Unread = true
			} else if n == start {
				by[n].Missing += p.Listed - p.Stored
			}
		}
	}
	if last > 0 {
		drawMonths(&h, by, last)
	}
	return h
}

// drawMonths lists the months from the last one back to where nothing is for years.
func drawMonths(h *views.History, by map[int]*views.Month, last int) {
	first := last
	for n := last; n >= last-earlyGap && n > 0; n-- {
		if by[n] != nil {
			first, last = n, n
		}
	}
	for n := range by {
		last = max(last, n)
		if n < first {
			h.Early += by[n].Messages
		}
	}
	for n := first; n <= last; n++ {
		if by[n] == nil {
			by[n] = monthOf(n)
		}
		h.Months = append(h.Months, *by[n])
	}
}

func monthOf(n int) *views.Month {
	return &views.Month{Month: time.Date(0, time.Month(n+1), 1, 0, 0, 0, 0, time.UTC)}
}

func monthNumber(t time.Time) int { return t.Year()*12 + int(t.Month()) - 1 }

var (
	yearPeriod    = regexp.MustCompile(`^(\d{4})$`)
	quarterPeriod = regexp.MustCompile(`^(\d{4})q([1-4])$`)
	dayPeriod     = regexp.MustCompile(`^(?:Week-of-Mon-)?(\d{8})$`)
)

// periodMonths is from which month on a period is, and how many months long, where
// its name says: 2014-July, 2012q1, Week-of-Mon-20120326, 20120326 and 2012.
func periodMonths(name string) (first, long int, ok bool) {
	if t, err := time.Parse("2006-January", name); err == nil {
		return monthNumber(t), 1, true
	}
	if t, err := time.Parse("2006-01", name); err == nil {
		return monthNumber(t), 1, true
	}
	if m := dayPeriod.FindStringSubmatch(name); m != nil {
		t, err := time.Parse("20060102", m[1])
		return monthNumber(t), 1, err == nil
	}
	if m := quarterPeriod.FindStringSubmatch(name); m != nil {
		year, _ := strconv.Atoi(m[1])
		return year*12 + 3*int(m[2][0]-'1'), 3, true
	}
	if m := yearPeriod.FindStringSubmatch(name); m != nil {
		year, _ := strconv.Atoi(m[1])
		return year * 12, 12, true
	}
	return 0, 0, false
}
