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
