package standin

import "slices"

// An Edit is what a site does to an account's history afterwards. It names submissions by the
// moments at which they were made, in seconds since 1970.
type Edit struct {
	Site, Handle string
	Add          []int64  // These appear.
	Skip         []int64  // These get another verdict, weeks later.
	Remove       []int64  // These vanish.
	Hide         [2]int64 // From, until: a mirror lacks them. It replaces what an earlier edit hid.
}

// edits change what dayRows made: see Edit.
type edits struct {
	added   []row
	skipped map[int64]bool
	removed map[int64]bool
	hidden  [2]int64
}

// Edit changes a history from now on.
func (s *Server) Edit(e Edit) {
	p, ok := s.personOf(e.Site, e.Handle)
	if !ok {
		return
	}
	s.editing.Lock()
	defer s.editing.Unlock()
	key := e.Site + " " + p.Name
	of := s.edited[key]
	if of == nil {
		of = &edits{skipped: map[int64]bool{}, removed: map[int64]bool{}}
		s.edited[key] = of
	}
	for _, at := range e.Add {
		day, same := int(unixDay(at)), int64(0) // The last numbers of a day are free.
		for _, r := range of.added {
			if int(unixDay(r.at)) == day {
				same++
			}
		}
		of.added = append(of.added, row{id: s.firstID(day, p.Index) + perDay - 1 - same, at: at, judged: at,
			verdict: accepted, contest: 1 + int(at%900), letter: int(at % 5)})
	}
	for _, at := range e.Skip {
		of.skipped[at] = true
	}
	for _, at := range e.Remove {
		of.removed[at] = true
	}
	of.hidden = e.Hide
}

// edit applies edits to the rows of a day.
func (s *Server) edit(day []row, p *person, site string, number int) []row {
	s.editing.RLock()
	defer s.editing.RUnlock()
	of := s.edited[site+" "+p.Name]
	if of == nil {
		return day
	}
	for _, r := range of.added {
		if int(unixDay(r.at)) == number {
			day = append(day, r)
		}
	}
	day = slices.DeleteFunc(day, func(r row) bool {
		return of.removed[r.at] || r.at >= of.hidden[0] && r.at < of.hidden[1]
	})
	for i := range day {
		if of.skipped[day[i].at] {
			day[i].verdict, day[i].hacked = skipped, 0
		}
	}
	slices.SortStableFunc(day, func(a, b row) int { return int(a.at - b.at) })
	return day
}
