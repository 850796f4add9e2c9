package standin

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

var hrContests = calendar{first: 15900, every: 7, opens: 16 * 3600, lasts: 3 * 3600, letters: 6}

func init() {
	registerJudge(judge{
		site: hackerrank{}, salt: 'h', contests: hrContests, lists: hrSolved,
		handleOf: func(i int, name string) string {
			if i%4 == 3 {
				return ""
			}
			return strings.ReplaceAll(name, "-", "_")
		},
		describe: func(x *row, _ int64, t *Submission) { // "amber-harbour-12", or in a contest "sample-w3/amber-harbour-12".
			t.ID, t.Problem, t.ProblemName, t.Verdict = hrID(x), hrProblem(x), hrTitle(x), "Accepted"
		},
	})
}

// hackerrank shows the challenges that somebody has solved, once each, and of
// all attempts only how many there were on a day. Its pages hang together by
// cursors that mean nothing to anybody else.
type hackerrank struct{}

const (
	hrHackers  = "/rest/hackers/"
	hrProfiles = "/rest/contests/master/hackers/"
	hrMost     = 100 // Rows a page.
)

func (hackerrank) name() string       { return "hackerrank" }
func (hackerrank) gap() time.Duration { return time.Second }
func (hackerrank) serves(path string) bool {
	return strings.HasPrefix(path, hrHackers) || strings.HasPrefix(path, hrProfiles)
}

// hrPath is the handle in a path, and what is asked of it.
func hrPath(path string) (handle, what string) {
	rest, ok := strings.CutPrefix(path, hrHackers)
	if !ok {
		rest = strings.TrimPrefix(path, hrProfiles)
	}
	handle, what, _ = strings.Cut(rest, "/")
	return handle, what
}

func (hackerrank) handle(_ *Server, r *http.Request) string {
	handle, _ := hrPath(r.URL.Path)
	return handle
}

func (hackerrank) hurried(question) answer { return tooMany }

func (hackerrank) unknown(question) answer {
	return answer{status: http.StatusNotFound, body: []byte(`{"status":false,"message":"Not Found"}`)}
}

func (h hackerrank) answer(s *Server, q question) answer {
	p, ok := s.personOf("hackerrank", q.handle)
	if !ok {
		return h.unknown(q)
	}
	switch _, what := hrPath(q.r.URL.Path); what {
	case "recent_challenges":
		return h.challenges(s, q, p)
	case "submission_histories":
		days := map[string]int{}
		for _, x := range s.rows(p, "hackerrank", q.now.Unix()) {
			days[utc(x.at).Format(time.DateOnly)]++
		}
		return asJSON(http.StatusOK, days)
	case "rating_histories_elo":
		return h.ratings(s, p, q.now.Unix())
	case "profile":
		name, school := s.calledOn(p, "hackerrank", q.now.Unix()), s.organisationOf(p, "", q.now.Unix())
		return asJSON(http.StatusOK, map[string]any{"model": map[string]any{
			"id": 700001 + p.Index, "username": p.Handles["hackerrank"], "name": name, "country": p.country, "school": school,
			"level": 1 + p.skill/500, "deleted": false}})
	}
	return h.unknown(q)
}

// hrSolved are the first rows that solve a challenge and are judged at now.
func hrSolved(rows []row, now int64) []row {
	solved := map[string]bool{}
	return slices.DeleteFunc(rows, func(x row) bool {
		if x.verdict != accepted || x.judged > now || solved[hrID(&x)] {
			return true
		}
		solved[hrID(&x)] = true
		return false
	})
}

func hrTitle(x *row) string { return title('h', uint64(x.contest), uint64(x.letter)) }

func hrSlug(x *row) string {
	return strings.ReplaceAll(strings.ToLower(hrTitle(x)), " ", "-") + "-" + strconv.Itoa(10*x.contest+x.letter)
}

// hrContest is "master" for what is practised.
func hrContest(x *row) string {
	if x.mode != contestant {
		return "master"
	}
	return fmt.Sprintf("sample-w%d", x.contest+1)
}

func hrID(x *row) string { return hrContest(x) + "/" + hrSlug(x) }

func hrProblem(x *row) string { return strings.TrimPrefix(hrID(x), "master/") }

// An hrChallenge is one solved challenge.
type hrChallenge struct {
	URL       string `json:"url"`
	Name      string `json:"name"`
	CreatedAt string `json:"created_at"`
	Challenge string `json:"ch_slug"`
	Contest   string `json:"con_slug,omitempty"`
}

// challenges are a page, newest first, behind the row that the cursor means.
func (hackerrank) challenges(s *Server, q question, p *person) answer {
	limit, err := number(q, "limit", 5)
	cursor, place := query(q.r).Get("cursor"), ""
	if cursor != "" && cursor != "null" {
		text, bad := base64.URLEncoding.DecodeString(cursor)
		place, err = string(text), bad
	}
	if err != nil {
		return answer{status: http.StatusBadRequest, body: []byte(`{"status":false}`)}
	}
	rows := hrSolved(s.rows(p, "hackerrank", q.now.Unix()), q.now.Unix())
	slices.Reverse(rows)
	from := 1 + slices.IndexFunc(rows, func(x row) bool { return hrID(&x) == place })
	page := []hrChallenge{}
	to := min(from+min(max(limit, 1), hrMost), len(rows))
	for _, x := range rows[from:to] {
		c := hrChallenge{Name: hrTitle(&x), CreatedAt: utc(x.at).Format("2006-01-02T15:04:05.000Z"), Challenge: hrSlug(&x),
			Contest: hrContest(&x)}
		c.URL = "/challenges/" + url.PathEscape(c.Challenge)
		if c.Contest != "master" {
			c.URL = "/contests/" + c.Contest + c.URL
		}
		switch s.form(p, "hackerrank") {
		case 1: // Many see neither the contest nor an offset in letters.
			c.Contest, c.CreatedAt = "", utc(x.at).Format("2006-01-02T15:04:05.000+00:00")
		case 2:
			c.Contest, c.CreatedAt = "", utc(x.at).In(kolkata).Format("2006-01-02T15:04:05.000-07:00")
		case 3:
			c.CreatedAt = utc(x.at).Format(time.RFC3339)
		}
		page = append(page, c)
	}
	said := map[string]any{"models": page, "cursor": nil, "last_page": to == len(rows)}
	if to < len(rows) {
		said["cursor"] = base64.URLEncoding.EncodeToString([]byte(hrID(&rows[to-1])))
	}
	return asJSON(http.StatusOK, said)
}

// ratings are of the one category in which this world holds contests.
func (hackerrank) ratings(s *Server, p *person, now int64) answer {
	events := []map[string]any{}
	for _, e := range s.entries(p, "hackerrank", now) {
		slug := fmt.Sprintf("sample-w%d", e.number+1)
		events = append(events, map[string]any{"date": utc(hrContests.end(e.number)).Format("2006-01-02T15:04:05.000Z"),
			"rating": float64(e.new) + 0.46,
			"rank":   e.rank, "contest_slug": slug, "contest_name": fmt.Sprintf("Sample Weekly Challenge %d", e.number+1)})
	}
	if len(events) == 0 {
		return asJSON(http.StatusOK, map[string]any{"models": []any{}})
	}
	return asJSON(http.StatusOK, map[string]any{"models": []any{map[string]any{"category": "Algorithms", "events": events}}})
}
