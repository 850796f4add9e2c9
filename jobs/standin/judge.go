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

const daySeconds = 86400

func unixDay(unix int64) int64 { return unix / daySeconds }

// A calendar is when a site holds its contests: on every so many days, for
// ever. Start and end are on one day of UTC, because a day is what is generated.
type calendar struct {
	first, every int   // Days since 1970.
	opens, lasts int64 // Seconds since midnight, and how many.
	letters      int   // Problems of a contest.
}

// on returns the number of the contest that is held on a day.
func (c calendar) on(day int) (int, bool) {
	if c.every == 0 || day < c.first || (day-c.first)%c.every != 0 {
		return 0, false
	}
	return (day - c.first) / c.every, true
}

func (c calendar) start(number int) int64 {
	return int64(c.first+number*c.every)*daySeconds + c.opens
}

func (c calendar) end(number int) int64 { return c.start(number) + c.lasts }

// ended counts the contests that were over at an instant; they are 0 to ended-1.
func (c calendar) ended(unix int64) int {
	n := (int(unixDay(unix))-c.first)/c.every + 1
	for n > 0 && c.end(n-1) > unix {
		n--
	}
	return max(n, 0)
}
