package profiles

import (
	"context"
	"time"

	"github.com/a-h/templ"

	"laurel/views/parts"
	"laurel/views/texts"
)

// A Problem is a problem with what members did about it.
type Problem struct {
	Frame       parts.Frame
	Now         time.Time
	Site, Key   string
	SiteTitle   string
	Words       string // The problem as people call it.
	URL         string // On its judge site; "" where that is not known.
	Known       bool   // Some member met it.
	Attempts    int    // Submissions of all members.
	Accepted    int
	Tried       int // Members who have not solved it yet.
	Solvers     int
	Solved      []Solver // The first first.
	Discussions templ.Component
}

// A Solver is a member who solved the problem.
type Solver struct {
	Name, DisplayName string
	At                time.Time
	Attempts          int // Until then.
	Language          string
	URL               string // Of the submission.
}

// attempt is how many submissions it took a solver.
func (s Solver) attempt(ctx context.Context) string {
	if s.Attempts <= 1 {
		return texts.T(ctx, "first attempt")
	}
	return texts.N(ctx, s.Attempts, "%d attempt", "%d attempts")
}
