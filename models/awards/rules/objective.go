package rules

import "slices"

// An Objective is a task of an award: which events suit it, and by exactly one
// rule, how they are counted.
type Objective struct {
	ID      string         `json:"id" help:"The name of the task, which the strategy uses."`
	Filters []Part[Filter] `json:"filters,omitempty" help:"All must pass; none means all events."`
	Rule    Part[Rule]     `json:"rule" help:"How what passes is counted."`
}

// A Contribution is what one item, in the state an event gives it, adds to an
// objective. The ledger keeps it per item and objective, and undoes it by what
// it has kept: the filter of that day may have changed since.
type Contribution struct {
	Status string // The counter it goes to.
	Key    string // The cell within the counter: an object, a day, a number.
	Amount Amount // 0 is no contribution.
}

// Contribution of an event that is the newest of its item.
func (o *Objective) Contribution(e *Event) Contribution {
	for i := range o.Filters {
		if !o.Filters[i].Config.Pass(e) {
			return Contribution{}
		}
	}
	key, amount := o.Rule.Config.Contribute(e)
	if amount == 0 {
		return Contribution{}
	}
	return Contribution{e.Standing(), key, amount}
}

// MayCount reports whether any event of a source can suit, so that the others
// need not be tried.
func (o *Objective) MayCount(source string) bool {
	r := o.Reach()
	return r.Sources == nil || slices.Contains(r.Sources, source)
}

// A Verdict is what one filter says of an event.
type Verdict struct {
	Filter string
	Wants  Phrase
	Pass   bool
}

// Verdicts are those of all filters, for who asks why an event did not count.
func (o *Objective) Verdicts(e *Event) []Verdict {
	verdicts := make([]Verdict, len(o.Filters))
	for i, f := range o.Filters {
		verdicts[i] = Verdict{f.Name, f.Config.Wants(), f.Config.Pass(e)}
	}
	return verdicts
}
