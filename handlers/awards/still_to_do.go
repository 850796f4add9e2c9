package awards

import (
	"context"
	"math/big"

	"laurel/models/awards"
	"laurel/models/awards/rules"
	views "laurel/views/awards"
	"laurel/views/parts"
)

// toGo says in one sentence what is still to do for an award or its next level.
func toGo(ctx context.Context, s *awards.Standing, to string) string {
	doc := &s.Doc
	if len(doc.Objectives) == 1 && doc.Strategy.Factor == nil {
		more := new(big.Rat).Sub(s.Goal.Rat, s.Value.Rat)
		return parts.AwardGoal{Have: figure(s.Value), More: figure(rules.Decimal{Rat: more}), Goal: figure(s.Goal),
			Unit: doc.Objectives[0].ID, Rule: doc.Objectives[0].Rule.Name, To: to}.Words(ctx)
	}
	if m := leastEnough(s.Missing); m != nil {
		return amountWords(m.More) + " more in " + m.Objective + " to " + to
	}
	return parts.AwardGoal{Have: figure(s.Value), Goal: figure(s.Goal), To: to}.Words(ctx)
}

// leastEnough is the task that takes the least to reach the goal alone; nil where none does.
func leastEnough(missing []rules.Missing) (least *rules.Missing) {
	for i, m := range missing {
		if m.Enough && (least == nil || m.More < least.More) {
			least = &missing[i]
		}
	}
	return least
}

// figure is an amount as people read it, rounded down, with a comma between thousands.
func figure(d rules.Decimal) string {
	n := new(big.Int).Quo(d.Num(), d.Denom())
	if !n.IsInt64() {
		return n.String()
	}
	return parts.Number(int(n.Int64()))
}

// counterLines are what was counted, a line for each task.
func counterLines(list []awards.Counter) (lines []views.Counter) {
	for _, n := range list {
		lines = append(lines, views.Counter{Objective: n.Objective, Status: n.Status, Amount: amountWords(n.Amount)})
	}
	return lines
}
