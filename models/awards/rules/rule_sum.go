package rules

import (
	"math"
	"time"
)

func init() { register(rules, "SumRule", func() Rule { return new(sumRule) }) }

// sumRule adds up a fact: metres, points. An absurd number is cut, per event
// and, where it is asked for, per day of the member; a negative one adds
// nothing, so that counters never fall below 0.
type sumRule struct {
	Fact        string  `json:"fact" names:"fact" help:"The fact that is added up, for example metres."`
	MaxPerEvent *Amount `json:"max_per_event,omitempty" help:"What one event adds at most; 1000000 when left out."`
	MaxPerDay   *Amount `json:"max_per_day,omitempty" help:"What one day of the member adds at most."`
}

// defaultMaxPerEvent lets millions of events be added up before a counter is
// full, however wrong their numbers are.
const defaultMaxPerEvent = 1_000_000 * unit

func (r *sumRule) check(at string, m *Mistakes) {
	positive(at, "max_per_event", r.MaxPerEvent, m)
	positive(at, "max_per_day", r.MaxPerDay, m)
}

func positive(at, name string, a *Amount, m *Mistakes) {
	if a != nil && *a <= 0 {
		m.add(join(at, name), "must be more than 0, not %s", a)
	}
}

func (r *sumRule) Contribute(e *Event) (string, Amount) {
	a := bounded(e, r.Fact, r.MaxPerEvent)
	if a == 0 || r.MaxPerDay == nil {
		return "", a
	}
	return e.local().Format(time.DateOnly), a
}

// bounded is a fact as rules count it.
func bounded(e *Event, fact string, most *Amount) Amount {
	a, _ := e.Facts.amount(fact)
	limit := defaultMaxPerEvent
	if most != nil {
		limit = *most
	}
	return max(0, min(a, limit))
}

func (r *sumRule) Value(cells map[string]Amount) Amount {
	var sum Amount
	for _, a := range cells {
		if r.MaxPerDay != nil {
			a = min(a, *r.MaxPerDay)
		}
		var err error
		if sum, err = sum.add(a); err != nil {
			return math.MaxInt64 // Days that fit one by one.
		}
	}
	return sum
}

func (*sumRule) Whole() bool { return false }

func (r *sumRule) Counts() Phrase {
	if r.MaxPerDay != nil {
		return Say("the sum of %s, at most %s a day", r.Fact, r.MaxPerDay.String())
	}
	return Say("the sum of %s", r.Fact)
}
