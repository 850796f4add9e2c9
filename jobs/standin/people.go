package standin

import (
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // People live in zones, also on a machine that has no list of them.
)

// A Person is one of the invented people.
type Person struct {
	Index       int
	Name        string // sample-amber-fox
	DisplayName string // Amber Fox (sample)
	TimeZone    string
	Trait       string            // What they are like; see traits.
	Handles     map[string]string // By site; most people are not on all sites.
	Networks    map[string]string // By network: the name there. Everybody is on every network.
}

type person struct {
	Person
	trait
	zone    *time.Location
	country string
	begin   map[string]int // The day of the first submission, by site.
	skill   int
}

// A trait is how a kind of people behaves. Percentages are per day.
type trait struct {
	name                  string
	weekday, weekend      int // How likely they practise.
	sessions              int // At most so many sittings a day.
	contest               int // How likely they join a contest.
	yearsMin, yearsMax    int // How long before Start they began.
	stopped               int // How many years before Start they stopped; 0 means never.
	sometimes             int // The weight among people who are not one of the first eight.
	crowded, gym, nothing bool
}

// traits are given to the first people one by one, so that a test can name
// person 5 and get thousands of rows; all others draw one by weight.
var traits = []trait{
	{name: "daily", weekday: 93, weekend: 88, sessions: 2, contest: 40, yearsMin: 1, yearsMax: 2, sometimes: 10},
	{name: "weekend", weekday: 4, weekend: 65, sessions: 2, contest: 15, yearsMin: 1, yearsMax: 3, sometimes: 20},
	{name: "contests", weekday: 4, weekend: 6, sessions: 1, contest: 75, yearsMin: 1, yearsMax: 3, sometimes: 20},
	{name: "dormant", weekday: 25, weekend: 25, sessions: 1, contest: 20, yearsMin: 4, yearsMax: 6, stopped: 3, sometimes: 15},
	{name: "new", nothing: true, sometimes: 5},
	{name: "prolific", weekday: 99, weekend: 99, sessions: 9, contest: 70, yearsMin: 1, yearsMax: 2},
	{name: "crowded", weekday: 30, weekend: 40, sessions: 2, contest: 20, yearsMin: 2, yearsMax: 3, crowded: true},
	{name: "gym", weekday: 35, weekend: 35, sessions: 1, contest: 20, yearsMin: 1, yearsMax: 3, gym: true, sometimes: 10},
	{name: "occasional", weekday: 7, weekend: 12, sessions: 1, contest: 8, yearsMin: 1, yearsMax: 5, sometimes: 20},
}

var zones = []string{
	"Asia/Kolkata", "Europe/Warsaw", "Asia/Tokyo", "America/Sao_Paulo", "America/New_York",
	"Europe/Lisbon", "Africa/Cairo", "Asia/Kathmandu", "Australia/Lord_Howe", "UTC",
}

// countries belong to the zones. Who keeps UTC does not say where that is.
var countries = []string{"India", "Poland", "Japan", "Brazil", "United States", "Portugal", "Egypt", "Nepal", "Australia", ""}

// populate makes the people. Every one has a Codeforces handle, most have the others.
func (s *Server) populate() {
	s.byName = map[string]map[string]*person{}
	for _, x := range sites.All() {
		s.byName[x.name()] = map[string]*person{}
	}
	if s.o.Replay != "" {
		return // Recorded people only.
	}
	locations := make([]*time.Location, len(zones))
	for i, name := range zones {
		locations[i], _ = time.LoadLocation(name) // Embedded above, so it is found.
	}
	for i := range s.o.People {
		p := s.makePerson(i)
		p.zone, p.country = locations[i%len(zones)], countries[i%len(zones)]
		s.people = append(s.people, p)
		for site, handle := range p.Handles {
			s.byName[site][fold(site, handle)] = p
		}
		for network, name := range p.Networks {
			s.byName[network][name] = p
		}
	}
}

func (s *Server) makePerson(i int) *person {
	r := rnd(mix(uint64(s.o.Seed), uint64(i), 'p'))
	p := &person{Person: Person{Index: i, TimeZone: zones[i%len(zones)]}, begin: map[string]int{}, skill: r.between(700, 2400)}
	p.trait = drawTrait(i, &r)
	p.Trait = p.trait.name
	adjective, animal := adjectives[i%len(adjectives)], animals[(i+i/len(adjectives))%len(animals)]
	p.Name = "sample-" + adjective + "-" + animal
	p.DisplayName = strings.ToUpper(adjective[:1]) + adjective[1:] + " " + strings.ToUpper(animal[:1]) + animal[1:] + " (sample)"
	if round := i / (len(adjectives) * len(animals)); round > 0 {
		p.Name = fmt.Sprintf("%s-%d", p.Name, round+1)
	}
	p.Handles, p.Networks = handlesOf(i, p.Name), networksOf(i, p.Name)
	for site := range p.Handles {
		r := rnd(mix(uint64(s.o.Seed), uint64(i), judgeNamed(site).salt, 'b')) // Each its own: a map has no order.
		before := 0
		if !p.nothing {
			before = r.between(p.yearsMin*365, p.yearsMax*365-1)
		}
		if p.stopped > 0 { // Stopped years before Start, so they must have begun well before that.
			before = max(before, p.stopped*365+200)
		}
		p.begin[site] = int(unixDay(s.o.Start.Unix())) - before
	}
	return p
}

func drawTrait(i int, r *rnd) trait {
	if i < len(traits)-1 {
		return traits[i]
	}
	at := r.upTo(100)
	for _, t := range traits {
		if at -= t.sometimes; at < 0 {
			return t
		}
	}
	return traits[0]
}

// handlesOf are a person's handles by site.
func handlesOf(i int, name string) map[string]string {
	h := map[string]string{}
	for _, j := range judges.All() {
		if handle := j.handleOf(i, name); handle != "" {
			h[j.name()] = handle
		}
	}
	return h
}

// fold is how a site compares handles. The networks do not see capitals.
func fold(site, handle string) string {
	if j, ok := judges.ByName(site); ok && !j.anyCase {
		return handle
	}
	return strings.ToLower(handle)
}

func (s *Server) personOf(site, handle string) (*person, bool) {
	s.renames.mu.RLock()
	defer s.renames.mu.RUnlock()
	p, ok := s.byName[site][fold(site, handle)]
	return p, ok
}

// People returns the invented people, in the order of their indexes.
func (s *Server) People() []Person {
	all := make([]Person, len(s.people))
	for i, p := range s.people {
		all[i] = p.Person
	}
	return all
}

// renames are the handles that people have given up, by site.
type renames struct {
	mu     sync.RWMutex
	bySite map[string]map[string]string // By the old handle as the site compares it: the new one.
}

// Rename lets somebody take a new handle on a site: the old one is not known any
// more, and what the site leads from does lead to the new one. People keep their
// first handles in People.
func (s *Server) Rename(site, from, to string) error {
	if _, err := siteNamed(site); err != nil {
		return err
	}
	p, ok := s.personOf(site, from)
	if _, taken := s.personOf(site, to); !ok || taken || to == "" {
		return fmt.Errorf("%s: nobody is %q, or somebody is %q", site, from, to)
	}
	renamed := *p
	renamed.Handles = maps.Clone(p.Handles)
	renamed.Handles[site] = to
	s.renames.mu.Lock()
	defer s.renames.mu.Unlock()
	delete(s.byName[site], fold(site, from))
	s.byName[site][fold(site, to)] = &renamed
	if s.renames.bySite == nil {
		s.renames.bySite = map[string]map[string]string{}
	}
	if s.renames.bySite[site] == nil {
		s.renames.bySite[site] = map[string]string{}
	}
	for old, now := range s.renames.bySite[site] {
		if fold(site, now) == fold(site, from) {
			s.renames.bySite[site][old] = to
		}
	}
	s.renames.bySite[site][fold(site, from)] = to
	return nil
}

// renamedFrom is the handle that somebody has who had this one.
func (s *Server) renamedFrom(site, handle string) (string, bool) {
	s.renames.mu.RLock()
	defer s.renames.mu.RUnlock()
	to, ok := s.renames.bySite[site][fold(site, handle)]
	return to, ok
}
