package standin

import (
	"fmt"

	"laurel/jobs/registry"
)

// A judge is a site that people submit to. What is a site's own in this world
// is here: when it holds contests, what people are called on it, what it
// makes of what they do. So a new site is a new file and nothing else.
type judge struct {
	site
	// Salt keeps apart what people do on different sites: a letter that no other site has.
	salt     uint64
	contests calendar
	problems int // How many there are, of a site without contests.
	// HandleOf is the handle of the person with an index, so that a test can name
	// person 1,999 without asking; "" for who is not on the site.
	handleOf func(i int, name string) string
	anyCase  bool // The site ignores capitals in handles.
	rarely   int  // Divides how often people practise here; 0 means 1.
	// Describe completes the truth about a row with what is the site's own.
	describe func(x *row, now int64, t *Submission)

	// The rest may be left out.

	stranger func(n int) string                // The handle of somebody nobody asks about, where the rows of everybody are listed.
	mode     func(p *person, draw int) mode    // How a person practises; draw is 0 to 99.
	lag      [2]int                            // A row is shown between so many seconds after it was made.
	change   func(x *row, r *rnd)              // What else happens to a row after it was made.
	crowd    bool                              // Here the crowded person fills a page with one second.
	lists    func(rows []row, now int64) []row // Which rows the site lists, where that is not all.
	fallsOff func(rows []row, now int64) []row // Which of them it still lists, where old rows fall off the list.
	stories  []Case                            // What Find finds here.
	recorded func() recording                  // Reads the folder that replays the site.
}

var judges = registry.New("judge", func(j *judge) string { return j.name() })

// registerJudge adds a site. It panics where another site has the salt: that is a mistake in the program.
func registerJudge(j judge) {
	for _, other := range judges.All() {
		if other.salt == j.salt {
			panic(fmt.Sprintf("standin: %s and %s have one salt", other.name(), j.name()))
		}
	}
	j.rarely = max(j.rarely, 1)
	judges.Add(&j)
	register(j.site)
}

// judgeNamed is the site of that name; one without people where there is none.
func judgeNamed(name string) *judge {
	if j, ok := judges.ByName(name); ok {
		return j
	}
	return &judge{}
}
