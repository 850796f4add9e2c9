package profiles

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"laurel/views/charts"
	"laurel/views/parts"
	"laurel/views/texts"
)

// solvedPath lists the problems that the first, the second or both of two solved.
func solvedPath(a, b, which string) string {
	return parts.ComparePath(a, b) + "/problems?solved=" + which
}

// A Comparison is two members side by side.
type Comparison struct {
	Frame       parts.Frame
	Now         time.Time
	People      [2]Compared
	Active      int // Days on which both were active.
	Sites       []ComparedSite
	Leads       []Lead          // What only one has solved.
	Discussions templ.Component // Of both.
}

// A Lead is the newest problems that one of two has solved and the other has not.
type Lead struct {
	Which    string // first or second.
	Problems []SolvedProblem
}

// Compared is one of two.
type Compared struct {
	Name, DisplayName             string
	Solved, Submissions, Accepted int
	Detailed                      int // Of the submissions: those whose verdict is known.
	DayStreak, BestDayStreak      int
	Active                        int // Days with submissions in the year up to today.
	Pending                       bool
}

// A ComparedSite is a judge site on which at least one of two has a handle.
type ComparedSite struct {
	Title               string
	Handles             [2]string      // "" for none.
	First, Second, Both int            // Problems that only the first solved, only the second, both.
	Curves              []charts.Curve // At most two, named by their members.
	Ratings             [2]int         // The newest; 0 for none.
	Best                [2]int
}

// solved is how many problems only the first, only the second and both have solved.
func (c Comparison) solved() (first, second, both int) {
	for _, s := range c.Sites {
		first, second, both = first+s.First, second+s.Second, both+s.Both
	}
	return first, second, both
}

// A versusRow is a figure of two members.
type versusRow struct {
	title  string
	values [2]string
	ahead  int // 0 or 1 for who has more; -1 where both have the same.
}

// figures are the lines of the table.
func (c Comparison) figures(ctx context.Context) []versusRow {
	a, b := c.People[0], c.People[1]
	row := func(title string, x, y int) versusRow {
		return versusRow{title, [2]string{texts.Number(ctx, x), texts.Number(ctx, y)}, ahead(x, y)}
	}
	return []versusRow{
		row(texts.T(ctx, "Problems solved"), a.Solved, b.Solved),
		row(texts.T(ctx, "Submissions"), a.Submissions, b.Submissions),
		{texts.T(ctx, "Accepted"), [2]string{parts.Percent(a.Accepted, a.Detailed), parts.Percent(b.Accepted, b.Detailed)},
			ahead(a.Accepted*max(b.Submissions, 1), b.Accepted*max(a.Submissions, 1))},
		row(texts.T(ctx, "Active days in a year"), a.Active, b.Active),
		row(texts.T(ctx, "Current streak"), a.DayStreak, b.DayStreak),
		row(texts.T(ctx, "Best streak"), a.BestDayStreak, b.BestDayStreak),
	}
}

func ahead(x, y int) int {
	switch {
	case x > y:
		return 0
	case y > x:
		return 1
	}
	return -1
}

// rated are the sites on which at least one has a curve.
func (c Comparison) rated() (sites []ComparedSite) {
	for _, s := range c.Sites {
		if len(s.Curves) > 0 {
			sites = append(sites, s)
		}
	}
	return sites
}

// ratingWords is "1764 (best 1801)", of one of two on a site.
func (s ComparedSite) ratingWords(ctx context.Context, i int) string {
	if s.Ratings[i] == 0 && s.Best[i] == 0 {
		return texts.T(ctx, "not rated")
	}
	return texts.T(ctx, "%s (best %s)", strconv.Itoa(s.Ratings[i]), strconv.Itoa(s.Best[i]))
}

// pending says whose history may be incomplete; "" where it is nobody's.
func (c Comparison) pending(ctx context.Context) string {
	var names []string
	for _, p := range c.People {
		if p.Pending {
			names = append(names, p.DisplayName)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return texts.T(ctx, "Submissions of %s are still loading: these numbers may be too low.", strings.Join(names, texts.T(ctx, " and ")))
}

// Compare is the page that asks whom to compare.
type Compare struct {
	Frame   parts.Frame
	Form    parts.Form
	Mistake string
	Choices []CompareChoice // Where a text may mean several members.
}

// A CompareChoice is the members whom a text may mean.
type CompareChoice struct {
	Typed  string
	People []ComparePerson
}

// A ComparePerson is one of them; Path chooses them.
type ComparePerson struct {
	ID                      int64
	Name, DisplayName, Path string
}

// SolvedList is a list of problems by who of two solved them.
type SolvedList struct {
	Frame    parts.Frame
	Now      time.Time
	People   [2]Compared
	Which    string // first, second or both.
	Problems []SolvedProblem
	Newest   string
	Older    string
}

// A SolvedProblem is a problem in such a list.
type SolvedProblem struct {
	Site, SiteTitle, Key, Words string
	At                          time.Time
}

// whichWords names the lists of two members.
func whichWords(ctx context.Context, p [2]Compared, which string) string {
	switch which {
	case "first":
		return texts.T(ctx, "Solved by %s only", p[0].DisplayName)
	case "second":
		return texts.T(ctx, "Solved by %s only", p[1].DisplayName)
	}
	return texts.T(ctx, "Solved by both")
}

var whichChoices = []string{"first", "both", "second"}
