package rules

func init() { register(filters, "FirstSolveFilter", func() Filter { return new(firstSolveFilter) }) }

// firstSolveFilter takes the first time the member solved a problem, so that
// sending the same program again is worth nothing.
type firstSolveFilter struct{}

func (*firstSolveFilter) Pass(e *Event) bool { return e.Facts["first_solve"] == true }

func (*firstSolveFilter) Wants() Phrase { return Say("the member had not solved the problem before") }
