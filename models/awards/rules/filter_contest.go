package rules

import "slices"

func init() { register(filters, "ContestFilter", func() Filter { return new(contestFilter) }) }

// contestFilter takes what was done in a contest: in these, or in any.
type contestFilter struct {
	Contests []string `json:"contests,omitempty" help:"Ids of contests; none means any contest."`
}

func (f *contestFilter) Pass(e *Event) bool {
	contest := e.Facts.text("contest")
	return contest != "" && (len(f.Contests) == 0 || slices.Contains(f.Contests, contest))
}

func (f *contestFilter) Wants() string {
	if len(f.Contests) == 0 {
		return "it was in a contest"
	}
	return oneOf("the contest", f.Contests)
}
