package standin

import (
	"cmp"
	"fmt"
	"slices"
)

// Some sites list what everybody submits: the people, and strangers whom nobody
// here asks about (Options.Strangers), who make the list long.

// An anybody is a row and whose it is.
type anybody struct {
	row
	p *person
}

// strangerIDs are above the ids of all people.
const strangerIDs = 1 << 50

// strangersOf are the rows of strangers on a day, spread over it.
func (s *Server) strangersOf(site string, day int) []anybody {
	all, j := make([]anybody, s.o.Strangers), judgeNamed(site)
	for i := range all {
		r := rnd(mix(uint64(s.o.Seed), j.salt, uint64(day), uint64(i), 'f'))
		who := r.upTo(100_000)
		p := &person{Person: Person{DisplayName: fmt.Sprintf("Stranger %d (sample)", who),
			Handles: map[string]string{site: j.stranger(who)}}}
		x := pick(p, j, int64(day)*daySeconds, &r)
		x.id, x.at, x.verdict = strangerIDs+int64(day)*1_000_000+int64(i), int64(day)*daySeconds+
			int64(i)*daySeconds/int64(s.o.Strangers), judged(&r)
		x.seen, x.judged = x.at, x.at
		if j.lag[1] > 0 {
			x.seen = x.at + int64(r.between(j.lag[0], j.lag[1]))
			x.judged = x.seen
		}
		all[i] = anybody{x, p}
	}
	return all
}

// dayOfAll are the rows that everybody made on a day and the site shows at now,
// oldest first.
func (s *Server) dayOfAll(site string, day int, now int64) []anybody {
	all := s.strangersOf(site, day)
	var rows []row
	for _, p := range s.people {
		if day < s.firstDay(p, site) {
			continue
		}
		rows = s.dayRows(rows[:0], p, site, day)
		for _, x := range rows {
			all = append(all, anybody{x, p})
		}
	}
	all = slices.DeleteFunc(all, func(x anybody) bool { return x.at > now || x.seen > now })
	slices.SortFunc(all, func(a, b anybody) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.id, b.id)) })
	return all
}

// beginning is the day of the first row of anybody.
func (s *Server) beginning(site string) int {
	first := int(unixDay(s.o.Start.Unix()))
	for _, p := range s.people {
		first = min(first, s.firstDay(p, site))
	}
	return first
}
