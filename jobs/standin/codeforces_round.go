package standin

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

type (
	cfContest struct {
		ID       int    `json:"id"`
		Name     string `json:"name"`
		Type     string `json:"type"`
		Phase    string `json:"phase"`
		Frozen   bool   `json:"frozen"`
		Duration int64  `json:"durationSeconds"`
		Start    int64  `json:"startTimeSeconds"`
		Relative int64  `json:"relativeTimeSeconds"`
	}
	cfStandings struct {
		Contest  cfContest   `json:"contest"`
		Problems []cfProblem `json:"problems"`
		Rows     []cfPlace   `json:"rows"`
	}
	cfPlace struct {
		Party  cfAuthor `json:"party"`
		Rank   int      `json:"rank"`
		Points float64  `json:"points"`
	}
)

// contestsAhead is how many contests are announced.
const contestsAhead = 3

// contest answers questions about contests: which there are, newest first, who took
// part, and all that was submitted.
func (c codeforces) contest(s *Server, q question) answer {
	now := q.now.Unix()
	calendar := cfContests
	last := calendar.ended(now) + contestsAhead - 1
	if q.r.URL.Path == "/api/contest.list" {
		contests := []cfContest{}
		for n := last; n >= 0; n-- {
			contests = append(contests, cfContestOf(n, now))
		}
		return asJSON(http.StatusOK, cfOK{"OK", contests})
	}
	id, err := number(q, "contestId", 0)
	n := id - firstRound
	switch {
	case err != nil || n < 0 || n > last:
		return cfRefusal("contestId: Contest with id %s not found", query(q.r).Get("contestId"))
	case calendar.start(n) > now:
		return cfRefusal("contestId: Contest with id %d has not started", id)
	case q.r.URL.Path == "/api/contest.standings":
		return c.standings(s, q, n)
	case q.r.URL.Path == "/api/contest.status":
		return c.contestStatus(s, q, n)
	}
	return cfRefusal("%s: no such method", strings.TrimPrefix(q.r.URL.Path, "/api/"))
}

func cfContestOf(n int, now int64) cfContest {
	calendar := cfContests
	c := cfContest{ID: firstRound + n, Name: fmt.Sprintf("Sample Round %d (Div. 2)", n+1), Type: "CF", Phase: "FINISHED",
		Duration: calendar.lasts, Start: calendar.start(n), Relative: now - calendar.start(n)}
	switch ended := now - calendar.end(n); {
	case now < c.Start:
		c.Phase = "BEFORE"
	case ended < 0:
		c.Phase = "CODING"
	case ended < 1800:
		c.Phase = "PENDING_SYSTEM_TEST"
	case ended < ratingDelay:
		c.Phase = "SYSTEM_TEST"
	}
	return c
}

// standings are those of the people who are asked for, or of all; strangers, who
// are in front of them, are in nobody's interest.
func (c codeforces) standings(s *Server, q question, n int) answer {
	people, now := s.people, q.now.Unix()
	if q.handle != "" {
		people = nil
		for handle := range strings.SplitSeq(q.handle, ";") {
			p, ok := s.personOf("codeforces", handle)
			if !ok {
				q.handle = handle
				return c.unknown(q)
			}
			people = append(people, p)
		}
	}
	rows := []cfPlace{}
	for i, p := range people {
		for _, x := range s.inContest(p, n, now) {
			if x.mode == contestant {
				rows = append(rows, cfPlace{cfRow(p, &x, now).Author, i + 1, 500})
				break
			}
		}
	}
	return asJSON(http.StatusOK, cfOK{"OK", cfStandings{cfContestOf(n, now), []cfProblem{}, rows}})
}

// inContest is what a person submitted to the problems of a contest.
func (s *Server) inContest(p *person, n int, now int64) []row {
	rows := s.rowsFrom(p, "codeforces", int(unixDay(cfContests.start(n))), now)
	return slices.DeleteFunc(rows, func(x row) bool { return x.contest != n || x.mode == gym || x.mode == guru })
}

// contestStatus is what everybody submitted, newest first: the people, and as many
// rows of strangers as Options.Strangers says, spread over the contest; no more at
// once than Options.Page.
func (codeforces) contestStatus(s *Server, q question, n int) answer {
	from, err := number(q, "from", 1)
	if err != nil || from < 1 {
		return cfRefusal("from: Field should be a positive integer")
	}
	count, err := number(q, "count", 1<<30)
	if err != nil || count < 1 {
		return cfRefusal("count: Field should be a positive integer")
	}
	now, calendar := q.now.Unix(), cfContests
	var all []anybody
	for _, p := range s.people {
		for _, x := range s.inContest(p, n, now) {
			all = append(all, anybody{x, p})
		}
	}
	for i := range s.o.Strangers {
		x := row{id: strangerIDs + int64(n)*1_000_000 + int64(i), at: calendar.start(n) + int64(i)*calendar.lasts/int64(s.o.Strangers), contest: n, letter: i % calendar.letters, mode: contestant}
		if x.settled = x.at; x.at <= now {
			all = append(all, anybody{x, &person{Person: Person{Index: -1, Handles: map[string]string{"codeforces": fmt.Sprintf("stranger_%d", i%20_000)}}}})
		}
	}
	slices.SortFunc(all, func(a, b anybody) int { return cmp.Or(cmp.Compare(b.at, a.at), cmp.Compare(b.id, a.id)) })
	all = all[min(from-1, len(all)):]
	if s.o.Page > 0 {
		count = min(count, s.o.Page)
	}
	result := []cfSubmission{}
	for _, x := range all[:min(count, len(all))] {
		result = append(result, cfRow(x.p, &x.row, now))
	}
	return asJSON(http.StatusOK, cfOK{"OK", result})
}
