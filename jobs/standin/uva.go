package standin

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

func init() {
	registerJudge(judge{
		site: uva{}, salt: 'u', problems: uvaProblems,
		handleOf: func(i int, name string) string { // It allows spaces.
			return [...]string{strings.ReplaceAll(name, "-", "_"), strings.ReplaceAll(name, "-", " "), ""}[i%3]
		},
		describe: func(x *row, now int64, t *Submission) { // The problem by the id that rows give, not the number.
			t.Problem, t.ProblemName = strconv.FormatInt(uvaPID(x.contest), 10), title('u', uint64(x.contest))
			t.Verdict, t.Language, t.Coded = strconv.FormatInt(uvaVerdict(x, now), 10), strconv.Itoa(1+x.language%6), true
		},
		recorded: func() recording { return &uvaRecording{} },
	})
}

// uva is uHunt: people by number, rows as arrays, problems by an id that is not
// the number people know them by, and 0 for whoever does not exist.
type uva struct{}

const (
	uvaProblems = 1500
	firstUID    = 900001
)

func (uva) name() string       { return "uva" }
func (uva) gap() time.Duration { return time.Second }
func (uva) serves(path string) bool {
	return path == "/api/p" || slices.ContainsFunc([]string{"/api/p/", "/api/uname2uid/", "/api/subs-user/", "/api/subs-user-last/",
		"/api/ranklist/"},
		func(prefix string) bool { return strings.HasPrefix(path, prefix) })
}

// parts are the parts of a path behind /api/. A handle may hold a slash or a space.
func parts(r *http.Request) []string {
	path := strings.Split(strings.TrimPrefix(r.URL.EscapedPath(), "/api/"), "/")
	for i, part := range path {
		if plain, err := url.PathUnescape(part); err == nil {
			path[i] = plain
		}
	}
	return path
}

// handle turns a number back into the handle, so that the log reads the same.
func (uva) handle(s *Server, r *http.Request) string {
	path := parts(r)
	switch {
	case len(path) < 2 || path[0] == "p":
		return ""
	case path[0] == "uname2uid":
		return path[1]
	}
	if s.replay != nil {
		recorded, _ := s.replay.sites["uva"].(*uvaRecording)
		return recorded.handleOf(path[1])
	}
	if p, ok := s.byUID(path[1]); ok {
		return p.Handles["uva"]
	}
	return ""
}

func (s *Server) byUID(uid string) (*person, bool) {
	n, err := strconv.Atoi(uid)
	if n -= firstUID; err != nil || n < 0 || n >= len(s.people) || s.people[n].Handles["uva"] == "" {
		return nil, false
	}
	return s.people[n], true
}

func (uva) hurried(question) answer { return tooMany }

type uvaUser struct {
	Name  string     `json:"name"`
	Uname string     `json:"uname"`
	Subs  [][7]int64 `json:"subs"` // id, problem id, verdict, ms, time, language, rank
}

func (uva) unknown(q question) answer {
	if strings.HasPrefix(q.r.URL.Path, "/api/uname2uid/") {
		return answer{status: http.StatusOK, body: []byte("0")}
	}
	if strings.HasPrefix(q.r.URL.Path, "/api/ranklist/") {
		return noRank
	}
	return asJSON(http.StatusOK, uvaUser{"--- ? ---", "--- ? ---", [][7]int64{}})
}

func (u uva) answer(s *Server, q question) answer {
	path := parts(q.r)
	switch path[0] {
	case "p":
		return u.problems(path)
	case "uname2uid":
		if p, ok := s.personOf("uva", q.handle); ok {
			return asJSON(http.StatusOK, firstUID+p.Index)
		}
		return u.unknown(q)
	}
	p, ok := s.byUID(path[1])
	if !ok {
		return u.unknown(q)
	}
	if path[0] == "ranklist" {
		return u.ranklist(s, p, q.now.Unix())
	}
	return asJSON(http.StatusOK, u.subs(s, q, p, path))
}

// subs are all rows, the rows behind an id, or the last few; the last in no order.
func (uva) subs(s *Server, q question, p *person, path []string) uvaUser {
	now := q.now.Unix()
	user := uvaUser{s.nameOf(p, now), p.Handles["uva"], [][7]int64{}}
	rows := s.rows(p, "uva", now)
	if len(path) > 2 {
		n, _ := strconv.Atoi(path[2])
		if path[0] == "subs-user-last" {
			rows = rows[len(rows)-min(max(n, 0), len(rows)):]
		} else {
			rows = slices.DeleteFunc(rows, func(x row) bool { return x.id <= int64(n) })
		}
	}
	for i := range rows {
		user.Subs = append(user.Subs, uvaRow(&rows[i], now))
	}
	if p.Index%2 == 1 { // uHunt promises no order, so half of the people have none.
		slices.SortFunc(user.Subs, func(a, b [7]int64) int { return int(mix(uint64(a[0]))>>40) - int(mix(uint64(b[0]))>>40) })
	}
	return user
}

var uvaVerdicts = map[verdict]int64{accepted: 90, wrong: 70, slow: 50, crashed: 40, uncompiled: 30, fat: 60, other: 80, skipped: 10}

func uvaVerdict(x *row, now int64) int64 {
	if now < x.judged {
		return 20 // In the queue.
	}
	return uvaVerdicts[x.verdict]
}

func uvaRow(x *row, now int64) [7]int64 {
	r := rnd(mix(uint64(x.id), 'r'))
	y := [7]int64{x.id, uvaPID(x.contest), uvaVerdict(x, now), 0, x.at, int64(1 + x.language%6), -1}
	if y[2] == 90 {
		y[3], y[6] = int64(r.upTo(2000)), int64(r.between(1, 9000))
	}
	return y
}

func uvaPID(problem int) int64 { return int64(36 + problem) }

// uvaNumber is what people call a problem: 100 to 999, and on from 10000.
func uvaNumber(problem int) int64 {
	if problem < 900 {
		return int64(100 + problem)
	}
	return int64(10000 + problem - 900)
}

// problems is the catalogue, or one of it by number or by id.
func (uva) problems(path []string) answer {
	if len(path) == 1 {
		all := make([][21]any, uvaProblems)
		for i := range all {
			for j := range all[i] {
				all[i][j] = int(mix(uint64(i), uint64(j)) % 5000)
			}
			all[i][0], all[i][1], all[i][2], all[i][19], all[i][20] = uvaPID(i), uvaNumber(i), title('u', uint64(i)), 3000, 1
		}
		a := asJSON(http.StatusOK, all)
		a.etag = `"` + strconv.Itoa(uvaProblems) + `"`
		return a
	}
	for i := range uvaProblems {
		if len(path) == 3 && (path[1] == "num" && path[2] == strconv.FormatInt(uvaNumber(i), 10) || path[1] == "id" &&
			path[2] == strconv.FormatInt(uvaPID(i), 10)) {
			return asJSON(http.StatusOK, map[string]any{"pid": uvaPID(i), "num": uvaNumber(i), "title": title('u', uint64(i)),
				"dacu": 100 + i, "ac": 200 + i, "wa": 300 + i, "rtl": 3000, "status": 1})
		}
	}
	return answer{status: http.StatusOK, body: []byte("{}")}
}

// A uvaRank is one line of uHunt's ranking.
type uvaRank struct {
	Rank     int    `json:"rank"`
	Old      int    `json:"old"` // 1 for members of the old site.
	UserID   int    `json:"userid"`
	Name     string `json:"name"`
	Username string `json:"username"`
	AC       int    `json:"ac"`       // Problems accepted.
	NOS      int    `json:"nos"`      // Submissions.
	Activity [5]int `json:"activity"` // Problems accepted in 2, 7 and 31 days, 3 months, a year.
}

// noRank is a ranking without a line: who has submitted nothing has no place in it.
var noRank = answer{status: http.StatusOK, body: []byte("[]")}

// ranklist is a person's own line. Neighbours are not in this world, so none are
// above or below, however many are asked for.
func (uva) ranklist(s *Server, p *person, now int64) answer {
	rows := s.rows(p, "uva", now)
	if len(rows) == 0 {
		return noRank
	}
	line := uvaRank{UserID: firstUID + p.Index, Name: s.nameOf(p, now), Username: p.Handles["uva"], NOS: len(rows)}
	solved := map[int]bool{}
	for i := range rows {
		x := &rows[i]
		if uvaVerdict(x, now) != uvaVerdicts[accepted] || solved[x.contest] {
			continue
		}
		solved[x.contest] = true
		for j, days := range []int64{2, 7, 31, 91, 365} {
			if x.at > now-days*daySeconds {
				line.Activity[j]++
			}
		}
	}
	line.AC = len(solved)
	line.Rank = 1 + 200000/(1+line.AC) // The more problems, the fewer people before.
	return asJSON(http.StatusOK, []uvaRank{line})
}

// A uvaRecord is a recorded list of uHunt, which does not have the member's number.
type uvaRecord struct {
	Name  string            `json:"name"`
	Uname string            `json:"uname"`
	Subs  []json.RawMessage `json:"subs"`
}

// A uvaRecording is what was recorded of uHunt.
type uvaRecording struct {
	people   []uvaRecord // The number of the first is firstUID.
	problems []json.RawMessage
}

func (p *uvaRecording) files() []recordedFile {
	return []recordedFile{
		{"subs-user-last_*", p.loadSubs},
		{"p_num_*", func(_ string, text []byte) error { p.problems = append(p.problems, text); return nil }},
	}
}

func (p *uvaRecording) loadSubs(_ string, text []byte) error {
	var r uvaRecord
	if err := json.Unmarshal(text, &r); err != nil {
		return err
	}
	p.people = append(p.people, r)
	return nil
}

// handleOf is the handle of a number.
func (p *uvaRecording) handleOf(uid string) string {
	if n, err := strconv.Atoi(uid); err == nil && n >= firstUID && n < firstUID+len(p.people) {
		return p.people[n-firstUID].Uname
	}
	return ""
}

func (p *uvaRecording) answer(q question) answer {
	path := parts(q.r)
	if path[0] == "p" {
		return p.problem(path)
	}
	i := slices.IndexFunc(p.people, func(r uvaRecord) bool { return r.Uname == q.handle })
	switch {
	case q.handle == "" || i < 0:
		return uva{}.unknown(q)
	case path[0] == "uname2uid":
		return asJSON(http.StatusOK, firstUID+i)
	case path[0] == "ranklist":
		return noRank // A list of the last few rows does not show how many there are.
	}
	r := p.people[i]
	if len(path) > 2 {
		n, _ := strconv.Atoi(path[2])
		if path[0] == "subs-user-last" {
			r.Subs = r.Subs[len(r.Subs)-min(max(n, 0), len(r.Subs)):]
		} else {
			r.Subs = slices.DeleteFunc(slices.Clone(r.Subs), func(row json.RawMessage) bool { return firstNumber(row) <= int64(n) })
		}
	}
	return asJSON(http.StatusOK, r)
}

// firstNumber is the id of a row, which is an array of numbers.
func firstNumber(row json.RawMessage) int64 {
	var numbers []int64
	if json.Unmarshal(row, &numbers) != nil || len(numbers) == 0 {
		return 0
	}
	return numbers[0]
}

// problem is one recorded problem by its number, or the list of all.
func (p *uvaRecording) problem(path []string) answer {
	all := [][]any{}
	for _, text := range p.problems {
		var x struct {
			PID   int64  `json:"pid"`
			Num   int64  `json:"num"`
			Title string `json:"title"`
		}
		if err := json.Unmarshal(text, &x); err != nil {
			continue // Not a problem, so nobody's.
		}
		if len(path) == 3 && path[1] == "num" && path[2] == strconv.FormatInt(x.Num, 10) {
			return answer{status: http.StatusOK, body: text}
		}
		row := make([]any, 21)
		for i := range row {
			row[i] = 0
		}
		row[0], row[1], row[2] = x.PID, x.Num, x.Title
		all = append(all, row)
	}
	if len(path) == 1 {
		return asJSON(http.StatusOK, all)
	}
	return nothing
}
