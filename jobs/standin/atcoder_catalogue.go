package standin

import (
	"fmt"
	"html"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// atLists are the files of the crawler about contests and problems, and AtCoder's own page of
// contests.
var atLists = map[string]func(*Server, question) answer{
	"/atcoder/resources/contests.json":        atContestList,
	"/atcoder/resources/contest-problem.json": atContestProblems,
	"/atcoder/resources/problem-models.json":  atModels,
	"/contests/":                              atContestPage,
}

// atStamped is a file that changes when a contest is over.
func atStamped(q question, v any) answer {
	a := asJSON(http.StatusOK, v)
	a.etag = `"` + strconv.Itoa(atContests.ended(q.now.Unix())) + `"`
	return a
}

// atContestTitle is what a contest is called.
func atContestTitle(number int) string { return fmt.Sprintf("Sample Beginner Contest %03d", number+1) }

// atContestList lists contests that are over, in no order, and one that was held elsewhere.
func atContestList(s *Server, q question) answer {
	all := []map[string]any{{"id": "sample-archive", "title": "Sample Archive", "start_epoch_second": 1136041200, "duration_second": 0,
		"rate_change": "-"}}
	for number := range atContests.ended(q.now.Unix()) {
		all = append(all, map[string]any{"id": atContestKey(number), "title": atContestTitle(number), "rate_change": "~ 1999",
			"start_epoch_second": atContests.start(number), "duration_second": atContests.lasts})
	}
	r := rnd(mix(uint64(s.o.Seed), 'o'))
	for i := range all {
		j := r.upTo(i + 1)
		all[i], all[j] = all[j], all[i]
	}
	return atStamped(q, all)
}

func atContestProblems(_ *Server, q question) answer {
	all := []map[string]any{}
	for number := range atContests.ended(q.now.Unix()) {
		for letter := range atContests.letters {
			all = append(all, map[string]any{"contest_id": atContestKey(number), "problem_id": atProblemKey(number, letter),
				"problem_index": string(rune('A' + letter))})
		}
	}
	return atStamped(q, all)
}

// atModels rates problems. The easiest are far below zero, a few are not rated, and some of the old
// ones are guesses.
func atModels(s *Server, q question) answer {
	all := map[string]any{}
	for number := range atContests.ended(q.now.Unix()) {
		for letter := range atContests.letters {
			r := rnd(mix(uint64(s.o.Seed), uint64(number), uint64(letter), 'D'))
			model := map[string]any{"slope": -r.unit(), "intercept": 6 * r.unit(), "variance": r.unit(),
				"difficulty": letter*450 - r.between(100, 900), "discrimination": 0.004479398673070138,
				"irt_users": r.upTo(9000), "is_experimental": number < 40}
			switch draw := r.upTo(100); {
			case draw < 4:
				model["difficulty"] = nil
			case draw < 6:
				model = map[string]any{"is_experimental": false}
			}
			all[atProblemKey(number, letter)] = model
		}
	}
	return atStamped(q, all)
}

// atContestPage is tables of contests that go on for ever, that come, and that were.
func atContestPage(s *Server, q question) answer {
	ended := atContests.ended(q.now.Unix())
	table := func(id string, from, to int) string {
		var b strings.Builder
		quote := []string{`"`, `'`}[s.o.Seed&1] // Some browsers' worth of quotes.
		for number := max(from, 0); number < to; number++ {
			fmt.Fprintf(&b, `<tr><td class=%[1]stext-center%[1]s><a href="https://www.timeanddate.com/x" target='blank'>`+
				`<time class='fixtime fixtime-full'>%[2]s</time></a></td>
<td ><span aria-hidden='true' title="Algorithm">&#9398;</span> <span class="user-blue">&#9673;</span> `+
				`<a href=%[1]s/contests/%[3]s%[1]s>%[4]s</a></td>
<td class="text-center">%02[5]d:%02[6]d</td><td class="text-center"> - 1999</td></tr>`, quote,
				time.Unix(atContests.start(number), 0).In(tokyo).Format("2006-01-02 15:04:05-0700"), atContestKey(number),
				html.EscapeString(atContestTitle(number)), atContests.lasts/3600, atContests.lasts/60%60)
		}
		return fmt.Sprintf(`<div id="%s"><h3>Contests</h3><table class="table"><thead>`+
			`<tr><th>Start Time</th><th>Contest Name</th><th>Duration</th>
<th>Rated Range</th></tr></thead><tbody>%s</tbody></table></div>`, id, b.String())
	}
	return asHTML("<!DOCTYPE html><html><head><title>Contests - AtCoder (sample)</title></head><body>" +
		table("contest-table-upcoming", ended, ended+4) + table("contest-table-recent", ended-10, ended) + "</body></html>\n")
}
