package rules

import (
	"errors"
	"fmt"
	"time"
)

// A Window is when items count for an award, by the time of the event. Days are
// those of the zone's calendar, whatever their length.
type Window struct {
	From  *day   `json:"from,omitempty" help:"The first day that counts."`
	Until *day   `json:"until,omitempty" help:"The first day that no longer counts."`
	Every string `json:"every,omitempty" choices:"day week month year" help:"It can be won again in each; a week begins on Monday."`
	Grace span   `json:"grace" optional:"24h" help:"How long after the end events that come late still count: 12h or 7d."`
	Zone  zone   `json:"zone" optional:"member" help:"Whose calendar: member, or fixed: and a time zone such as fixed:Europe/Berlin."`
}

func (w *Window) setDefaults() { w.Grace = span(24 * time.Hour) }

func (w *Window) check(at string, m *Mistakes) {
	switch w.Every {
	case "", "day", "week", "month", "year":
	default:
		m.add(join(at, "every"), "must be day, week, month or year, not %q", w.Every)
	}
	if w.From == nil && w.Until == nil && w.Every == "" {
		m.add(at, "needs from, until or every")
	}
	if w.From != nil && w.Until != nil && !w.From.Before(w.Until.Time) {
		m.add(join(at, "until"), "is %s, not after from %s: no day would count", w.Until, w.From)
	}
}

// A Period is one run of a window, and part of the key of a counter.
type Period struct {
	Start  string    // Its first day, empty where there is none.
	Closes time.Time // After its end and the grace; zero if never.
}

// Late reports whether an event that arrives now comes too late for it.
func (p Period) Late(arrived time.Time) bool { return !p.Closes.IsZero() && arrived.After(p.Closes) }

// Period an event counts in, and whether it counts at all.
func (w *Window) Period(e *Event) (Period, bool) {
	if w == nil {
		return Period{}, true
	}
	where := w.Zone.Location
	if where == nil {
		where = e.local().Location()
	}
	on := dayOf(e.At.In(where))
	if w.From != nil && on.Before(w.From.Time) || w.Until != nil && !on.Before(w.Until.Time) {
		return Period{}, false
	}
	start, end := w.From, w.Until
	if w.Every != "" {
		first, next := w.around(on)
		start = &first
		if end == nil || next.Before(end.Time) {
			end = &next
		}
	}
	var p Period
	if start != nil {
		p.Start = start.String()
	}
	if end != nil {
		y, month, d := end.Date()
		p.Closes = time.Date(y, month, d, 0, 0, 0, 0, where).Add(time.Duration(w.Grace))
	}
	return p, true
}

// around gives the first day of the run a day is in, and of the next one.
func (w *Window) around(on day) (first, next day) {
	y, month, d := on.Date()
	date := func(y int, m time.Month, d int) day { return day{time.Date(y, m, d, 0, 0, 0, 0, time.UTC)} }
	switch w.Every {
	case "day":
		return on, date(y, month, d+1)
	case "week":
		monday := d - (int(on.Weekday())+6)%7
		return date(y, month, monday), date(y, month, monday+7)
	case "month":
		return date(y, month, 1), date(y, month+1, 1)
	}
	return date(y, 1, 1), date(y+1, 1, 1)
}

// A day is a date of a calendar, kept as its midnight in UTC.
type day struct{ time.Time }

func dayOf(t time.Time) day {
	y, m, d := t.Date()
	return day{time.Date(y, m, d, 0, 0, 0, 0, time.UTC)}
}

func (d day) String() string { return d.Format(time.DateOnly) }

// MarshalText writes 2026-11-01.
func (d day) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// MarshalJSON does so, too: time.Time's own would write a moment.
func (d day) MarshalJSON() ([]byte, error) { return []byte(`"` + d.String() + `"`), nil }

// UnmarshalText reads 2026-11-01.
func (d *day) UnmarshalText(text []byte) (err error) {
	if d.Time, err = time.Parse(time.DateOnly, string(text)); err != nil {
		return errors.New("must be a day such as 2026-11-01")
	}
	return nil
}

// A zone is a place on earth, or nil for each member's own.
type zone struct{ *time.Location }

// MarshalText writes member or fixed:Europe/Berlin.
func (z zone) MarshalText() ([]byte, error) {
	if z.Location == nil {
		return []byte("member"), nil
	}
	return []byte("fixed:" + z.Location.String()), nil
}

// UnmarshalText reads member or fixed:Europe/Berlin.
func (z *zone) UnmarshalText(text []byte) error {
	if string(text) == "member" {
		return nil
	}
	name := string(text)
	if len(name) > 6 && name[:6] == "fixed:" && name != "fixed:Local" {
		if at, err := time.LoadLocation(name[6:]); err == nil {
			z.Location = at
			return nil
		}
	}
	return fmt.Errorf("must be member, or fixed: and a time zone such as fixed:Europe/Berlin, not %q", name)
}
