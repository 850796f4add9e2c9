package parts

import "strings"

// An AwardGoal is what is still to do for an award or its next level.
type AwardGoal struct {
	Have, More, Goal string // "12", "13", "25".
	Unit             string // What is counted, in the plural: "nights"; "" where several things are.
	Rule             string // By which it is counted.
	To               string // The award or its next level.
}

// Words are one sentence: "13 more nights to Night owl".
func (g AwardGoal) Words() string {
	switch unit := g.noun(); {
	case g.Unit == "":
		return g.Have + " of " + g.Goal + " to " + g.To
	case g.Rule == "MaxRule" && g.Unit == "rating":
		return g.More + " rating points to " + g.To
	case g.Rule == "MaxRule" || g.Rule == "ConsecutiveDaysRule": // To be beaten: what is there does not add up.
		return "Best so far: " + g.Have + " of " + g.Goal + " " + g.Unit + " to " + g.To
	default:
		return g.More + " more " + unit + " to " + g.To
	}
}

// noun is the unit of what is left.
func (g AwardGoal) noun() string {
	if g.More == "1" {
		return strings.TrimSuffix(g.Unit, "s")
	}
	return g.Unit
}
