package standin

import (
	"fmt"
	"net/http"
	"strings"
)

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
