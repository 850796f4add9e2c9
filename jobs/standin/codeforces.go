package standin

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

var cfContests = calendar{first: 15340, every: 6, opens: 14*3600 + 35*60, lasts: 2 * 3600, letters: 6}

func init() {
	registerJudge(judge{
		site: codeforces{}, salt: 'c', contests: cfContests, anyCase: true, stories: []Case{Fresh, Hacked},
		handleOf: func(_ int, name string) string { return name },
		mode:     cfMode,
		change: func(x *row, r *rnd) {
			if x.mode == contestant && x.verdict == accepted && r.percent(6) {
				x.hacked = x.at + int64(r.between(600, 23*3600))
			}
		},
		describe: func(x *row, now int64, t *Submission) { // "2204B", or "acmsguru-120".
			p := cfProblemOf(x)
			t.Problem = strconv.Itoa(p.ContestID) + p.Index
			if p.Problemset != "" {
				t.Problem = p.Problemset + "-" + p.Index
			}
			t.ProblemName, t.Verdict, t.Language = p.Name, cfVerdict(x, now), cfLanguages[x.language%len(cfLanguages)]
		},
		recorded: func() recording { return cfRecording{} },
	})
}

// cfMode lets some people practise in the gym and on acmsguru, and everybody hold virtual contests.
func cfMode(p *person, draw int) mode {
	switch {
	case p.gym && draw < 40:
		return gym
	case p.gym && draw < 50:
		return guru
	case draw >= 90:
		return virtual
	}
	return practice
}

// codeforces is https://codeforces.com/api: JSON in an envelope, newest first,
// and every refusal in the same envelope.
type codeforces struct{}

// firstRound is the number of the first contest, so that today's are as long as the real ones.
const firstRound = 1400

func (codeforces) name() string       { return "codeforces" }
func (codeforces) gap() time.Duration { return 2 * time.Second }
func (codeforces) host() string       { return "codeforces.com" }
func (codeforces) serves(path string) bool {
	return strings.HasPrefix(path, "/api/user.") || strings.HasPrefix(path, "/api/contest.") ||
		strings.HasPrefix(path, "/api/problemset.") || strings.HasPrefix(path, "/profile/")
}
func (codeforces) handle(_ *Server, r *http.Request) string {
	if handle, ok := strings.CutPrefix(r.URL.Path, "/profile/"); ok {
		return handle
	}
	return cmp.Or(query(r).Get("handle"), query(r).Get("handles"), cfForm(r).Get("handles"))
}

// cfForm reads a form that was posted, of the size that the API takes, and leaves it to be
// read again.
func cfForm(r *http.Request) (form url.Values) {
	if r.Method != http.MethodPost || r.Body == nil || r.Header.Get("Content-Type") != "application/x-www-form-urlencoded" {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(r.Body, 1<<16))
	r.Body = io.NopCloser(bytes.NewReader(text))
	if err == nil {
		form, _ = url.ParseQuery(string(text))
	}
	return form
}

func (codeforces) hurried(question) answer {
	return asJSON(http.StatusOK, cfFailure{"FAILED", "Call limit exceeded"})
}

func (codeforces) unknown(q question) answer {
	if !strings.HasPrefix(q.r.URL.Path, "/api/") {
		return answer{status: http.StatusFound, typ: "text/html", header: http.Header{"Location": {"/"}}}
	}
	if strings.HasSuffix(q.r.URL.Path, "user.info") {
		return cfRefusal("handles: User with handle %s not found", q.handle)
	}
	return cfRefusal("handle: User with handle %s not found", q.handle)
}

func cfRefusal(format string, args ...any) answer {
	return asJSON(http.StatusBadRequest, cfFailure{"FAILED", fmt.Sprintf(format, args...)})
}

type (
	cfFailure struct {
		Status  string `json:"status"`
		Comment string `json:"comment"`
	}
	cfOK struct {
		Status string `json:"status"`
		Result any    `json:"result"`
	}
	cfProblem struct {
		ContestID  int      `json:"contestId,omitempty"`
		Problemset string   `json:"problemsetName,omitempty"`
		Index      string   `json:"index"`
		Name       string   `json:"name"`
		Type       string   `json:"type"`
		Points     float64  `json:"points,omitempty"`
		Rating     int      `json:"rating,omitempty"`
		Tags       []string `json:"tags"`
	}
	cfMember struct {
		Handle string `json:"handle"`
	}
	cfAuthor struct {
		ContestID     int        `json:"contestId,omitempty"`
		ParticipantID int64      `json:"participantId,omitempty"`
		Members       []cfMember `json:"members"`
		Type          string     `json:"participantType,omitempty"`
		Ghost         bool       `json:"ghost"`
		Start         int64      `json:"startTimeSeconds,omitempty"`
	}
	cfSubmission struct {
		ID        int64     `json:"id"`
		ContestID int       `json:"contestId,omitempty"`
		Created   int64     `json:"creationTimeSeconds"`
		Relative  int64     `json:"relativeTimeSeconds"`
		Problem   cfProblem `json:"problem"`
		Author    cfAuthor  `json:"author"`
		Language  string    `json:"programmingLanguage"`
		Verdict   string    `json:"verdict,omitempty"` // Absent while it waits in the queue.
		Testset   string    `json:"testset"`
		Passed    int       `json:"passedTestCount"`
		Millis    int       `json:"timeConsumedMillis"`
		Bytes     int       `json:"memoryConsumedBytes"`
	}
)

func (c codeforces) answer(s *Server, q question) answer {
	if !strings.HasPrefix(q.r.URL.Path, "/api/") {
		return c.profile(s, q)
	}
	signer, refused := s.cfSigned(q)
	if refused != nil {
		return *refused
	}
	if strings.HasPrefix(q.r.URL.Path, "/api/problemset.") {
		return c.problemset(s, q)
	}
	if strings.HasPrefix(q.r.URL.Path, "/api/contest.") {
		return c.contest(q)
	}
	if q.handle == "" {
		return cfRefusal("handle: Field should not be empty")
	}
	if strings.HasSuffix(q.r.URL.Path, "/user.info") {
		return c.info(s, q)
	}
	p, ok := s.personOf("codeforces", q.handle)
	if !ok {
		return c.unknown(q)
	}
	switch q.r.URL.Path {
	case "/api/user.status":
		return c.status(s, q, p, signer)
	case "/api/user.rating":
		return asJSON(http.StatusOK, cfOK{"OK", c.ratings(s, p, q.now.Unix())})
	}
	return cfRefusal("%s: no such method", strings.TrimPrefix(q.r.URL.Path, "/api/"))
}

// status is a slice of the list, newest first, as signer may see it. from counts from 1.
func (codeforces) status(s *Server, q question, p *person, signer string) answer {
	from, err := number(q, "from", 1)
	if err != nil || from < 1 {
		return cfRefusal("from: Field should be a positive integer")
	}
	count, err := number(q, "count", 1<<30)
	if err != nil || count < 1 {
		return cfRefusal("count: Field should be a positive integer")
	}
	now := q.now.Unix()
	from, count = min(from, 1<<30), min(count, 1<<30) // More than anybody has, and no overflow.
	hidden := s.hiddenFrom(q.handle, signer)
	rows := s.newest(p, "codeforces", now, from-1+count+len(hidden))
	rows = slices.DeleteFunc(rows, func(r row) bool { return slices.Contains(hidden, r.at) })
	rows = rows[min(from-1, len(rows)):min(from-1+count, len(rows))]
	result := make([]cfSubmission, len(rows))
	for i := range rows {
		result[i] = cfRow(p, &rows[i], now)
	}
	return asJSON(http.StatusOK, cfOK{"OK", result})
}

var cfLanguages = []string{"C++20 (GCC 13-64)", "Python 3", "C++23 (GCC 14-64, msys2)", "PyPy 3-64", "Java 21", "C++17 (GCC 7-32)",
	"Rust 2021", "Kotlin 1.9", "Go"}

var cfVerdicts = map[verdict]string{
	accepted: "OK", wrong: "WRONG_ANSWER", slow: "TIME_LIMIT_EXCEEDED", crashed: "RUNTIME_ERROR", uncompiled: "COMPILATION_ERROR",
	fat: "MEMORY_LIMIT_EXCEEDED", other: "IDLENESS_LIMIT_EXCEEDED", skipped: "SKIPPED",
}

// cfVerdict is what is said at an instant: nothing, then TESTING, then the
// verdict, and of some accepted ones later that somebody has broken them.
func cfVerdict(x *row, now int64) string {
	switch {
	case now < x.at+(x.judged-x.at)/3:
		return ""
	case now < x.judged:
		return "TESTING"
	case x.hacked != 0 && now >= x.hacked:
		return "CHALLENGED"
	}
	return cfVerdicts[x.verdict]
}

func cfProblemOf(x *row) cfProblem {
	p := cfProblem{Index: string(rune('A' + x.letter)), Type: "PROGRAMMING", Tags: []string{}}
	p.Name = title('c', uint64(x.mode/gym), uint64(x.contest), uint64(x.letter))
	switch x.mode {
	case guru:
		nth := (x.contest*6 + x.letter) % 400
		p.Problemset, p.Index, p.Name = "acmsguru", strconv.Itoa(100+nth), title('g', uint64(nth))
	case gym:
		p.ContestID = 106000 + x.contest
	default:
		p.ContestID = firstRound + x.contest
		p.Points, p.Rating = float64(500*(x.letter+1)), 800+400*x.letter
		p.Tags = []string{topics[(x.contest+x.letter)%len(topics)]}
	}
	return p
}

func cfRow(p *person, x *row, now int64) cfSubmission {
	problem := cfProblemOf(x)
	r := rnd(mix(uint64(x.id), 'r'))
	y := cfSubmission{
		ID: x.id, ContestID: problem.ContestID, Created: x.at, Relative: 1<<31 - 1, Problem: problem,
		Author:   cfAuthor{ContestID: problem.ContestID, Members: []cfMember{{p.Handles["codeforces"]}}},
		Language: cfLanguages[x.language%len(cfLanguages)], Verdict: cfVerdict(x, now), Testset: "TESTS",
	}
	if y.Verdict != "" && y.Verdict != "TESTING" && y.Verdict != "COMPILATION_ERROR" {
		y.Passed, y.Millis, y.Bytes = r.between(1, 60), r.between(15, 1900), r.upTo(600)*102400
	}
	if x.mode == guru {
		return y
	}
	y.Author.ParticipantID = 1e8 + int64(x.contest)*10000 + int64(p.Index)
	y.Author.Type = [...]string{practice: "PRACTICE", contestant: "CONTESTANT", virtual: "VIRTUAL", gym: "PRACTICE"}[x.mode]
	y.Author.Start = cfContests.start(x.contest)
	switch x.mode {
	case contestant:
		y.Relative = x.at - y.Author.Start
	case virtual: // The clock of a virtual contest begins when its owner says so.
		y.Author.Start, y.Relative = x.at-1200, 1200
	}
	return y
}

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
)

// contestsAhead is how many contests are announced.
const contestsAhead = 3

// contest lists the contests, newest first.
func (codeforces) contest(q question) answer {
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
