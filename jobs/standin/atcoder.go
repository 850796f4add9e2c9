package standin

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Saturdays, 21:00 in Tokyo.
var atContests = calendar{first: 15997, every: 7, opens: 12 * 3600, lasts: 100 * 60, letters: 7}

func init() {
	registerJudge(judge{
		site: atcoder{}, salt: 'a', contests: atContests, crowd: true, stories: []Case{Late},
		handleOf: func(i int, _ string) string { // 16 letters and no dash.
			if i%5 == 4 {
				return ""
			}
			return fmt.Sprintf("sample_%05d", i)
		},
		stranger: func(n int) string { return fmt.Sprintf("stranger_%d", n) },
		lag:      [2]int{30, 300},
		change: func(x *row, r *rnd) {
			if x.late = r.percent(3); x.late {
				x.seen = x.at + int64(r.between(3, 40))*3600
			}
			x.judged = x.seen // The crawler mostly comes when all is judged.
			if r.percent(4) {
				x.judged += int64(r.between(60, 600))
			}
		},
		describe: func(x *row, now int64, t *Submission) {
			t.Problem, t.ProblemName = atProblemKey(x.contest, x.letter), title('a', uint64(x.contest), uint64(x.letter))
			t.Verdict, t.Language = atVerdict(x, now), atLanguages[x.language%len(atLanguages)]
		},
		recorded: func() recording { return &atRecording{rows: map[string][]atRecord{}} },
	})
}

// atcoder is two hosts: kenkoooo.com, which crawls all submissions and hands
// them out oldest first, and atcoder.jp itself for people and their ratings.
// Only the second knows whether a handle exists.
type atcoder struct{}

const (
	atSubmissions = "/atcoder/atcoder-api/v3/user/submissions"
	atCount       = "/atcoder/atcoder-api/v3/user/submission_count"
	atEverybody   = "/atcoder/atcoder-api/v3/from/"
	atProblems    = "/atcoder/resources/problems.json"
	atPage        = 500
	atFeedPage    = 1000 // Rows a page of everybody.
)

func (atcoder) name() string       { return "atcoder" }
func (atcoder) gap() time.Duration { return time.Second }
func (atcoder) serves(path string) bool {
	return strings.HasPrefix(path, "/atcoder/") || strings.HasPrefix(path, "/users/") || path == "/contests/"
}

func (atcoder) handle(_ *Server, r *http.Request) string {
	if rest, ok := strings.CutPrefix(r.URL.Path, "/users/"); ok {
		handle, _, _ := strings.Cut(rest, "/")
		return handle
	}
	return query(r).Get("user")
}

func (atcoder) hurried(question) answer { return tooMany }

// unknown: the crawler has no rows of somebody who is not there, and says no more.
func (atcoder) unknown(q question) answer {
	if q.r.URL.Path == atSubmissions {
		return asJSON(http.StatusOK, []atSubmission{})
	}
	return answer{status: http.StatusNotFound, typ: "text/html; charset=utf-8",
		body: []byte("<!DOCTYPE html><title>404 Not Found - AtCoder</title><h1>404 Page Not Found</h1>\n")}
}

type (
	atSubmission struct {
		ID       int64   `json:"id"`
		At       int64   `json:"epoch_second"`
		Problem  string  `json:"problem_id"`
		Contest  string  `json:"contest_id"`
		User     string  `json:"user_id"`
		Language string  `json:"language"`
		Point    float64 `json:"point"`
		Length   int     `json:"length"`
		Result   string  `json:"result"`
		Millis   *int    `json:"execution_time"` // null where nothing ran.
	}
	atProblem struct {
		ID      string `json:"id"`
		Contest string `json:"contest_id"`
		Index   string `json:"problem_index"`
		Name    string `json:"name"`
		Title   string `json:"title"`
	}
	atContest struct {
		Rated       bool   `json:"IsRated"`
		Place       int    `json:"Place"`
		Old         int    `json:"OldRating"`
		New         int    `json:"NewRating"`
		Performance int    `json:"Performance"`
		Inner       int    `json:"InnerPerformance"`
		Screen      string `json:"ContestScreenName"`
		Name        string `json:"ContestName"`
		NameEn      string `json:"ContestNameEn"`
		End         string `json:"EndTime"`
	}
)

func (a atcoder) answer(s *Server, q question) answer {
	if q.r.URL.Path == atProblems {
		return a.problems(q)
	}
	if list, ok := atLists[q.r.URL.Path]; ok {
		return list(s, q)
	}
	if from, ok := strings.CutPrefix(q.r.URL.Path, atEverybody); ok {
		return a.everybody(s, q, from)
	}
	p, ok := s.personOf("atcoder", q.handle)
	if !ok {
		return a.unknown(q)
	}
	switch q.r.URL.Path {
	case atSubmissions:
		return a.submissions(s, q, p)
	case atCount:
		return asJSON(http.StatusOK, map[string]any{"user": q.handle, "count": len(s.rows(p, "atcoder", q.now.Unix()))})
	case "/users/" + q.handle + "/history/json":
		return asJSON(http.StatusOK, a.history(s, p, q.now.Unix()))
	case "/users/" + q.handle:
		return s.atUser(p, q.now.Unix()).page()
	}
	return answer{status: http.StatusNotFound, typ: "text/plain", body: []byte("404 page not found\n")}
}

var atBadQuery = answer{status: http.StatusBadRequest, typ: "text/plain", body: []byte("Query deserialize error\n")}

// submissions is one page: whatever the page cuts, it may cut inside a second.
func (atcoder) submissions(s *Server, q question, p *person) answer {
	from, err := number(q, "from_second", 0)
	if err != nil {
		return atBadQuery
	}
	now := q.now.Unix()
	rows := s.rowsFrom(p, "atcoder", int(unixDay(int64(from))), now)
	first, _ := slices.BinarySearchFunc(rows, int64(from), func(x row, from int64) int { return cmp.Compare(x.at, from) })
	page := []atSubmission{}
	for _, x := range rows[first:min(first+atPage, len(rows))] {
		page = append(page, atRow(p, &x, now))
	}
	return asJSON(http.StatusOK, page)
}

var atLanguages = []string{"C++ 23 (gcc 12.2)", "Python (CPython 3.11.4)", "Rust (rustc 1.70.0)", "Java (OpenJDK 17)", "PyPy3 (7.3.0)",
	"Go (1.20.6)"}

var atVerdicts = map[verdict]string{accepted: "AC", wrong: "WA", slow: "TLE", crashed: "RE", uncompiled: "CE", fat: "MLE", other: "OLE",
	skipped: "IE"}

func atVerdict(x *row, now int64) string {
	if now < x.judged {
		return "WJ"
	}
	return atVerdicts[x.verdict]
}

func atContestKey(number int) string { return fmt.Sprintf("abc%03d", number+1) }

func atProblemKey(number, letter int) string {
	return atContestKey(number) + "_" + string(rune('a'+letter))
}

func atRow(p *person, x *row, now int64) atSubmission {
	r := rnd(mix(uint64(x.id), 'r'))
	y := atSubmission{
		ID: x.id, At: x.at, Problem: atProblemKey(x.contest, x.letter), Contest: atContestKey(x.contest), User: p.Handles["atcoder"],
		Language: atLanguages[x.language%len(atLanguages)], Length: r.between(120, 6000), Result: atVerdict(x, now),
	}
	if y.Result == "AC" {
		y.Point = float64(100 * (x.letter + 1))
	}
	if y.Result != "WJ" && y.Result != "CE" {
		y.Millis = new(r.between(1, 2400))
	}
	return y
}

// problems is the catalogue: a contest's problems are in it once the contest is over.
func (atcoder) problems(q question) answer {
	contests := atContests.ended(q.now.Unix())
	a := answer{status: http.StatusOK, etag: `"` + strconv.Itoa(contests) + `"`}
	if q.r.Header.Get("If-None-Match") == a.etag {
		return a
	}
	all := []atProblem{}
	for number := range contests {
		for letter := range atContests.letters {
			index, name := string(rune('A'+letter)), title('a', uint64(number), uint64(letter))
			all = append(all, atProblem{atProblemKey(number, letter), atContestKey(number), index, name, index + ". " + name})
		}
	}
	a.body = asJSON(a.status, all).body
	return a
}

var tokyo = time.FixedZone("JST", 9*3600)

func (atcoder) history(s *Server, p *person, now int64) []atContest {
	all := []atContest{}
	for _, e := range s.entries(p, "atcoder", now) {
		all = append(all, atContest{
			Rated: true, Place: e.rank, Old: e.old, New: e.new, Performance: e.new + 40, Inner: e.new + 40,
			Screen: atContestKey(e.number) + ".contest.atcoder.jp", Name: fmt.Sprintf("Sample Beginner Contest %03d", e.number+1),
			End: time.Unix(atContests.end(e.number), 0).In(tokyo).Format(time.RFC3339),
		})
	}
	return all
}

// everybody is one page of what all people made from a second on, oldest first.
func (atcoder) everybody(s *Server, q question, text string) answer {
	from, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return atBadQuery
	}
	now, page := q.now.Unix(), []atSubmission{}
	for day := max(s.beginning("atcoder"), int(unixDay(from))); day <= int(unixDay(now)) && len(page) < atFeedPage; day++ {
		for _, x := range s.dayOfAll("atcoder", day, now) {
			if x.at >= from && len(page) < atFeedPage {
				page = append(page, atRow(x.p, &x.row, now))
			}
		}
	}
	return asJSON(200, page)
}

// An atRecord is a recorded row of AtCoder, with what is needed to find it.
type atRecord struct {
	at, id int64
	text   json.RawMessage
}

// An atRecording is what was recorded of AtCoder.
type atRecording struct {
	rows     map[string][]atRecord // By handle.
	history  json.RawMessage       // It does not say whose it is, so it is everybody's.
	problems json.RawMessage
}

func (p *atRecording) files() []recordedFile {
	return []recordedFile{
		{"kenkoooo_results_user_*", p.loadResults},
		{"users_history_json_*", func(_ string, text []byte) error { p.history = text; return nil }},
		{"problems.json", func(_ string, text []byte) error { p.problems = text; return nil }},
	}
}

func (p *atRecording) loadResults(_ string, text []byte) error {
	var rows []json.RawMessage
	if err := json.Unmarshal(text, &rows); err != nil {
		return err
	}
	for _, row := range rows {
		var x struct {
			ID   int64  `json:"id"`
			At   int64  `json:"epoch_second"`
			User string `json:"user_id"`
		}
		if err := json.Unmarshal(row, &x); err != nil {
			return err
		}
		p.rows[x.User] = append(p.rows[x.User], atRecord{x.At, x.ID, row})
	}
	for _, rows := range p.rows {
		slices.SortFunc(rows, func(a, b atRecord) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.id, b.id)) })
	}
	return nil
}

func (p *atRecording) answer(q question) answer {
	if q.r.URL.Path == atProblems && p.problems != nil {
		return answer{status: http.StatusOK, body: p.problems}
	}
	if q.handle == "" {
		return nothing
	}
	rows, known := p.rows[q.handle]
	switch {
	case !known:
		return atcoder{}.unknown(q)
	case q.r.URL.Path == "/users/"+q.handle:
		return p.user(q.handle).page()
	case q.r.URL.Path == "/users/"+q.handle+"/history/json" && p.history != nil:
		return answer{status: http.StatusOK, body: p.history}
	case q.r.URL.Path != atSubmissions:
		return nothing
	}
	from, err := number(q, "from_second", 0)
	if err != nil {
		return atBadQuery
	}
	page := []json.RawMessage{}
	for _, x := range rows {
		if x.at >= int64(from) && len(page) < atPage {
			page = append(page, x.text)
		}
	}
	return asJSON(http.StatusOK, page)
}
