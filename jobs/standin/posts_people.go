package standin

import (
	"cmp"
	"iter"
	"slices"
	"time"
)

// writesBefore is how many days before Start people begin to write.
const writesBefore = 60

// networksOf are a person's names by network.
func networksOf(i int, name string) map[string]string {
	all := map[string]string{}
	for _, x := range sites.All() {
		if n, ok := x.(network); ok {
			all[n.name()] = n.person(i, name)
		}
	}
	return all
}

// dayPosts are the one to four posts of a person's day, oldest first, also those still to come.
func (s *Server) dayPosts(p *person, n network, day int) []post {
	r := rnd(mix(uint64(s.o.Seed), uint64(p.Index), uint64(n.name()[0]), uint64(day), 'w'))
	_, offset := time.Unix(int64(day)*daySeconds, 0).In(p.zone).Zone()
	var all []post
	for range r.between(1, 4) {
		second := (r.between(8, 23)*3600 + r.upTo(3600) - offset + daySeconds) % daySeconds
		at := time.Unix(int64(day)*daySeconds+int64(second), int64(r.upTo(1000))*1e6)
		// The low bits say whose it is, and are well mixed else.
		if x, ok := s.postOf(n, n.id(at, p.Index+len(s.people)*r.upTo(max(1, 1<<16/len(s.people)-1)), p.Index)); ok {
			all = append(all, x)
		}
	}
	slices.SortFunc(all, func(a, b post) int { return cmp.Compare(a.number, b.number) })
	return all
}

// timeline yields what a person has written and everybody may see now, newest first.
func (s *Server) timeline(p *person, n network, now int64) iter.Seq[*post] {
	return func(yield func(*post) bool) {
		first := int(unixDay(s.o.Start.Unix())) - writesBefore
		for day := int(unixDay(now)); day >= first; day-- {
			for _, x := range slices.Backward(s.dayPosts(p, n, day)) {
				if x.shown(now) && !yield(&x) {
					return
				}
			}
		}
	}
}

// nameOn is the name of the person with an index, as far as there is one.
func (s *Server) nameOn(network string, index int) string {
	if index >= len(s.people) {
		return ""
	}
	return s.people[index].Networks[network]
}
