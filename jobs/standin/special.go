package standin

// The days that are made for one purpose, and the submissions a test can name.

// crowdedDays is how long the crowded person takes to fill a page of 500 and to
// begin the next: 25 rows a day, and 30 on the last day. Rows 498 to 503 are of
// one second, so that the page is cut inside it.
const crowdedDays = 20

func crowdedDay(all []row, p *person, day, nth int) []row {
	count, second := 25, int64(9*3600)
	if nth == crowdedDays-1 {
		count = 30
	}
	for i := range count {
		if nth*25+i < 498 || nth*25+i > 502 {
			second += 600
		}
		all = append(all, row{
			at: int64(day)*daySeconds + second, contest: i / 7, letter: i % 7, verdict: verdict(i % 2), language: p.Index,
		})
	}
	return all
}

// instantRows is how many rows everybody has at Start when histories are instant.
const instantRows = 20

// instantDay is the one row of a day, where the first is 20 days before Start.
func instantDay(p *person, day int) row {
	at := int64(day)*daySeconds + int64(p.Index%daySeconds)
	return row{at: at, contest: (day + p.Index) % 100, letter: day % 6, verdict: verdict(day % 2), language: p.Index}
}
