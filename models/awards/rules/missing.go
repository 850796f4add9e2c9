package rules

import (
	"fmt"
	"maps"
	"math"
	"math/big"
)

// Missing is what one objective can still do for the award.
type Missing struct {
	Objective string
	Have      Amount // Its counter.
	More      Amount // By how much it must grow, the others staying as they are.
	Enough    bool   // Whether that alone reaches the goal.
}

// String says it in plain words.
func (m Missing) String() string {
	if m.Enough {
		return fmt.Sprintf("%s: %s more (now %s) would be enough", m.Objective, m.More, m.Have)
	}
	return fmt.Sprintf("%s: %s more (now %s) would help, but is not enough alone", m.Objective, m.More, m.Have)
}

// Missing asks each leaf how far it would have to grow: the goal is handed down
// the tree, less what the other parts are worth. Nothing is missing of an award
// that is reached. It is for pages; Progress is for the worker and much cheaper.
func (a *Award) Missing(counters map[string]Amount) []Missing {
	whole := map[string]bool{}
	for _, o := range a.Objectives {
		whole[o.ID] = o.Rule.Config.Whole()
	}
	f := finder{award: a, counters: counters, whole: whole}
	f.down(&a.Strategy, a.Strategy.Goal.Rat)
	return f.found
}

type finder struct {
	award    *Award
	counters map[string]Amount
	whole    map[string]bool
	found    []Missing
}

// down returns what the leaves below a node miss for it to be worth target.
func (f *finder) down(n *Node, target *big.Rat) {
	if n.Goal != nil {
		target = pick(target, n.Goal.Rat, -1) // It is not worth more.
	}
	if n.value(f.counters).Cmp(target) >= 0 {
		return
	}
	if n.Factor != nil {
		target = new(big.Rat).Quo(target, n.Factor.Rat)
	}
	if n.leaf() {
		f.leaf(n.Objective, target)
		return
	}
	for i := range n.Strategy {
		part := target
		for j := range n.Strategy {
			if i != j && (n.Operation == "" || n.Operation == "sum") {
				part = new(big.Rat).Sub(part, n.Strategy[j].value(f.counters))
			}
		}
		f.down(&n.Strategy[i], part)
	}
}

func (f *finder) leaf(objective string, target *big.Rat) {
	have, need := f.counters[objective], roundUp(target, f.whole[objective])
	then := maps.Clone(f.counters)
	if then == nil {
		then = map[string]Amount{}
	}
	then[objective] = need
	enough := f.award.Strategy.value(then).Cmp(f.award.Strategy.Goal.Rat) >= 0
	f.found = append(f.found, Missing{objective, have, need - have, enough})
}

// roundUp gives the smallest counter that is not below r.
func roundUp(r *big.Rat, whole bool) Amount {
	step := Amount(1)
	if whole {
		step = unit
	}
	steps := new(big.Rat).Mul(r, big.NewRat(int64(unit), int64(step)))
	n := new(big.Int).Quo(steps.Num(), steps.Denom())
	if !steps.IsInt() {
		n.Add(n, big.NewInt(1))
	}
	if n.Mul(n, big.NewInt(int64(step))); !n.IsInt64() {
		return math.MaxInt64 // Farther than anything is counted.
	}
	return Amount(n.Int64())
}
