package rules

import "slices"

func init() { register(filters, "ContestFilter", func() Filter { return new(contestFilter) }) }

// contestFilter takes what was done in a contest: in these, or in any. What was done there after
// the contest, as practice or by a clock of one's own, is taken only where it is asked for.
type contestFilter struct {
	Contests       []string `json:"contests,omitempty" help:"Ids of contests; none means any contest."`
	Participations []string `json:"participations,omitempty" choices:"contest virtual practice unknown" help:"How they took part."`
}

func (f *contestFilter) Pass(e *Event) bool {
	contest := e.Facts.text("contest")
	return contest != "" && (len(f.Contests) == 0 || slices.Contains(f.Contests, contest)) && f.took(e.Facts.text("participation"))
}

// took says whether who took part so is meant. A source that does not say tells of contests alone.
func (f *contestFilter) took(participation string) bool {
	if participation == "" {
		participation = "contest"
	}
	if len(f.Participations) == 0 {
		return participation == "contest"
	}
	return slices.Contains(f.Participations, participation)
}

func (f *contestFilter) Wants() Phrase {
	what := Say("it was in a contest")
	if len(f.Contests) > 0 {
		what = oneOf("the contest", f.Contests)
	}
	if len(f.Participations) > 0 {
		what = Say("%s, %s", what, oneOf("the participation", f.Participations))
	}
	return what
}
