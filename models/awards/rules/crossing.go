package rules

import (
	"slices"
	"sort"
	"time"
)

// A Counted item is one of the ledger's: when it happened and what it
// contributes to which objective.
type Counted struct {
	At           time.Time
	Objective    string
	Contribution Contribution
}

// Crossed returns when the goal of a level (counted from 1) was reached by these
// items, which is when a grant that is found later is dated. Only what is active
// counts, and it never makes progress fall, so halving finds the item.
func (a *Award) Crossed(level int, items []Counted) (time.Time, bool) {
	items = slices.Clone(items)
	slices.SortFunc(items, func(x, y Counted) int { return x.At.Compare(y.At) })
	n := sort.Search(len(items)+1, func(n int) bool { return a.levelAfter(items[:n]) >= level })
	if n == 0 || n > len(items) {
		return time.Time{}, false
	}
	return items[n-1].At, true
}

func (a *Award) levelAfter(items []Counted) int { return a.Progress(a.CountersOf(items)).Level }

// CountersOf are the active counters that items amount to, by objective. What is more
// than can be counted stays what it was.
func (a *Award) CountersOf(items []Counted) map[string]Amount {
	cells := map[string]Cells{}
	for _, i := range items {
		if cells[i.Objective] == nil {
			cells[i.Objective] = Cells{}
		}
		_ = cells[i.Objective].Move(Contribution{}, i.Contribution)
	}
	counters := map[string]Amount{}
	for i := range a.Objectives {
		o := &a.Objectives[i]
		counters[o.ID] = o.Counters(cells[o.ID])[Active]
	}
	return counters
}
