package awards

import (
	"context"
	"math/big"

	"laurel/models/awards"
	"laurel/models/awards/rules"
	views "laurel/views/awards"
	"laurel/views/parts"
	"laurel/views/texts"
)

// toGo says in one sentence what is still to do for an award or its next level.
func toGo(ctx context.Context, s *awards.Standing, to string) string {
	doc := &s.Doc
	if len(doc.Objectives) == 1 && doc.Strategy.Factor == nil {
		more := new(big.Rat).Sub(s.Goal.Rat, s.Value.Rat)
		return parts.AwardGoal{Have: figure(ctx, s.Value), More: figure(ctx, rules.Decimal{Rat: more}), Goal: figure(ctx, s.Goal),
			Unit: doc.Objectives[0].ID, Rule: doc.Objectives[0].Rule.Name, To: to}.Words(ctx)
	}
	if m := leastEnough(s.Missing); m != nil {
		return texts.T(ctx, "%s more in %s to %s", amountWords(ctx, m.More), m.Objective, to)
	}
	return parts.AwardGoal{Have: figure(ctx, s.Value), Goal: figure(ctx, s.Goal), To: to}.Words(ctx)
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
func figure(ctx context.Context, d rules.Decimal) string {
	n := new(big.Int).Quo(d.Num(), d.Denom())
	if !n.IsInt64() {
		return n.String()
	}
	return texts.Number(ctx, int(n.Int64()))
}

// counterLines are what was counted, a line for each task.
func counterLines(ctx context.Context, list []awards.Counter) (lines []views.Counter) {
	for _, n := range list {
		lines = append(lines, views.Counter{Objective: n.Objective, Status: n.Status, Amount: amountWords(ctx, n.Amount)})
	}
	return lines
}
