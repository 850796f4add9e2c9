package standin

import (
	"fmt"
	"html"
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"time"
)

func init() {
	registerJudge(judge{
		site: spoj{}, salt: 's', problems: spojProblems, anyCase: true,
		handleOf: func(i int, _ string) string {
			if i%3 == 1 {
				return ""
			}
			return fmt.Sprintf("sample_sphere%d", i)
		},
		describe: func(x *row, now int64, t *Submission) {
			t.Problem, t.ProblemName = spojCode(x.contest), title('s', uint64(x.contest))
			t.Verdict, t.Language = spojVerdict(x, now), spojLanguages[x.language%len(spojLanguages)]
		},
	})
}

// spoj is pages of 20 rows in the time of Warsaw. Beyond the end the last page comes
// again; who does not exist has an empty list, and a page without a user on it.
type spoj struct{}

const (
	spojProblems = 900
	spojPage     = 20
)

func (spoj) name() string            { return "spoj" }
func (spoj) host() string            { return "spoj.com" }
func (spoj) gap() time.Duration      { return time.Second }
func (spoj) serves(path string) bool { return strings.HasPrefix(path, "/status/") }
func (spoj) hurried(question) answer { return tooMany }
func (spoj) unknown(q question) answer {
	if strings.HasPrefix(q.r.URL.Path, "/status/") {
		return spojList("")
	}
	return asHTML(`<!DOCTYPE html><html><head><title>Sphere Online Judge (SPOJ)</title></head>
<body><p>Become a true programming master (sample)</p></body></html>
`)
}

func (spoj) handle(_ *Server, r *http.Request) string {
	parts := strings.Split(r.URL.Path, "/")
	if len(parts) > 2 && (parts[1] == "status" || parts[1] == "users") {
		return parts[2]
	}
	return ""
}

func (x spoj) answer(s *Server, q question) answer {
	p, ok := s.personOf("spoj", q.handle)
	switch {
	case !ok:
		return x.unknown(q)
	case strings.HasPrefix(q.r.URL.Path, "/users/"):
		return s.spojUser(p, q.now.Unix())
	}
	rows, now := s.rows(p, "spoj", q.now.Unix()), q.now.Unix()
	_, text, _ := strings.Cut(q.r.URL.Path, "start=")
	start, _ := strconv.Atoi(text)
	start = min(max(start, 0), max(0, (len(rows)-1)/spojPage*spojPage))
	var table strings.Builder
	for i := len(rows) - 1 - start; i >= 0 && i >= len(rows)-start-spojPage; i-- {
		spojRow(&table, &rows[i], now, s.form(p, "spoj"))
	}
	return spojList(table.String())
}

func spojList(rows string) answer {
	return asHTML(`<!DOCTYPE html><html><head><title>Sphere Online Judge (SPOJ) - Status</title></head><body>
<table class="problems table newstatus">
<thead><tr><th>ID</th><th>DATE</th><th>PROBLEM</th><th>RESULT</th><th>TIME</th><th>MEM</th><th>LANG</th></tr></thead>
<tbody>` + rows + "</tbody></table>\n</body></html>\n")
}

var warsaw, _ = time.LoadLocation("Europe/Warsaw") // Embedded: see people.go.

var spojLanguages = []string{"CPP14", "PYTHON3", "C", "JAVA", "ADA95", "PASCAL"}

var spojVerdicts = map[verdict]struct{ code, words string }{
	accepted: {"15", "accepted"}, wrong: {"14", "wrong answer"}, slow: {"13", "time limit exceeded"},
	crashed:    {"12", "runtime error (SIGSEGV)"},
	uncompiled: {"11", "compilation error"}, fat: {"12", "runtime error (SIGKILL)"}, other: {"15", "84.5"},
	skipped: {"20", "internal error"},
}

func spojVerdict(x *row, now int64) string {
	if now < x.judged {
		return "running.."
	}
	return spojVerdicts[x.verdict].words
}

func spojCode(problem int) string {
	name := strings.ToUpper(strings.ReplaceAll(title('s', uint64(problem)), " ", ""))
	return name[:min(len(name), 8)] + strconv.Itoa(problem)
}

// spojResults are the ways in which the cell of a verdict shows it: in bold, as a link to the details,
// or plainly with what it used behind it.
var spojResults = []string{"\n\n\t<strong>SAID</strong>\n", "\n<a href=\"/error/1/\" title=\"View details.\">\n\tSAID</a>\n",
	"\n\tSAID\n<span class=\"small\"></span>\n", "SAID"}

// spojRow is a row in one of four forms: the newest has no column for the number, and some have more columns.
func spojRow(w *strings.Builder, x *row, now int64, form int) {
	code, final := spojVerdicts[x.verdict].code, 1
	if now < x.judged {
		code, final = "5", 0
	}
	number, tail, language := fmt.Sprintf("<td class=\"statustext text-center\">%d</td>\n", x.id), "", "<span>%s</span>"
	switch form {
	case 1:
		number, tail = "", `<td class="sshare"><a href="/share/">share</a></td>`
	case 2:
		number, language = fmt.Sprintf("<td class=\"statustext\"><a href=\"/status/id=%[1]d\">%[1]d</a></td>", x.id), "%s"
	}
	fmt.Fprintf(w, `<tr class="kol1">
%[9]s<td class="status_sm"><span>%[2]s</span></td>
<td class="sproblem text-center"><a href="/problems/%[3]s/" title="%[4]s">%[4]s</a></td>
<td class="statusres text-center" id="statusres_%[1]d" status="%[5]s" final="%[6]d" manual="0">%[7]s</td>
<td class="stime statustext text-center">0.02</td><td class="smemory statustext text-center">3.2M</td>
<td class="slang text-center">%[8]s</td>
%[10]s</tr>
`, x.id, time.Unix(x.at, 0).In(warsaw).Format(time.DateTime), spojCode(x.contest), html.EscapeString(title('s', uint64(x.contest))), code,
		final, strings.ReplaceAll(spojResults[form], "SAID", html.EscapeString(spojVerdict(x, now))),
		fmt.Sprintf(language, spojLanguages[x.language%len(spojLanguages)]), number, tail)
}

var spojUserPage = template.Must(template.New("user").Parse(`<!DOCTYPE html>
<html><head><title>Sphere Online Judge (SPOJ)  - User {{.Handle}}</title></head>
<body>
<ol class="navbar-right"><li><a href="/status/{{.Handle}}/">History of submissions</a></li></ol>
<div class="col-md-3" id="user-profile-left">
	<h3>{{.Name}}</h3><h4>@{{.Handle}}</h4>
	{{with .Country}}<p><i class="fa fa-map-marker"></i> {{.}}, Sampletown</p>{{end}}
	<p><i class="fa fa-trophy"></i> World Rank: #{{.Rank}} (0.6 points)</p>
	{{with .Organisation}}<p><i class="fa fa-building-o "></i> Institution: {{.}}</p>{{end}}
</div>
<dl class="dl-horizontal profile-info-data profile-info-data-stats">
	<dt><span class="fa fa-check fa-fw"></span>&nbsp;Problems solved</dt><dd>{{.Solved}}</dd>
	<dt><span class="fa fa-send fa-fw"></span>&nbsp;Solutions submitted</dt><dd>{{.Submitted}}</dd>
</dl>
</body></html>
`))

func (s *Server) spojUser(p *person, now int64) answer {
	return asPage(spojUserPage, s.archiveUser(p, "spoj", now))
}
