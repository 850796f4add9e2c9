package standin

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// A network is a site of posts. Nothing of a post is stored: its id holds when
// it was made, as on the real networks, and all else about it follows from the
// seed and the id. So every id that the network could have given out until now
// is a post, and a test has as many posts of any age as it makes ids.
type network interface {
	site
	// id writes an id; n distinguishes posts of one instant.
	id(at time.Time, n, author int) string
	// parse reads an id; the author is still to be divided by the people, but for ownAuthor.
	parse(id string) (stamp, bool)
	traits() networkTraits
	// person is the name of the person with an index, a function of it as handles are.
	person(i int, name string) string
}

// networkTraits are what a network has of its own.
type networkTraits struct {
	limit     Limit
	byClock   bool     // Windows of the quota begin by the clock, not with the first request.
	ownAuthor bool     // The id says whose the post is.
	noReposts bool     // A repost is no post.
	bare      bool     // A repost has no numbers of its own.
	metrics   []string // Which numbers it shows besides likes, reposts, replies and quotes.
}

// A stamp is what an id says by itself.
type stamp struct {
	number uint64 // Rises with time.
	ms     int64  // When the post was made, in milliseconds since 1970.
	author int
}

// A post is what an id means.
type post struct {
	stamp
	network string
	id      string
	key     uint64 // Seed and id, well mixed.
	fate
}

// A fate is what becomes of a post, besides its numbers.
type fate struct {
	kind     postKind
	from, to int64 // Between these ages, in seconds, it cannot be seen.
}

type postKind uint8

const (
	plain postKind = iota
	deleted
	protected // Its author lets only followers see it, for some days.
	suspended // Its author is shut out, for some days.
	retweet
)

// PostID makes the id of a post of a moment: for Bluesky an at:// address, else a
// number as text. Every n of a moment is another post; n beyond what a
// millisecond holds are of the next one. It panics when no network has the name.
func PostID(network string, at time.Time, n int) string {
	x, ok := networkNamed(network)
	if !ok {
		panic(fmt.Sprintf("no network is named %q", network))
	}
	return x.id(at, n, n%24)
}

func networkNamed(name string) (network, bool) {
	x, err := siteNamed(name)
	if err != nil {
		return nil, false
	}
	n, ok := x.(network)
	return n, ok
}

// postOf is the post with an id, also of one that is still to be made. It is
// false for what is no id.
func (s *Server) postOf(n network, id string) (post, bool) {
	at, ok := n.parse(id)
	if !ok {
		return post{}, false
	}
	p := post{stamp: at, network: n.name(), id: id}
	traits := n.traits()
	if !traits.ownAuthor {
		p.author %= max(1, len(s.people))
	}
	p.key = mix(uint64(s.o.Seed), uint64(p.network[0]), at.number, uint64(p.author))
	p.fate = fateOf(p.key, traits.noReposts)
	return p, true
}

// fateOf draws: one post of 200 is deleted, one of 500 hidden for some days and
// one of 300 a retweet.
func fateOf(key uint64, noReposts bool) fate {
	r := rnd(mix(key, 'f'))
	at := r.upTo(6000)
	early := int64(600 << r.upTo(12)) // Ten minutes to two weeks, each doubling as likely.
	early += int64(r.upTo(int(early)))
	switch {
	case at < 30:
		return fate{deleted, early, 1 << 40}
	case at < 42:
		return fate{protected + postKind(at%2), early, early + int64(r.between(1, 6)*daySeconds)}
	case at < 62 && !noReposts:
		return fate{kind: retweet}
	}
	return fate{}
}

// shown says whether everybody sees a post at an instant. Time is in whole
// seconds, so a post is there from the second in which it is made.
func (p *post) shown(now int64) bool {
	age := p.age(now)
	return age >= 0 && (p.to == 0 || age < p.from || age >= p.to)
}

func (p *post) age(now int64) int64 { return now - p.ms/1000 }

// hidden says of a post that is not shown whether it is still there.
func (p *post) hidden(now int64) bool {
	return p.age(now) >= 0 && (p.kind == protected || p.kind == suspended)
}

// original is what a retweet repeats: a plain post of the days before.
func (s *Server) original(p *post) post {
	n, _ := networkNamed(p.network)
	r := rnd(mix(p.key, 'o'))
	for {
		at := time.UnixMilli(p.ms - int64(r.between(3600, 10*daySeconds))*1000)
		if o, ok := s.postOf(n, n.id(at, r.upTo(1<<16), 0)); ok && o.kind == plain {
			return o
		}
	}
}

var sentences = []string{
	"Solved %s at last.", "Stuck on %s again, hints welcome.", "Wrote up my way through %s.", "Who else tried %s today?",
	"%s is the nicest problem of the week.",
}

// text is what a post says.
func (p *post) text() string {
	return fmt.Sprintf(sentences[p.key%uint64(len(sentences))], title(p.key))
}

// madeAt is the time of the id, as most networks write it.
func (p *post) madeAt() string {
	return time.UnixMilli(p.ms).UTC().Format(milliseconds)
}

const milliseconds = "2006-01-02T15:04:05.000Z"

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

// of is what a network shows of the numbers; the others it has not.
func (c counts) of(n network) map[string]int64 {
	m := map[string]int64{"likes": c.likes, "reposts": c.reposts, "replies": c.replies, "quotes": c.quotes}
	own := map[string]int64{"views": c.views, "bookmarks": c.bookmarks}
	for _, name := range n.traits().metrics {
		m[name] = own[name]
	}
	return m
}

// snowflake is how X and Mastodon number posts: the milliseconds since a first
// day, and some bits that distinguish the posts of one millisecond.
type snowflake struct {
	bits  int
	since int64  // The first day, in milliseconds since 1970.
	first uint64 // Lower numbers were given out before the times were in them.
}

func (f snowflake) id(at time.Time, n int) string {
	ms := at.UnixMilli() - f.since + int64(n>>f.bits)
	return strconv.FormatInt(ms<<f.bits|int64(n&(1<<f.bits-1)), 10)
}

func (f snowflake) parse(id string) (stamp, bool) {
	n, err := strconv.ParseUint(id, 10, 63)
	if err != nil || n < f.first {
		return stamp{}, false
	}
	return stamp{number: n, ms: int64(n>>f.bits) + f.since, author: int(n & (1<<f.bits - 1))}, true
}
