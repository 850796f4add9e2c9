package parts

import (
	"context"
	"strings"

	"laurel/views/texts"
)

// An AwardGoal is what is still to do for an award or its next level.
type AwardGoal struct {
	Have, More, Goal string // "12", "13", "25".
	Unit             string // What is counted, in the plural: "nights"; "" where several things are.
	Rule             string // By which it is counted.
	To               string // The award or its next level.
}

// Words are one sentence: "13 more nights to Night owl".
func (g AwardGoal) Words(ctx context.Context) string {
	switch unit := g.noun(); {
	case g.Unit == "":
		return texts.T(ctx, "%s of %s to %s", g.Have, g.Goal, g.To)
	case g.Rule == "MaxRule" && g.Unit == "rating":
		return texts.T(ctx, "%s rating points to %s", g.More, g.To)
	case g.Rule == "MaxRule" || g.Rule == "ConsecutiveDaysRule": // To be beaten: what is there does not add up.
		return texts.T(ctx, "Best so far: %s of %s %s to %s", g.Have, g.Goal, g.Unit, g.To)
	default:
		return texts.T(ctx, "%s more %s to %s", g.More, unit, g.To)
	}
}

// noun is the unit of what is left.
func (g AwardGoal) noun() string {
	if g.More == "1" {
		return strings.TrimSuffix(g.Unit, "s")
	}
	return g.Unit
}
