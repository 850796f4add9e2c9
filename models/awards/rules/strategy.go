package rules

import "math/big"

// A Node of a strategy is an objective's counter or a group of nodes. It is
// worth min(goal, factor x operation(children)): the factor comes first, because
// a goal of 10 km is in kilometres where the counter is in metres.
type Node struct {
	Goal      *Decimal `json:"goal,omitempty" help:"The most it is worth; of the whole strategy, the goal of the award."`
	Factor    *Decimal `json:"normalization_factor,omitempty" help:"Multiplies first: 0.001 makes kilometres of metres."`
	Objective string   `json:"objective_id,omitempty" names:"objective" help:"The task whose number counts here."`
	Operation string   `json:"operation,omitempty" choices:"sum min max" help:"How the parts of a group come together; sum when left out."`
	Strategy  []Node   `json:"strategy,omitempty" help:"The parts of a group: tasks or groups."`
}

const (
	maxLevels        = 8
	maxStrategyNodes = 64
)

func (n *Node) leaf() bool { return n.Objective != "" }

// checkStrategy finds strategies that can not be evaluated or never completed.
func checkStrategy(root *Node, objectives []Objective, m *Mistakes) {
	const at = "strategy"
	c := strategyCheck{known: map[string]bool{}, leaves: map[string]string{}, m: m}
	for _, o := range objectives {
		c.known[o.ID] = true
	}
	c.node(root, at, 1)
	if c.nodes > maxStrategyNodes {
		m.add(at, "has %d nodes; the limit is %d", c.nodes, maxStrategyNodes)
	}
	if root.Goal == nil {
		m.add(join(at, "goal"), "is missing: the award could never be reached")
	}
	if !m.under(at) {
		reachable(root, at, m)
	}
}

type strategyCheck struct {
	known  map[string]bool
	leaves map[string]string // Objective to the path of its leaf.
	nodes  int
	m      *Mistakes
}

func (c *strategyCheck) node(n *Node, at string, level int) {
	c.nodes++
	if level > maxLevels {
		c.m.add(at, "is deeper than %d levels", maxLevels)
		return
	}
	c.positive(n.Goal, join(at, "goal"))
	c.positive(n.Factor, join(at, "normalization_factor"))
	switch {
	case n.leaf() && (len(n.Strategy) > 0 || n.Operation != ""):
		c.m.add(at, "has both objective_id and strategy; use one")
	case n.leaf():
		c.objective(n.Objective, join(at, "objective_id"))
	case len(n.Strategy) == 0:
		c.m.add(at, "needs an objective_id or a non-empty strategy")
	case n.Operation != "" && operations[n.Operation] == nil:
		c.m.add(join(at, "operation"), "no operation is named %q (known: max, min, sum)", n.Operation)
	}
	for i := range n.Strategy {
		c.node(&n.Strategy[i], element(join(at, "strategy"), i), level+1)
	}
}

func (c *strategyCheck) positive(d *Decimal, at string) {
	if d != nil && d.Rat != nil && d.Sign() <= 0 {
		c.m.add(at, "must be more than 0, not %s", d)
	}
}

func (c *strategyCheck) objective(id, at string) {
	if first, ok := c.leaves[id]; ok {
		c.m.add(at, "objective %q is already used at %s and would count twice", id, first)
		return
	}
	c.leaves[id] = at
	if !c.known[id] {
		c.m.add(at, "no objective of this award is named %q", id)
	}
}

// reachable returns the most a node can be worth, nil when there is no limit.
func reachable(n *Node, at string, m *Mistakes) *big.Rat {
	var most *big.Rat
	if !n.leaf() {
		most = limit(n, at, m)
	}
	if n.Goal == nil {
		return most
	}
	if most != nil && most.Cmp(n.Goal.Rat) < 0 {
		m.add(join(at, "goal"), "is %s and cannot be reached: the parts below it are worth at most %s", n.Goal, Decimal{most})
		return most
	}
	return n.Goal.Rat
}

// limit of a group, before its goal. No limit in one part is none in a sum and
// in a maximum; a minimum is limited by any.
func limit(n *Node, at string, m *Mistakes) *big.Rat {
	limits := make([]*big.Rat, 0, len(n.Strategy))
	for i := range n.Strategy {
		if most := reachable(&n.Strategy[i], element(join(at, "strategy"), i), m); most != nil {
			limits = append(limits, most)
		}
	}
	if len(limits) == 0 || n.Operation != "min" && len(limits) < len(n.Strategy) {
		return nil
	}
	return n.scale(n.combine(limits))
}
