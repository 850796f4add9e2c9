package standin

import "strings"

// What people say of themselves. It changes with the world's time, so that who
// comes back has something to find: every third person moves to another
// organisation, some begin to sign with an initial.

const weekSeconds = 7 * daySeconds

var organisations = []string{
	"Sample College", "Sample Institute of Technology", "University of Samples", "Harbour Workshop (sample)", "Lantern Labs (sample)", "",
}

// organisationOf is where a person works or learns, "" where it is not said.
// Person 0 moves three weeks after Start, the next ones after four to eight.
func (s *Server) organisationOf(p *person, now int64) string {
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
		if rows[i].verdict == accepted && now >= rows[i].settled {
			solved[rows[i].contest] = true
		}
	}
	return archiveUser{p.Handles[site], s.nameOf(p, now), p.country, s.organisationOf(p, now), 1 + 90000/(1+len(solved)), len(solved),
		len(rows)}
}
