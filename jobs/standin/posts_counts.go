package standin

import "math"

// counts are a post's numbers at an instant.
type counts struct{ likes, reposts, replies, quotes, bookmarks, views int64 }

// countsOf follows a post's curve: three quarters of what it will ever get come
// within the first hours, the rest over days. How much that is differs by powers
// of ten. Now and then a few people take their likes back for an hour.
func (s *Server) countsOf(p *post, now int64) counts {
	if p.kind == retweet {
		if n, ok := networkNamed(p.network); ok && n.traits().bare {
			return counts{} // What is boosted brings its own numbers.
		}
		o := s.original(p)
		return counts{reposts: s.countsOf(&o, now).reposts}
	}
	age := max(p.age(now), 0)
	r := rnd(mix(p.key, 'm'))
	size := min(2*math.Pow(r.unit(), -0.9)-2, 2e6)
	hours := float64(age) / 3600 / (0.5 + 1.5*r.unit())
	grown := 1 - 0.75*math.Exp(-hours/2) - 0.25*math.Exp(-hours/72)
	part := func(least, most float64) int64 { return int64(size * grown * (least + (most-least)*r.unit())) }
	c := counts{likes: int64(size * grown), reposts: part(0.02, 0.3), replies: part(0.02, 0.3), quotes: part(0, 0.05),
		bookmarks: part(0, 0.2)}
	c.views = int64((size + 1) * grown * (20 + 180*r.unit()))
	if hour := rnd(mix(p.key, 'd', uint64(age/3600))); hour.upTo(16) == 0 {
		c.likes -= min(c.likes, 1+c.likes*int64(hour.upTo(10))/1000)
		c.reposts -= min(c.reposts, c.reposts*int64(hour.upTo(10))/1000)
	}
	return c
}

// of is what a network tells of the numbers; the others it has not.
func (c counts) of(n network) map[string]int64 {
	m := map[string]int64{"likes": c.likes, "reposts": c.reposts, "replies": c.replies, "quotes": c.quotes}
	own := map[string]int64{"views": c.views, "bookmarks": c.bookmarks}
	for _, name := range n.traits().metrics {
		m[name] = own[name]
	}
	return m
}
