package standin

const daySeconds = 86400

func unixDay(unix int64) int64 { return unix / daySeconds }

// A calendar is when a site holds its contests: on every so many days, for
// ever. Start and end are on one day of UTC, because a day is what is generated.
type calendar struct {
	first, every int   // Days since 1970.
	opens, lasts int64 // Seconds since midnight, and how many.
	letters      int   // Problems of a contest.
}

var calendars = map[string]calendar{
	"codeforces":  {first: 15340, every: 6, opens: 14*3600 + 35*60, lasts: 2 * 3600, letters: 6},
	"atcoder":     {first: 15997, every: 7, opens: 12 * 3600, lasts: 100 * 60, letters: 7}, // Saturdays, 21:00 in Tokyo.
	"leetcode":    {first: 16500, every: 7, opens: 2*3600 + 1800, lasts: 5400, letters: 4},
	"hackerearth": {first: 16100, every: 15, opens: 15*3600 + 1800, lasts: 3 * 3600, letters: 5},
	"hackerrank":  {first: 15900, every: 7, opens: 16 * 3600, lasts: 3 * 3600, letters: 6},
	"codechef":    {first: 16000, every: 7, opens: 14*3600 + 30*60, lasts: 2 * 3600, letters: 8}, // 20:00 in India.
}

// archives are sites without contests: how many problems they have.
var archives = map[string]int{"uva": uvaProblems, "spoj": spojProblems, "timus": timusProblems}

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
