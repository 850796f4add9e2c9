package charts

import (
	"math/rand/v2"
	"time"

	"laurel/views/viewstest"
)

// sampleYear is 53 weeks with pauses.
func sampleYear() Year {
	y := Year{Name: "ada", Zone: "Europe/Riga", First: time.Date(2025, 11, 17, 0, 0, 0, 0, time.UTC)}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 370 {
		c := DayCount{}
		if busy := r.IntN(10) < 3+i/80; busy && i%50 > 6 {
			c.Submissions = 1 + int(r.ExpFloat64()*5)
			c.Accepted = r.IntN(c.Submissions + 1)
		}
		y.Days = append(y.Days, c)
	}
	return y
}

// sampleStrip is two months with a check every few hours.
func sampleStrip(title string, seed uint64, spans ...StripSpan) Strip {
	s := Strip{Title: title, From: time.Date(2026, 2, 1, 0, 0, 0, 0, viewstest.Riga), Until: time.Date(2026, 3, 31, 0, 0, 0, 0, viewstest.Riga), At: viewstest.Then, Spans: spans}
	r := rand.New(rand.NewPCG(seed, 7))
	for at := s.From; at.Before(s.Until); at = at.Add(time.Duration(3+r.IntN(40)) * time.Hour) {
		s.Checks = append(s.Checks, at)
	}
	return s
}
