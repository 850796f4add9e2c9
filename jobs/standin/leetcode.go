package standin

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

var lcContests = calendar{first: 16500, every: 7, opens: 2*3600 + 1800, lasts: 5400, letters: 4}

func init() {
	registerJudge(judge{
		site: leetcode{}, salt: 'l', contests: lcContests, fallsOff: lcListed,
		handleOf: func(i int, name string) string {
			if i%4 == 1 {
				return ""
			}
			return strings.ReplaceAll(name, "-", "_")
		},
		describe: func(x *row, now int64, t *Submission) {
			t.ID, t.Problem, t.ProblemName = lcID(x), lcSlug(x), lcTitle(x)
			t.Verdict, t.Language = lcVerdict(x, now), lcLanguages[x.language%len(lcLanguages)]
		},
	})
}

// leetcode is a GraphQL interface for what Laurel asks of it, and no more: it does
// not understand queries, it searches for the names of what can be asked in them. It
// lists the newest twenty rows and counts all.
type leetcode struct{}

const lcMost = 20

func (leetcode) name() string       { return "leetcode" }
func (leetcode) gap() time.Duration { return 3 * time.Second }
func (leetcode) serves(path string) bool {
	return strings.TrimSuffix(path, "/") == "/graphql" || path == lcRated
}
func (leetcode) hurried(question) answer { return tooMany }

// An lcQuestion is a body, or the same in the address.
type lcQuestion struct {
	Query     string
	Variables lcVariables
}

// lcVariables are the username, or u0, u1, ... of a question with aliases.
type lcVariables struct {
	Username    string
	Aliases     []string
	Skip, Limit int
	Year        int
}

// UnmarshalJSON implements json.Unmarshaler.
func (v *lcVariables) UnmarshalJSON(text []byte) error {
	var all map[string]any
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	v.Username, _ = all["username"].(string)
	skip, _ := all["skip"].(float64)
	limit, _ := all["limit"].(float64)
	year, _ := all["year"].(float64)
	v.Skip, v.Limit, v.Year = int(skip), int(limit), int(year)
	for i := range len(all) {
		if handle, ok := all["u"+strconv.Itoa(i)].(string); ok {
			v.Aliases = append(v.Aliases, handle)
		}
	}
	return nil
}

// lcRead reads the question, and leaves it to be read again.
func lcRead(r *http.Request) (x lcQuestion) {
	x.Query, x.Variables.Username = query(r).Get("query"), query(r).Get("username")
	if r.Body == nil {
		return x
	}
	text, err := io.ReadAll(io.LimitReader(r.Body, 1<<18))
	r.Body = io.NopCloser(bytes.NewReader(text))
	if err == nil && len(text) > 0 {
		_ = json.Unmarshal(text, &x) // What is no question asks for nobody.
	}
	return x
}

func (leetcode) handle(_ *Server, r *http.Request) string {
	v := lcRead(r).Variables
	return cmp.Or(v.Username, strings.Join(v.Aliases, ";"))
}

// several is what is shown of several people, where they are not too many.
func (l leetcode) several(s *Server, q question, people []string) answer {
	if most := s.o.Aliases; most > 0 && len(people) > most {
		return asJSON(http.StatusBadRequest, map[string]any{"errors": []any{map[string]any{"message": "Query is too complex."}}})
	}
	data, errors := map[string]any{}, []any{}
	for i, handle := range people {
		n, now := strconv.Itoa(i), q.now.Unix()
		p, ok := s.personOf("leetcode", handle)
		if !ok {
			data["m"+n], data["r"+n], data["c"+n] = nil, nil, nil
			errors = append(errors, map[string]any{"message": "That user does not exist.", "path": []string{"m" + n}})
			continue
		}
		data["m"+n] = l.user(s, p, now)
		data["r"+n], data["c"+n] = l.lists(s, p, now)
	}
	return asJSON(http.StatusOK, map[string]any{"errors": errors, "data": data})
}

func (leetcode) unknown(q question) answer {
	data := map[string]any{"recentSubmissionList": nil, "recentAcSubmissionList": nil, "userContestRanking": nil,
		"userContestRankingHistory": nil}
	errors := []any{}
	if strings.Contains(lcRead(q.r).Query, "matchedUser") {
		data["matchedUser"] = nil
		errors = append(errors, map[string]any{"message": "That user does not exist.", "path": []string{"matchedUser"}})
	}
	return asJSON(http.StatusOK, map[string]any{"errors": errors, "data": data})
}

func (l leetcode) answer(s *Server, q question) answer {
	if q.r.URL.Path == lcRated {
		return lcRatings(s, q)
	}
	read := lcRead(q.r)
	if len(read.Variables.Aliases) > 0 {
		return l.several(s, q, read.Variables.Aliases)
	}
	asked := read.Query
	switch {
	case strings.Contains(asked, "questionList"):
		return lcProblems(s, q, read.Variables)
	case strings.Contains(asked, "allContests"):
		return lcContestList(q)
	}
	p, ok := s.personOf("leetcode", q.handle)
	if !ok {
		return l.unknown(q)
	}
	now, data := q.now.Unix(), map[string]any{}
	switch {
	case strings.Contains(asked, "userCalendar"):
		data["matchedUser"] = map[string]any{"userCalendar": lcCalendar(s.rows(p, "leetcode", now), read.Variables.Year, now)}
	case strings.Contains(asked, "matchedUser"):
		data["matchedUser"] = l.user(s, p, now)
	}
	if strings.Contains(asked, "recentSubmissionList") {
		data["recentSubmissionList"], data["recentAcSubmissionList"] = l.lists(s, p, now)
	}
	if strings.Contains(asked, "userContestRanking") {
		data["userContestRanking"], data["userContestRankingHistory"] = l.contests(s, p, now)
	}
	return asJSON(http.StatusOK, map[string]any{"data": data})
}

var lcLanguages = []string{"cpp", "python3", "java", "golang", "rust", "javascript"}

var lcVerdicts = map[verdict]string{accepted: "Accepted", wrong: "Wrong Answer", slow: "Time Limit Exceeded", crashed: "Runtime Error",
	uncompiled: "Compile Error", fat: "Memory Limit Exceeded", other: "Output Limit Exceeded", skipped: "Internal Error"}

func lcVerdict(x *row, now int64) string {
	if now < x.judged {
		return "Pending"
	}
	return lcVerdicts[x.verdict]
}

func lcTitle(x *row) string {
	return title('l', uint64(x.contest), uint64(x.letter)) + " " + strconv.Itoa(4*x.contest+x.letter)
}

func lcSlug(x *row) string { return strings.ReplaceAll(strings.ToLower(lcTitle(x)), " ", "-") }

// lcID is the site's number of a row.
func lcID(x *row) string { return strconv.FormatInt(x.id, 10) }

type lcRow struct {
	ID        string `json:"id,omitempty"`
	URL       string `json:"url,omitempty"`
	Title     string `json:"title"`
	Slug      string `json:"titleSlug"`
	Timestamp string `json:"timestamp"`
	Status    string `json:"statusDisplay"`
	Language  string `json:"lang"`
}

// lists are the newest rows, and the newest accepted ones, which reach further back.
func (leetcode) lists(s *Server, p *person, now int64) (all, ac []lcRow) {
	all, ac = []lcRow{}, []lcRow{}
	for _, x := range s.newest(p, "leetcode", now, 400) {
		y := lcRow{ID: lcID(&x), URL: "/submissions/detail/" + lcID(&x) + "/", Title: lcTitle(&x), Slug: lcSlug(&x),
			Timestamp: strconv.FormatInt(x.at, 10), Status: lcVerdict(&x, now), Language: lcLanguages[x.language%len(lcLanguages)]}
		if len(all) < lcMost {
			all = append(all, y)
		}
		if len(ac) < lcMost && y.Status == "Accepted" {
			ac = append(ac, y)
		}
	}
	return all, ac
}

// lcListed are the rows that are in one of the lists.
func lcListed(rows []row, now int64) []row {
	var listed []row
	ac := 0
	for i, x := range slices.Backward(rows) {
		accepted := lcVerdict(&x, now) == "Accepted"
		if len(rows)-i <= lcMost || accepted && ac < lcMost {
			listed = append(listed, x)
		}
		if accepted {
			ac++
		}
	}
	slices.Reverse(listed)
	return listed
}

type lcCount struct {
	Difficulty  string `json:"difficulty"`
	Count       int    `json:"count"`
	Submissions int    `json:"submissions"`
}

// user are the numbers: of all time, and of each day of the last year.
func (leetcode) user(s *Server, p *person, now int64) map[string]any {
	rows := s.rows(p, "leetcode", now)
	tried, solved, acs := map[string]bool{}, map[string]bool{}, 0
	days := map[string]int{}
	for i := range rows {
		x := &rows[i]
		tried[lcSlug(x)] = true
		if lcVerdict(x, now) == "Accepted" {
			solved[lcSlug(x)] = true
			acs++
		}
		if day := unixDay(x.at); day > unixDay(now)-365 {
			days[strconv.FormatInt(day*daySeconds, 10)]++
		}
	}
	calendar, _ := json.Marshal(days) // Texts and numbers.
	return map[string]any{"username": p.Handles["leetcode"], "submissionCalendar": string(calendar),
		"profile": map[string]any{"realName": s.calledOn(p, "leetcode", now), "countryName": p.country, "company": nil,
			"school": s.organisationOf(p, "", now)},
		"submitStats": map[string]any{
			"totalSubmissionNum": []lcCount{{"All", len(tried), len(rows)}}, "acSubmissionNum": []lcCount{{"All", len(solved), acs}}}}
}

// contests are the rating now and how it came, with contests that were not attended.
func (leetcode) contests(s *Server, p *person, now int64) (ranking any, history any) {
	all := []map[string]any{}
	for _, e := range s.entries(p, "leetcode", now) {
		of := func(number int, attended bool, rating float64, rank int) map[string]any {
			return map[string]any{"attended": attended, "rating": rating, "ranking": rank,
				"contest": map[string]any{"title": "Sample Weekly Contest " + strconv.Itoa(number+1),
					"startTime": lcContests.start(number)}}
		}
		all = append(all, of(e.number, true, float64(e.new)+0.27, e.rank))
		all = append(all, of(e.number, false, float64(e.new)+0.27, 0)) // The biweekly one of the same day, not attended.
		ranking = map[string]any{"rating": float64(e.new) + 0.27, "globalRanking": 1 + 400000/(1+e.new/50)}
	}
	if len(all) == 0 {
		return nil, nil
	}
	return ranking, all
}

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
