package standin

import (
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strings"
	"time"
)

var heContests = calendar{first: 16100, every: 15, opens: 15*3600 + 1800, lasts: 3 * 3600, letters: 5}

func init() {
	registerJudge(judge{
		site: hackerearth{}, salt: 'H', contests: heContests,
		handleOf: func(i int, name string) string {
			if i%5 == 2 {
				return ""
			}
			return strings.ReplaceAll(name, "-", ".")
		},
		describe: func(x *row, now int64, t *Submission) {
			t.Problem, t.ProblemName = heSlug(x), heTitle(x)
			t.Verdict, t.Language = heVerdict(x, now), heLanguages[x.language%len(heLanguages)]
		},
	})
}

// hackerearth gives its tables to whoever shows the token of the page that they are
// on. Every page begins with the last row of the one before, and behind the last
// one there is an error.
type hackerearth struct{}

const (
	heFeed  = "/AJAX/feed/newsfeed/submission/user/"
	heGraph = "/ratings/AJAX/rating-graph/"
	heList  = "/submissions/"
	hePage  = 20
)

func (hackerearth) name() string       { return "hackerearth" }
func (hackerearth) host() string       { return "hackerearth.com" }
func (hackerearth) gap() time.Duration { return 2 * time.Second }
func (hackerearth) serves(path string) bool {
	return strings.HasPrefix(path, heFeed) || strings.HasPrefix(path, heGraph) || strings.HasPrefix(path, heList) ||
		strings.HasPrefix(path, "/@")
}

func (hackerearth) handle(_ *Server, r *http.Request) string {
	for _, prefix := range []string{heFeed, heGraph, heList, "/@"} {
		if rest, ok := strings.CutPrefix(r.URL.Path, prefix); ok {
			handle, _, _ := strings.Cut(rest, "/")
			return handle
		}
	}
	return ""
}

func (hackerearth) hurried(question) answer { return tooMany }

func (hackerearth) unknown(question) answer {
	return answer{status: http.StatusNotFound, typ: "text/html; charset=utf-8",
		body: []byte("<!DOCTYPE html><title>404 - HackerEarth</title><h1>Page not found</h1>\n")}
}

// heToken is what the site gives somebody who opens a page, for the next minutes.
func heToken(p *person) string { return fmt.Sprintf("%016xsample", mix(uint64(p.Index), 'h', 'e')) }

// heCookie is what the site calls the cookie with the token: it has changed before.
func heCookie(p *person) string { return []string{"csrfToken", "csrftoken", "CSRFToken"}[p.Index%3] }

// heSession is the other cookie, without which the token is worth nothing.
func heSession(p *person) string { return fmt.Sprintf("%016xsession", mix(uint64(p.Index), 's', 'e')) }

func (h hackerearth) answer(s *Server, q question) answer {
	p, ok := s.personOf("hackerearth", q.handle)
	if !ok {
		return h.unknown(q)
	}
	path := q.r.URL.Path
	switch {
	case strings.HasPrefix(path, heFeed):
		token, err := q.r.Cookie(heCookie(p))
		session, none := q.r.Cookie("sessionid")
		if err != nil || none != nil || session.Value != heSession(p) || token.Value != heToken(p) ||
			q.r.Header.Get("X-CSRFToken") != token.Value ||
			q.r.Header.Get("X-Requested-With") != "XMLHttpRequest" {
			return answer{status: http.StatusForbidden, typ: "text/html; charset=utf-8",
				body: []byte("<h1>CSRF verification failed</h1>\n")}
		}
		return h.feed(s, q, p)
	case strings.HasPrefix(path, heGraph):
		return h.graph(s, p, q.now.Unix())
	}
	page := answer{status: http.StatusOK, typ: "text/html; charset=utf-8", header: http.Header{},
		body: []byte("<!DOCTYPE html><html><head><title>" + p.DisplayName +
			" | HackerEarth</title></head><body><div id=\"submissions\"></div></body></html>\n")}
	page.header.Add("Set-Cookie", "sessionid="+heSession(p)+"; Path=/; HttpOnly")
	page.header.Add("Set-Cookie", heCookie(p)+"="+heToken(p)+"; Path=/; SameSite=Lax")
	return page
}

var heLanguages = []string{"C++14", "Python 3", "Java 8", "Go", "C", "Rust"}

var heVerdicts = map[verdict]string{accepted: "Accepted", wrong: "Wrong Answer", slow: "Time Limit Exceeded", crashed: "Runtime Error",
	uncompiled: "Compilation Error", fat: "Memory Limit Exceeded", other: "Partially Accepted", skipped: "Rejected"}

func heVerdict(x *row, now int64) string {
	if now < x.judged {
		return "In queue"
	}
	return heVerdicts[x.verdict]
}

func heTitle(x *row) string { return title('H', uint64(x.contest), uint64(x.letter)) }

func heSlug(x *row) string {
	return fmt.Sprintf("%s-%d", strings.ReplaceAll(strings.ToLower(heTitle(x)), " ", "-"), 10*x.contest+x.letter)
}

type heRow struct {
	ID                           int64
	Handle, Path, Title, Verdict string
	Language, At                 string
	Form                         int
}

var heTable = template.Must(template.New("table").Parse(`<table class="table">
<thead><tr><th>User</th><th>Problem</th><th>Result</th><th>Time</th><th>Memory</th><th>Language</th><th>Submitted</th></tr></thead>
<tbody>{{range .}}
<tr id="submission-row-{{.ID}}">
	<td> <a href="/@{{.Handle}}/">{{.Handle}}</a> </td>
	<td> <a href="{{.Path}}">{{.Title}}</a> </td>
	{{if eq .Form 2}}<td title="{{.Verdict}}"> <i class="fa fa-check"></i> </td>
	{{- else}}<td> <i class="fa" title="{{.Verdict}}"></i> </td>{{end}}
	<td>0.1</td>
	<td>64</td>
	<td>{{.Language}}</td>
	{{if eq .Form 1}}<td title="{{.At}}">some time ago</td>{{else if eq .Form 2}}<td><a class="tool-tip" title="{{.At}}">2 days ago</a></td>
	{{- else}}<td> <span title="{{.At}}">an hour ago</span> </td>{{end}}
	{{- if eq .Form 3}}<td><a href="/submission/{{.ID}}/">View</a></td>{{end}}
</tr>{{end}}
</tbody></table>`))

// feed is one page, newest first.
func (hackerearth) feed(s *Server, q question, p *person) answer {
	page, err := number(q, "page", 1)
	now := q.now.Unix()
	rows := s.rows(p, "hackerearth", now)
	slices.Reverse(rows)
	from := hePage * (page - 1)
	switch end := from > 0 && from >= len(rows) || len(rows) == 0; {
	case end && s.form(p, "hackerearth") == 1:
		return asJSON(http.StatusOK, map[string]string{"status": "SUCCESS", "data": ""})
	case end && s.form(p, "hackerearth") == 2:
		from = len(rows)
	case err != nil || from < 0 || end:
		return asJSON(http.StatusOK, map[string]string{"status": "ERROR"})
	}
	var shown []heRow
	for _, x := range rows[from:min(from+hePage+1, len(rows))] {
		y := heRow{ID: x.id, Handle: p.Handles["hackerearth"], Path: "/problem/algorithm/" + heSlug(&x) + "/", Title: heTitle(&x),
			Verdict:  heVerdict(&x, now),
			Language: heLanguages[x.language%len(heLanguages)], At: utc(x.at).Format("2006-01-02 15:04:05-07:00"),
			Form: s.form(p, "hackerearth")}
		if y.Form == 1 {
			y.Path = "/practice/algorithms/searching/linear-search/practice-problems/algorithm/" + heSlug(&x) + "/"
		}
		if x.mode == contestant {
			y.Path = fmt.Sprintf("/challenges/competitive/sample-circuits-%d/algorithm/%s/", x.contest+1, heSlug(&x))
		}
		shown = append(shown, y)
	}
	var body strings.Builder
	if err := heTable.Execute(&body, shown); err != nil {
		return answer{status: http.StatusInternalServerError, typ: "text/plain", body: []byte(err.Error())}
	}
	return asJSON(http.StatusOK, map[string]string{"status": "SUCCESS", "data": body.String()})
}

// graph is a script with the rated contests in it, or nothing.
func (hackerearth) graph(s *Server, p *person, now int64) answer {
	events := []map[string]any{}
	for _, e := range s.entries(p, "hackerearth", now) {
		events = append(events, map[string]any{"event_start": utc(heContests.start(e.number)).Format("02 Jan 2006, 03:04 PM"),
			"event_title": fmt.Sprintf("Sample Circuits %d", e.number+1),
			"event_url":   fmt.Sprintf("/challenges/competitive/sample-circuits-%d/", e.number+1), "rating": e.new, "rank": e.rank})
	}
	a := answer{status: http.StatusOK, typ: "text/html; charset=utf-8"}
	if len(events) > 0 {
		data, _ := json.Marshal(events) // Texts and numbers.
		a.body = fmt.Appendf(nil, "<div id=\"graph\"></div><script>var dataset = %s;\nvar width = 900;</script>\n", data)
	}
	return a
}
