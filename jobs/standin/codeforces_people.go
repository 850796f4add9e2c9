package standin

import (
	"fmt"
	"html"
	"net/http"
	"strings"
)

type (
	cfUser struct {
		Handle       string `json:"handle"`
		FirstName    string `json:"firstName,omitempty"`
		LastName     string `json:"lastName,omitempty"`
		Country      string `json:"country,omitempty"`
		Organization string `json:"organization"` // Also when it is empty.
		Contribution int    `json:"contribution"`
		Friends      int    `json:"friendOfCount"`
		Rank         string `json:"rank,omitempty"`
		Rating       int    `json:"rating,omitempty"`
		MaxRank      string `json:"maxRank,omitempty"`
		MaxRating    int    `json:"maxRating,omitempty"`
		LastOnline   int64  `json:"lastOnlineTimeSeconds"`
		Registered   int64  `json:"registrationTimeSeconds"`
		TitlePhoto   string `json:"titlePhoto"`
		Avatar       string `json:"avatar"`
	}
	cfChange struct {
		ContestID   int    `json:"contestId"`
		ContestName string `json:"contestName"`
		Handle      string `json:"handle"`
		Rank        int    `json:"rank"`
		Updated     int64  `json:"ratingUpdateTimeSeconds"`
		Old         int    `json:"oldRating"`
		New         int    `json:"newRating"`
	}
)

// profile is the page of a person, all but empty. The page of a former handle leads
// to that of the new one, and that of nobody to the front page.
func (c codeforces) profile(s *Server, q question) answer {
	handle, of := strings.CutPrefix(q.r.URL.Path, "/profile/")
	to, renamed := s.renamedFrom("codeforces", handle)
	_, known := s.personOf("codeforces", handle)
	switch {
	case of && !known && renamed:
		return answer{status: http.StatusFound, typ: "text/html", header: http.Header{"Location": {"/profile/" + to}}}
	case of && !known:
		return c.unknown(q)
	case !of && q.r.URL.Path != "/":
		return nothing
	}
	return answer{status: http.StatusOK, typ: "text/html; charset=utf-8",
		body: []byte("<!DOCTYPE html><html><head><title>" + html.EscapeString(handle) +
			" - Codeforces (sample)</title></head><body></body></html>\n")}
}

// info answers for many handles at once, in the order asked for. One unknown
// handle refuses all of them, and only the first such is named.
func (c codeforces) info(s *Server, q question) answer {
	users := []cfUser{}
	for handle := range strings.SplitSeq(q.handle, ";") {
		if handle == "" {
			continue
		}
		p, ok := s.personOf("codeforces", handle)
		if to, renamed := s.renamedFrom("codeforces", handle); !ok && renamed && query(q.r).Get("checkHistoricHandles") != "false" {
			p, ok = s.personOf("codeforces", to)
		}
		if !ok {
			q.handle = handle
			return c.unknown(q)
		}
		users = append(users, c.user(s, p, q.now.Unix()))
	}
	return asJSON(http.StatusOK, cfOK{"OK", users})
}

func (c codeforces) user(s *Server, p *person, now int64) cfUser {
	registered := int64(p.begin["codeforces"]-3) * daySeconds
	first, last, _ := strings.Cut(s.nameOf(p, now), " ")
	u := cfUser{
		Handle: p.Handles["codeforces"], FirstName: first, LastName: last, Country: p.country,
		Organization: s.organisationOf(p, "codeforces", now),
		Friends:      int(mix(uint64(p.Index)) % 90), Registered: registered, LastOnline: registered,
		TitlePhoto: "https://userpic.codeforces.org/no-title.jpg", Avatar: "https://userpic.codeforces.org/no-avatar.jpg",
	}
	// Nobody submits without being online. Some only visit.
	if last := s.newest(p, "codeforces", now, 1); len(last) > 0 {
		u.LastOnline = min(now, last[0].at+int64(p.Index%5)*900)
	}
	for _, change := range c.ratings(s, p, now) {
		u.Rating, u.MaxRating = change.New, max(u.MaxRating, change.New)
	}
	if u.Rating > 0 {
		u.Rank, u.MaxRank = cfRank(u.Rating), cfRank(u.MaxRating)
	}
	return u
}

func cfRank(rating int) string {
	for _, step := range []struct {
		from int
		rank string
	}{{2100, "master"}, {1900, "candidate master"}, {1600, "expert"}, {1400, "specialist"}, {1200, "pupil"}} {
		if rating >= step.from {
			return step.rank
		}
	}
	return "newbie"
}

// ratings are the contests that counted, oldest first. They are published some
// hours after the contest.
func (codeforces) ratings(s *Server, p *person, now int64) []cfChange {
	changes := []cfChange{}
	for _, e := range s.entries(p, "codeforces", now) {
		changes = append(changes, cfChange{
			ContestID: firstRound + e.number, ContestName: fmt.Sprintf("Sample Round %d (Div. 2)", e.number+1),
			Handle: p.Handles["codeforces"], Rank: e.rank, Updated: e.at, Old: e.old, New: e.new,
		})
	}
	return changes
}

// problemset lists the problems of contests that are over, the newest first. Those of the newest
// one are not rated yet, and a few never are; some problems score, and some have no topic.
func (codeforces) problemset(s *Server, q question) answer {
	if q.r.URL.Path != "/api/problemset.problems" {
		return cfRefusal("%s: no such method", strings.TrimPrefix(q.r.URL.Path, "/api/"))
	}
	type solved struct {
		ContestID int    `json:"contestId"`
		Index     string `json:"index"`
		Count     int    `json:"solvedCount"`
	}
	set := struct {
		Problems   []cfProblem `json:"problems"`
		Statistics []solved    `json:"problemStatistics"`
	}{[]cfProblem{}, []solved{}}
	over := cfContests.ended(q.now.Unix())
	for n := over - 1; n >= 0; n-- {
		for letter := cfContests.letters - 1; letter >= 0; letter-- {
			p := cfProblemOf(&row{contest: n, letter: letter})
			r := rnd(mix(uint64(s.o.Seed), uint64(n), uint64(letter), 'P'))
			if r.percent(40) {
				p.Points = 0
			}
			if n == over-1 {
				p.Rating = 0
			}
			set.Problems = append(set.Problems, p)
			set.Statistics = append(set.Statistics, solved{p.ContestID, p.Index, r.upTo(20000)})
		}
	}
	a := asJSON(http.StatusOK, cfOK{"OK", set})
	a.etag = fmt.Sprintf(`W/"%d-%d"`, s.o.Seed, over)
	return a
}
