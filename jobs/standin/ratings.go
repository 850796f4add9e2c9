package standin

// ratingDelay is how long after a contest its ratings are published.
const ratingDelay = 3 * 3600

// An entry is a rated contest of a person.
type entry struct {
	number, rank, old, new int
	at                     int64 // When the new rating is published.
}

// entries are a person's rated contests whose ratings are published at now,
// oldest first. A rating moves towards the person's skill, with luck.
func (s *Server) entries(p *person, site string, now int64) []entry {
	j := judgeNamed(site)
	c := j.contests
	if c.every == 0 || p.nothing || s.o.Instant {
		return nil
	}
	stopped := unixDay(now) + 1
	if p.stopped > 0 {
		stopped = unixDay(s.o.Start.Unix()) - int64(p.stopped*365)
	}
	var all []entry
	rating := 0
	for number := max((p.begin[site]-c.first+c.every-1)/c.every, 0); ; number++ {
		at := c.end(number) + ratingDelay
		if at > now || unixDay(c.start(number)) > stopped {
			return all
		}
		if !s.joins(p, j, number) {
			continue
		}
		r := rnd(mix(uint64(s.o.Seed), uint64(p.Index), j.salt, uint64(number), 'e'))
		e := entry{number: number, old: rating, at: at, rank: 1 + r.upTo(9000)}
		e.new = max(rating+(p.skill-rating)/4+r.between(-90, 90), 1)
		rating = e.new
		all = append(all, e)
	}
}
