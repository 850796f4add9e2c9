package rules

import (
	"cmp"
	"math/big"
)

// operations combine the parts of a group. They take at least one.
var operations = map[string]func(a, b *big.Rat) *big.Rat{
	"sum": func(a, b *big.Rat) *big.Rat { return new(big.Rat).Add(a, b) },
	"min": func(a, b *big.Rat) *big.Rat { return pick(a, b, -1) },
	"max": func(a, b *big.Rat) *big.Rat { return pick(a, b, 1) },
}

func pick(a, b *big.Rat, sign int) *big.Rat {
	if a.Cmp(b) == sign {
		return a
	}
	return b
}

func (n *Node) combine(parts []*big.Rat) *big.Rat {
	op := operations[cmp.Or(n.Operation, "sum")]
	total := parts[0]
	for _, part := range parts[1:] {
		total = op(total, part)
	}
	return total
}

func (n *Node) scale(r *big.Rat) *big.Rat {
	if n.Factor == nil {
		return r
	}
	return new(big.Rat).Mul(r, n.Factor.Rat)
}

// value of a node for the counters of active items.
func (n *Node) value(counters map[string]Amount) *big.Rat {
	var r *big.Rat
	if n.leaf() {
		r = max(counters[n.Objective], 0).rat()
	} else {
		parts := make([]*big.Rat, len(n.Strategy))
		for i := range n.Strategy {
			parts[i] = n.Strategy[i].value(counters)
		}
		r = n.combine(parts)
	}
	r = n.scale(r)
	if n.Goal != nil {
		r = pick(r, n.Goal.Rat, -1)
	}
	return r
}

// Progress is how far a member has come with an award.
type Progress struct {
	Value   Decimal // Exact.
	Goal    Decimal
	Started bool
	Reached bool
	Level   int // How many levels are reached.
}

// Shown is the progress as people read it: whole, and rounded down, so that
// 14.999 of 15 never looks like 15 of 15.
func (p Progress) Shown() string {
	if p.Reached {
		return p.Goal.String()
	}
	return new(big.Int).Quo(p.Value.Num(), p.Value.Denom()).String()
}

// Progress evaluates the strategy. It reads the state and never an event,
// so a threshold that was passed unseen is found the next time.
func (a *Award) Progress(counters map[string]Amount) Progress {
	p := Progress{Value: Decimal{a.Strategy.value(counters)}, Goal: *a.Strategy.Goal}
	p.Reached = p.Value.Cmp(p.Goal.Rat) >= 0
	for _, o := range a.Objectives {
		p.Started = p.Started || counters[o.ID] > 0
	}
	for _, l := range a.levels() {
		if p.Value.Cmp(l.Goal.Rat) >= 0 {
			p.Level++
		}
	}
	return p
}
