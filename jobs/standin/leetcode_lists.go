package standin

import "net/http"

// lcRated is where somebody publishes ratings of problems.
const lcRated = "/zerotrac/leetcode_problem_rating/main/data.json"

func lcRatings(s *Server, q question) answer {
	all := []map[string]any{}
	for number := range lcContests.ended(q.now.Unix()) {
		for letter := range lcContests.letters {
			x, r := &row{contest: number, letter: letter}, rnd(mix(uint64(s.o.Seed), uint64(number), uint64(letter), 'R'))
			all = append(all, map[string]any{"Rating": float64(1200+500*letter) + 100*r.unit(),
				"ID": number*lcContests.letters + letter + 1, "Title": lcTitle(x), "TitleSlug": lcSlug(x), "ContestSlug": "",
				"ProblemIndex": "Q" + string(rune('1'+letter))})
		}
	}
	return asJSON(http.StatusOK, all)
}
