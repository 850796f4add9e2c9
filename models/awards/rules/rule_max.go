package rules

import "strconv"

func init() { register(rules, "MaxRule", func() Rule { return new(maxRule) }) }

// maxRule keeps the largest a fact ever was. Items are counted per number, so
// that the second largest is known when the largest is taken back.
type maxRule struct {
	Fact        string  `json:"fact" names:"fact" help:"The fact whose largest number counts, for example rating."`
	MaxPerEvent *Amount `json:"max_per_event,omitempty" help:"A larger number counts as this; 1000000 when left out."`
}

func (r *maxRule) check(at string, m *Mistakes) { positive(at, "max_per_event", r.MaxPerEvent, m) }

func (r *maxRule) Contribute(e *Event) (string, Amount) {
	a := bounded(e, r.Fact, r.MaxPerEvent)
	if a == 0 {
		return "", 0
	}
	return strconv.FormatInt(int64(a), 10), unit
}

func (*maxRule) Value(cells map[string]Amount) Amount {
	var most Amount
	for key, items := range cells {
		if a, err := strconv.ParseInt(key, 10, 64); err == nil && items > 0 {
			most = max(most, Amount(a))
		}
	}
	return most
}

func (*maxRule) Whole() bool { return false }

func (r *maxRule) Counts() Phrase { return Say("the largest %s", r.Fact) }
