package standin

import (
	"math"
	"slices"
	"time"
)

// perDay is how many ids a person has on a site and day. A day's ids are parted
// by person: they rise with every submission of a person, and from day to day
// for all together, and nobody must know what the others do.
const perDay = 64

// A row is a submission that was or will be made. Times are seconds since 1970.
type row struct {
	id       int64
	at       int64
	seen     int64 // When the site begins to show it: some lists are a crawler's themselves.
	judged   int64 // When the verdict is there.
	hacked   int64 // When an accepted one is shown to be wrong; 0 means never.
	contest  int   // Which contest its problem is of; on a site without contests the problem.
	letter   int
	language int
	verdict  verdict
	mode     mode
	late     bool // Shown long after it was made.
}

type verdict uint8

const (
	accepted verdict = iota
	wrong
	slow
	crashed
	uncompiled
	fat
	other
	skipped
)

type mode uint8

const (
	practice mode = iota
	contestant
	virtual
	gym  // A contest that somebody uploaded: large number, no points.
	guru // A set of problems that is no contest at all.
)

// rows are what a person has done on a site and the site shows at now, oldest first.
func (s *Server) rows(p *person, site string, now int64) []row { return s.rowsFrom(p, site, 0, now) }

// rowsFrom are the rows since a day.
func (s *Server) rowsFrom(p *person, site string, day int, now int64) []row {
	var all []row
	for day := max(day, s.firstDay(p, site)); day <= int(unixDay(now)); day++ {
		all = s.dayRows(all, p, site, day)
	}
	return slices.DeleteFunc(all, func(r row) bool { return r.at > now || r.seen > now })
}

// newest are the last n rows, newest first. Most questions are about the last
// days, and the years before are not made for them.
func (s *Server) newest(p *person, site string, now int64, n int) []row {
	var all, day []row
	for d := int(unixDay(now)); d >= s.firstDay(p, site) && len(all) < n; d-- {
		day = s.dayRows(day[:0], p, site, d)
		for _, r := range slices.Backward(day) {
			if r.at <= now && r.seen <= now {
				all = append(all, r)
			}
		}
	}
	return all[:min(n, len(all))]
}

// firstDay is the day of the first row; who has none on the site begins at the end of time.
func (s *Server) firstDay(p *person, site string) int {
	switch {
	case p.Handles[site] == "":
		return math.MaxInt
	case s.o.Instant:
		return int(unixDay(s.o.Start.Unix())) - instantRows
	case p.nothing:
		return math.MaxInt
	}
	return max(p.begin[site], int(unixDay(s.o.Begin.Unix())))
}

// dayRows appends a whole day, also the part of it that is still to come.
func (s *Server) dayRows(all []row, p *person, site string, day int) []row {
	from, j := len(all), judgeNamed(site)
	switch {
	case s.o.Instant:
		all = append(all, instantDay(p, day))
	case p.crowded && j.crowd && day < p.begin[site]+crowdedDays:
		all = crowdedDay(all, p, day, day-p.begin[site])
	default:
		all = s.ordinaryDay(all, p, j, day)
	}
	slices.SortStableFunc(all[from:], func(a, b row) int { return int(a.at - b.at) })
	all = all[:min(len(all), from+perDay)]
	for i := range all[from:] {
		all[from+i].id = s.firstID(day, p.Index) + int64(i)
		s.publishRow(&all[from+i], j)
	}
	return append(all[:from], s.edit(all[from:], p, site, day)...)
}

// firstID makes ids as long as today's real ones. A crowd gets longer ones.
func (s *Server) firstID(day, index int) int64 {
	const year2010 = 14610
	people := max(2000, s.o.People)
	return int64(max(day-year2010, 0)*people+index)*perDay + 1
}

func (s *Server) ordinaryDay(all []row, p *person, j *judge, day int) []row {
	if p.stopped > 0 && day > int(unixDay(s.o.Start.Unix()))-p.stopped*365 {
		return all
	}
	r := rnd(mix(uint64(s.o.Seed), uint64(p.Index), j.salt, uint64(day)))
	if number, held := j.contests.on(day); held && s.joins(p, j, number) {
		all = contestRows(all, p, j.contests, number, &r)
	}
	chance := p.weekday
	if (day+3)%7 >= 5 { // 1 January 1970 was a Thursday.
		chance = p.weekend
	}
	if j.problems > 0 && p.name != "prolific" { // An old site: less is done there.
		chance /= 3
	}
	chance /= j.rarely
	if !r.percent(chance) {
		return all
	}
	_, offset := time.Unix(int64(day)*daySeconds, 0).In(p.zone).Zone()
	for range r.between(1, p.sessions) {
		all = sitting(all, p, j, day, offset, &r)
	}
	return all
}

// sitting is an hour or two of practice, mostly in the evening of the person's zone.
func sitting(all []row, p *person, j *judge, day, offset int, r *rnd) []row {
	hour := r.between(17, 23)
	if r.percent(35) {
		hour = r.between(8, 16)
	}
	local := hour*3600 + r.upTo(3600)
	second := ((local-offset)%daySeconds + daySeconds) % daySeconds
	for range r.between(1, 2) {
		problem := pick(p, j, int64(day)*daySeconds, r)
		for range r.between(1, 3) {
			if second >= daySeconds {
				return all
			}
			problem.at = int64(day)*daySeconds + int64(second)
			problem.verdict = judged(r)
			all = append(all, problem)
			second += r.between(90, 1800)
			if problem.verdict == accepted {
				break
			}
		}
	}
	return all
}

// pick chooses what to practise: a problem of a contest that is over.
func pick(p *person, j *judge, at int64, r *rnd) row {
	x := row{language: p.Index + r.upTo(8)/7} // One language, and sometimes a second.
	if j.problems > 0 {
		x.contest = r.upTo(j.problems)
		return x
	}
	c := j.contests
	over := max(c.ended(at), 1)
	x.contest = over - 1 - r.upTo(min(over, 150))
	x.letter = min(r.upTo(c.letters), 1+p.skill/500)
	if draw := r.upTo(100); j.mode != nil {
		x.mode = j.mode(p, draw)
	}
	return x
}

// contestRows are a person's tries in a contest, from the first problem on.
func contestRows(all []row, p *person, c calendar, number int, r *rnd) []row {
	at := c.start(number) + int64(r.between(120, 900))
	for letter := range min(c.letters, 2+p.skill/500) {
		for range r.between(1, 3) {
			if at >= c.end(number) {
				return all
			}
			x := row{at: at, contest: number, letter: letter, language: p.Index, verdict: judged(r), mode: contestant}
			if r.percent(1) {
				x.verdict = skipped
			}
			all = append(all, x)
			at += int64(r.between(60, 1500))
			if x.verdict == accepted {
				break
			}
		}
	}
	return all
}

// judged draws a verdict in the shares that real people get.
func judged(r *rnd) verdict {
	at := r.upTo(100)
	for v, share := range []int{44, 34, 9, 6, 5, 1, 1} {
		if at -= share; at < 0 {
			return verdict(v)
		}
	}
	return wrong
}

// publishRow decides when the rest of the world learns of a row. It depends on
// the id alone, so it is the same whenever it is asked.
func (s *Server) publishRow(x *row, j *judge) {
	r := rnd(mix(uint64(s.o.Seed), uint64(x.id), j.salt, 's'))
	x.seen, x.judged = x.at, x.at+int64(r.between(20, 75))
	if s.o.Instant {
		x.judged = x.at
		return
	}
	if j.lag[1] > 0 {
		x.seen = x.at + int64(r.between(j.lag[0], j.lag[1]))
	}
	if j.change != nil {
		j.change(x, &r)
	}
}

// joins says whether a person takes part in a contest, whatever the day.
func (s *Server) joins(p *person, j *judge, number int) bool {
	return mix(uint64(s.o.Seed), uint64(p.Index), j.salt, uint64(number), 'c')%100 < uint64(p.contest)
}

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
