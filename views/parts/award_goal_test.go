package parts

import "testing"

func TestAwardGoal(t *testing.T) {
	t.Parallel()
	for want, g := range map[string]AwardGoal{
		"13 more nights to Night owl": {Have: "12", More: "13", Goal: "25", Unit: "nights", Rule: "CountRule", To: "Night owl"},
		"1 more night to Night owl":   {Have: "24", More: "1", Goal: "25", Unit: "nights", Rule: "CountRule", To: "Night owl"},
		"58 rating points to Grandmaster": {Have: "2,342", More: "58", Goal: "2,400", Unit: "rating", Rule: "MaxRule",
			To: "Grandmaster"},
		"Best so far: 18 of 20 submissions to Busy day": {Have: "18", More: "2", Goal: "20", Unit: "submissions", Rule: "MaxRule",
			To: "Busy day"},
		"Best so far: 36 of 100 days to A hundred days": {Have: "36", More: "64", Goal: "100", Unit: "days", Rule: "ConsecutiveDaysRule",
			To: "A hundred days"},
		"2 of 3 to Polyglot": {Have: "2", More: "1", Goal: "3", To: "Polyglot"},
	} {
		if got := g.Words(t.Context()); got != want {
			t.Errorf("%+v = %q, want %q", g, got, want)
		}
	}
}
