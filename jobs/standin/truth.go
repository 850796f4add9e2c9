package standin

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Submission is the truth about a row, for tests to compare with what was read.
type Submission struct {
	ID          string    `json:"id"`
	At          time.Time `json:"at"`
	Problem     string    `json:"problem"` // As the site's rows name it; see the describe of each judge.
	ProblemName string    `json:"problem_name"`
	Verdict     string    `json:"verdict"` // The site's own word now, "" where it has none yet.
	Language    string    `json:"language"`
	Seen        time.Time `json:"seen"`       // When the site began to show it.
	Settled     time.Time `json:"settled"`    // When the verdict came.
	Hacked      time.Time `json:"hacked"`     // When it was or will be broken; zero means never.
	Unnumbered  bool      `json:"unnumbered"` // The site does not show the ID, while a contest runs or for ever.
	Coded       bool      `json:"coded"`      // Verdict and language are numbers, for which readers have words.
	Late        bool      `json:"late"`       // Shown hours after it was made, so newer ones may have been shown before.
}

// Submissions returns what a perfect reader would have of a handle now, oldest
// first (where a site shows the newest only, one who had fetched at all times); nil when the handle does not exist.
func (s *Server) Submissions(site, handle string) []Submission {
	return s.SubmissionsAt(site, handle, s.o.Now())
}

// SubmissionsAt is Submissions at any instant, past or to come.
func (s *Server) SubmissionsAt(site, handle string, at time.Time) []Submission {
	p, ok := s.personOf(site, handle)
	if !ok {
		return nil
	}
	rows := s.rows(p, site, at.Unix())
	j := judgeNamed(site)
	if j.lists != nil {
		rows = j.lists(rows, at.Unix())
	}
	all := make([]Submission, len(rows))
	for i := range rows {
		all[i] = truth(&rows[i], j, at.Unix())
	}
	return all
}

// Listed are those of Submissions that the site lists now: all, but where old rows
// fall off the list.
func (s *Server) Listed(site, handle string) []Submission {
	j, now := judgeNamed(site), s.o.Now()
	p, ok := s.personOf(site, handle)
	if !ok || j.fallsOff == nil {
		return s.SubmissionsAt(site, handle, now)
	}
	var all []Submission
	for _, x := range j.fallsOff(s.rows(p, site, now.Unix()), now.Unix()) {
		all = append(all, truth(&x, j, now.Unix()))
	}
	return all
}

func truth(x *row, j *judge, now int64) Submission {
	t := Submission{
		ID: strconv.FormatInt(x.id, 10), At: utc(x.at), Seen: utc(x.seen), Settled: utc(x.judged), Late: x.late,
	}
	if x.hacked != 0 {
		t.Hacked = utc(x.hacked)
	}
	j.describe(x, now, &t)
	return t
}

func utc(unix int64) time.Time { return time.Unix(unix, 0).UTC() }

// Case names a submission with a story, for Find.
type Case string

// The cases that can be found.
const (
	Fresh  Case = "fresh"  // Any submission: its verdict comes at Settled, about a minute after At.
	Hacked Case = "hacked" // Accepted, and broken at Hacked within a day.
	Late   Case = "late"   // Shown at Seen, hours after At.
)

func (c Case) fits(x *row) bool {
	return c == Fresh || c == Hacked && x.hacked != 0 || c == Late && x.late
}

// Find returns the first submission of a case that is made in the 60 days after
// an instant, with its site and person. A test then sets its clock by the times in it.
func (s *Server) Find(c Case, after time.Time) (string, Person, Submission, bool) {
	all := judges.All()
	i := slices.IndexFunc(all, func(j *judge) bool { return slices.Contains(j.stories, c) })
	if i < 0 {
		return "", Person{}, Submission{}, false
	}
	j := all[i]
	site := j.name()
	for day := int(unixDay(after.Unix())); day < int(unixDay(after.Unix()))+60; day++ {
		for _, p := range s.people {
			if p.nothing || p.Handles[site] == "" || day < p.begin[site] {
				continue
			}
			for _, x := range s.dayRows(nil, p, site, day) {
				if x.at > after.Unix() && c.fits(&x) {
					return site, p.Person, truth(&x, j, x.at), true
				}
			}
		}
	}
	return "", Person{}, Submission{}, false
}

// What people say of themselves. It changes with the world's time, so that who
// comes back has something to find: every third person moves to another
// organisation, some begin to sign with an initial.

const weekSeconds = 7 * daySeconds

var organisations = []string{
	"Sample College", "Sample Institute of Technology", "University of Samples", "Harbour Workshop (sample)", "Lantern Labs (sample)", "",
}

// organisationOf is where a person works or learns, "" where it is not said.
// Person 0 moves three weeks after Start, the next ones after four to eight.
func (s *Server) organisationOf(p *person, site string, now int64) string {
	if text, ok := s.written(p, site); ok {
		return text
	}
	at := int(mix(uint64(s.o.Seed), uint64(p.Index), 'o') % uint64(len(organisations)))
	if p.Index%3 == 0 && now >= s.o.Start.Unix()+int64(3+p.Index/3%6)*weekSeconds {
		at++
	}
	return organisations[at%len(organisations)]
}

// nameOf is what a person goes by. Person 7, and every tenth from there, drops
// the first name ten weeks after Start.
func (s *Server) nameOf(p *person, now int64) string {
	first, last, ok := strings.Cut(p.DisplayName, " ")
	if ok && p.Index%10 == 7 && now >= s.o.Start.Unix()+10*weekSeconds {
		return first[:1] + ". " + last
	}
	return p.DisplayName
}

// An archiveUser is what a person's page shows on a site without contests.
type archiveUser struct {
	Handle, Name, Country, Organisation string
	Rank, Solved, Submitted             int
}

func (s *Server) archiveUser(p *person, site string, now int64) archiveUser {
	rows, solved := s.rows(p, site, now), map[int]bool{}
	for i := range rows {
		if rows[i].verdict == accepted && now >= rows[i].judged {
			solved[rows[i].contest] = true
		}
	}
	return archiveUser{p.Handles[site], s.nameOf(p, now), p.country, s.organisationOf(p, site, now), 1 + 90000/(1+len(solved)), len(solved),
		len(rows)}
}
