package rules

import (
	"errors"
	"fmt"
)

func init() { register(filters, "TimeOfDayFilter", func() Filter { return new(timeOfDayFilter) }) }

// timeOfDayFilter takes what was done at this time by the member's clock, until
// excluded. 22:00 until 06:00 goes over midnight.
type timeOfDayFilter struct {
	From  clock `json:"from" help:"The member's time at which it begins, for example 22:00."`
	Until clock `json:"until" help:"The member's time at which it ends, for example 06:00."`
}

func (f *timeOfDayFilter) check(at string, m *Mistakes) {
	if f.From == f.Until {
		m.add(join(at, "until"), "is the same as from, so nothing would pass")
	}
}

func (f *timeOfDayFilter) Pass(e *Event) bool {
	local := e.local()
	now := clock(local.Hour()*60 + local.Minute())
	if f.From < f.Until {
		return f.From <= now && now < f.Until
	}
	return f.From <= now || now < f.Until
}

func (f *timeOfDayFilter) Wants() Phrase {
	return Say("the member's time is from %s until %s", f.From.String(), f.Until.String())
}

// A clock is a time of day in minutes.
type clock int64

func (c clock) String() string { return fmt.Sprintf("%02d:%02d", c/60, c%60) }

// MarshalText writes 06:00.
func (c clock) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads 06:00, and 24:00 as the end of the day.
func (c *clock) UnmarshalText(text []byte) error {
	var h, min int
	if n, err := fmt.Sscanf(string(text), "%2d:%2d", &h, &min); n != 2 || err != nil || len(text) != 5 ||
		h < 0 || min < 0 || min > 59 || h*60+min > 24*60 {
		return errors.New("must be a time of day such as 06:30")
	}
	*c = clock(h*60 + min)
	return nil
}
