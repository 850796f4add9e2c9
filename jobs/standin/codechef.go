package standin

import (
	"fmt"
	"html"
	"net/http"
	"strings"
	"time"
)

// 20:00 in India.
var ccContests = calendar{first: 16000, every: 7, opens: 14*3600 + 30*60, lasts: 2 * 3600, letters: 8}

func init() {
	registerJudge(judge{
		site: codechef{}, salt: 'C', contests: ccContests, anyCase: true,
		rarely: 4, // Its pages are small, and a test has no time for hundreds.
		handleOf: func(i int, _ string) string {
			if i%4 == 3 {
				return ""
			}
			return fmt.Sprintf("sample_cook%d", i)
		},
		describe: func(x *row, now int64, t *Submission) {
			t.At = t.At.Truncate(time.Minute) // It tells no seconds.
			t.Problem, t.ProblemName = ccCode(x.contest, x.letter), ccCode(x.contest, x.letter)
			t.Verdict, t.Language, t.Unnumbered = ccVerdict(x, now), ccLanguages[x.language%len(ccLanguages)], !ccNumbered(x, now)
		},
	})
}

// codechef is pages of a table in JSON, to the minute and in Indian time, and a
// user's page with its numbers in a script. Who does not exist has an empty table,
// and a page that leads to the front page.
type codechef struct{}

const ccPage = 12 // Rows a page.

func (codechef) name() string       { return "codechef" }
func (codechef) host() string       { return "codechef.com" }
func (codechef) gap() time.Duration { return time.Second }
func (codechef) serves(path string) bool {
	return path == "/recent/user"
}

func (codechef) handle(_ *Server, r *http.Request) string {
	if rest, ok := strings.CutPrefix(r.URL.Path, "/users/"); ok {
		return strings.TrimSuffix(rest, "/")
	}
	return query(r).Get("user_handle")
}

func (codechef) hurried(question) answer { return tooMany }

func (codechef) unknown(q question) answer {
	switch {
	case q.r.URL.Path == "/recent/user":
		return ccList(0, "<tr><td colspan='5'>No Recent Activity</td></tr>")
	case strings.HasPrefix(q.r.URL.Path, "/users/"):
		return answer{status: http.StatusFound, typ: "text/html", header: http.Header{"Location": {"/"}}}
	case q.r.URL.Path == "/":
		return answer{status: http.StatusOK, typ: "text/html; charset=utf-8",
			body: []byte("<!DOCTYPE html><html><head><title>CodeChef (sample)</title></head><body><h1>Practice and " +
				"compete</h1></body></html>\n")}
	}
	return nothing
}

func (c codechef) answer(s *Server, q question) answer {
	p, ok := s.personOf("codechef", q.handle)
	switch {
	case !ok:
		return c.unknown(q)
	case q.r.URL.Path == "/recent/user":
		return c.recent(s, q, p)
	case strings.HasPrefix(q.r.URL.Path, "/users/"):
		return s.ccUser(p, q.now.Unix()).page()
	}
	return nothing
}

// recent is one page, newest first; beyond the last one the table is empty.
func (codechef) recent(s *Server, q question, p *person) answer {
	n, err := number(q, "page", 0)
	if err != nil || n < 0 {
		n = 0
	}
	now := q.now.Unix()
	rows := s.rows(p, "codechef", now)
	pages := (len(rows) + ccPage - 1) / ccPage
	var table strings.Builder
	for i := len(rows) - 1 - n*ccPage; i >= 0 && i >= len(rows)-(n+1)*ccPage; i-- {
		ccRow(&table, p, &rows[i], now, s.o.Ago)
	}
	return ccList(pages, table.String())
}

func ccList(pages int, rows string) answer {
	return asJSON(http.StatusOK, map[string]any{"max_page": pages,
		"content": "<table class='dataTable'><thead><tr><th>Time</th><th>Problem</th><th>Result</th>" +
			"<th>Lang</th><th>Solution</th></tr></thead><tbody>" + rows + "</tbody></table>"})
}

var kolkata = time.FixedZone("IST", 5*3600+1800)

var ccLanguages = []string{"C++17", "PYTH 3", "JAVA", "C", "PYPY3", "ADA"}

var ccVerdicts = map[verdict]string{accepted: "accepted", wrong: "wrong answer", slow: "time limit exceeded",
	crashed:    "runtime error(SIGSEGV)",
	uncompiled: "compilation error", fat: "memory limit exceeded", other: "accepted", skipped: "internal error"}

func ccVerdict(x *row, now int64) string {
	if now < x.settled {
		return "running.."
	}
	return ccVerdicts[x.verdict]
}

// ccNumbered tells whether the number is shown: not while the contest runs, and of
// some rows never.
func ccNumbered(x *row, now int64) bool {
	return mix(uint64(x.id), 'n')%40 != 0 && (x.mode != contestant || now >= ccContests.end(x.contest))
}

func ccContest(number int, p *person) string {
	return fmt.Sprintf("START%d%c", number+1, 'D'-rune(min(p.skill/600, 3)))
}

// ccCode is the code of a problem, made of its name.
func ccCode(number, letter int) string {
	adjective, thing, _ := strings.Cut(title('h', uint64(number), uint64(letter)), " ")
	return strings.ToUpper(adjective[:3] + thing[:3] + fmt.Sprint(number*8+letter))
}

func ccRow(w *strings.Builder, p *person, x *row, now int64, ago bool) {
	at, code, word, score := time.Unix(x.at, 0).In(kolkata).Format("03:04 PM 02/01/06"), ccCode(x.contest, x.letter), ccVerdict(x, now), ""
	href := "/problems/" + code
	if x.mode == contestant {
		href = "/" + ccContest(x.contest, p) + href
	}
	switch {
	case word != "accepted":
	case x.verdict == other:
		score = "(40)"
	case x.mode == contestant:
		score = "(100)"
	}
	shown := at
	switch was := now - x.at; { // What people read; what the title says is for whoever points at it.
	case was < 60:
		shown = fmt.Sprint(was, " sec ago")
	case was < 3600:
		shown = fmt.Sprint(was/60, " min ago")
	case ago && was < 86400:
		shown = fmt.Sprint(was/3600, " hours ago")
	}
	if ago {
		at = shown
	}
	language := html.EscapeString(ccLanguages[x.language%len(ccLanguages)])
	fmt.Fprintf(w, `<tr >
  <td  title='%s'><span class='tooltips'><i class='fa fa-clock-o'></i><span class='tooltiptext'>%s</span></span></td>
  <td  title='%s'><a href='%s' title='' target='_blank'>%[3]s</a></td>
  <td  title='%[5]s'><span title='%s' style='display: flex;'>
    <img src='/misc/icon.gif' alt='status icon'><span>%[5]s</span><span></span></span></td>
  <td  title='%[7]s'>%[7]s</td>
`, at, shown, code, href, score, word, language)
	if ccNumbered(x, now) {
		fmt.Fprintf(w,
			"  <td class=\"centered\" title='View'><a class='centered' href='/viewsolution/%d' target='_blank'>View</a></td>\n</tr>\n",
			x.id)
	} else {
		w.WriteString("  <td class=\"centered\"></td>\n</tr>\n")
	}
}
