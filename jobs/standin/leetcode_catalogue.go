package standin

import (
	"net/http"
	"strconv"
	"time"
)

// lcProblems is a page of the problems: at most 100, however many are asked for. Now and then a
// problem has no topics.
func lcProblems(s *Server, q question, v lcVariables) answer {
	total := lcContests.ended(q.now.Unix()) * lcContests.letters
	rows := []map[string]any{}
	for n := max(v.Skip, 0); n < total && len(rows) < min(v.Limit, 100); n++ {
		x, r := &row{contest: n / lcContests.letters, letter: n % lcContests.letters}, rnd(mix(uint64(s.o.Seed), uint64(n), 'Q'))
		tags := []map[string]any{}
		for _, tag := range []string{"Array", "Hash Table", "Two Pointers", "Graph"} {
			if r.unit() < 0.4 {
				tags = append(tags, map[string]any{"name": tag})
			}
		}
		rows = append(rows, map[string]any{"title": lcTitle(x), "titleSlug": lcSlug(x), "topicTags": tags, "isPaidOnly": n%50 == 0,
			"difficulty": []string{"Easy", "Medium", "Medium", "Hard"}[x.letter%4]})
	}
	return asJSON(http.StatusOK, map[string]any{"data": map[string]any{"problemsetQuestionList": map[string]any{
		"total": total, "questions": rows}}})
}

// lcContestList is all contests, newest first, and the next two.
func lcContestList(q question) answer {
	of := func(n int) map[string]any {
		number := strconv.Itoa(n + 1)
		return map[string]any{"title": "Sample Weekly Contest " + number, "titleSlug": "sample-weekly-contest-" + number,
			"startTime": lcContests.start(n), "duration": lcContests.end(n) - lcContests.start(n)}
	}
	all, ended := []any{}, lcContests.ended(q.now.Unix())
	for n := ended - 1; n >= 0; n-- {
		all = append(all, of(n))
	}
	data := map[string]any{"allContests": all, "topTwoContests": []any{of(ended), of(ended + 1)}}
	return asJSON(http.StatusOK, map[string]any{"data": data})
}

const ccProblemsListed = "/api/list/problems"

// ccProblemList is a page of the rated problems, easiest first. A rating is a text, now and then a
// number; it is behind the last page that nothing is shown.
func ccProblemList(q question) answer {
	page, _ := strconv.Atoi(query(q.r).Get("page"))
	limit, _ := strconv.Atoi(query(q.r).Get("limit"))
	rows, total := []map[string]any{}, ccContests.ended(q.now.Unix())*ccContests.letters
	for n := page * limit; n < total && n < (page+1)*limit; n++ {
		contest, letter := n/ccContests.letters, n%ccContests.letters
		var rating any = strconv.Itoa(800 + n*2000/max(total, 1))
		if n%17 == 0 {
			rating = 800 + n*2000/max(total, 1)
		}
		rows = append(rows, map[string]any{"id": strconv.Itoa(n), "code": ccCode(contest, letter),
			"name": title('h', uint64(contest), uint64(letter)), "difficulty_rating": rating,
			"total_submissions": strconv.Itoa(n), "contest_code": nil})
	}
	return asJSON(http.StatusOK, map[string]any{"status": "success", "data": rows, "count": total, "at": time.Unix(q.now.Unix(), 0).UTC()})
}
