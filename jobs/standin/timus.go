package standin

import (
	"fmt"
	"html"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

func init() {
	registerJudge(judge{
		site: timus{}, salt: 't', problems: timusProblems,
		handleOf: func(i int, _ string) string {
			if i%3 == 2 {
				return ""
			}
			return strconv.Itoa(firstAuthor + i)
		},
		stranger: func(n int) string { return strconv.Itoa(firstAuthor + 100_000_000 + n) },
		describe: func(x *row, now int64, t *Submission) {
			t.Problem, t.ProblemName = strconv.Itoa(1000+x.contest), title('m', uint64(x.contest))
			t.Verdict, t.Language = timusVerdict(x, now), timusLanguages[x.language%len(timusLanguages)]
		},
	})
}

// timus knows people by number and lists from the number of a row, in the time of
// Yekaterinburg. Who does not exist has an empty list, and a page without a name.
type timus struct{}

const (
	timusProblems = 1190
	timusMost     = 100  // Rows a page, whatever is asked: a history has several pages here.
	timusAll      = 1000 // Rows a page of everybody.
	firstAuthor   = 300001
)

func (timus) name() string            { return "timus" }
func (timus) host() string            { return "acm.timus.ru" }
func (timus) gap() time.Duration      { return time.Second }
func (timus) serves(path string) bool { return path == "/status.aspx" || path == "/author.aspx" }
func (timus) hurried(question) answer { return tooMany }

func (timus) handle(_ *Server, r *http.Request) string {
	if r.URL.Path == "/author.aspx" {
		return query(r).Get("id")
	}
	return query(r).Get("author")
}

func (timus) unknown(q question) answer {
	if q.r.URL.Path == "/status.aspx" {
		return timusList("", "")
	}
	return asHTML("<HTML><HEAD><TITLE>Author @ Timus Online Judge (sample)</TITLE></HEAD><BODY><P>Author not found</P></BODY></HTML>\n")
}

func (x timus) answer(s *Server, q question) answer {
	p, ok := s.personOf("timus", q.handle)
	now := q.now.Unix()
	switch {
	case q.r.URL.Path == "/status.aspx" && q.handle == "":
		return x.everybody(s, q)
	case !ok:
		return x.unknown(q)
	case q.r.URL.Path == "/author.aspx":
		return s.timusAuthor(p, now)
	}
	count, err := number(q, "count", 10)
	if err != nil || count < 1 {
		count = 10
	}
	from, err := number(q, "from", 0)
	if err != nil {
		from = 0
	}
	rows := s.rows(p, "timus", now)
	var table strings.Builder
	for i, n := len(rows)-1, 0; i >= 0 && n < min(count, timusMost); i-- {
		if from > 0 && rows[i].id > int64(from) {
			continue
		}
		n++
		timusRow(&table, p, &rows[i], now, s.form(p, "timus"))
	}
	return timusList(html.EscapeString(s.nameOf(p, now)), table.String())
}

func timusList(name, rows string) answer {
	return asHTML(`<HTML><HEAD><TITLE>Judge Status @ Timus Online Judge (sample)</TITLE></HEAD><BODY>
<P CLASS="status_filter">Author: ` + name + `</P>
<TABLE CLASS="status"><TR><TD COLSPAN=9 CLASS="navigation">Newest</TD></TR>
<TR><TH>ID</TH><TH>Date</TH><TH>Author</TH><TH>Problem</TH><TH>Language</TH>
<TH>Judgement result</TH><TH>Test #</TH><TH>Execution time</TH><TH>Memory used</TH></TR>
` + rows + `<TR><TD COLSPAN=9 CLASS="navigation">Next</TD></TR><TR><TD COLSPAN=9 CLASS="footer_right"></TD></TR></TABLE></BODY></HTML>
`)
}

var yekaterinburg, _ = time.LoadLocation("Asia/Yekaterinburg") // Embedded: see people.go.

var timusLanguages = []string{"G++ 13.2 x64", "Python 3.12 x64", "Java 1.8", "Rust 1.75 x64", "Go 1.14 x64", "PyPy 3.10 x64"}

var timusVerdicts = map[verdict]string{accepted: "Accepted", wrong: "Wrong answer", slow: "Time limit exceeded",
	crashed:    "Runtime error (access violation)",
	uncompiled: "Compilation error", fat: "Memory limit exceeded", other: "Output limit exceeded", skipped: "Restricted function"}

func timusVerdict(x *row, now int64) string {
	if now < x.judged {
		return "Running"
	}
	return timusVerdicts[x.verdict]
}

// timusDates are the two lines of a date.
var timusDates = []string{"<NOBR>%s</NOBR><BR><NOBR>%s</NOBR>", "%s<BR>%s", "<nobr>%s</nobr><br />\n<nobr>%s</nobr>", "%s<BR> %s"}

func timusRow(w *strings.Builder, p *person, x *row, now int64, form int) {
	at, class := time.Unix(x.at, 0).In(yekaterinburg), "verdict_rj"
	switch timusVerdict(x, now) {
	case "Accepted":
		class = "verdict_ac"
	case "Running":
		class = "verdict_wt"
	}
	date := fmt.Sprintf(timusDates[form], at.Format(time.TimeOnly), at.Format([]string{"2 Jan 2006", "02 Jan 2006"}[form/2]))
	fmt.Fprintf(w, `<TR CLASS="%[10]s"><TD CLASS="id">%[1]d</TD><TD CLASS="date">%[2]s</TD>`+
		`<TD CLASS="coder"><A HREF="author.aspx?id=%[3]s">%[4]s</A></TD>`+
		`<TD CLASS="problem"><A HREF="problem.aspx?space=1&amp;num=%[5]d">%[5]d<SPAN CLASS="problemname">. %[6]s</SPAN></A></TD>`+
		`<TD CLASS="language">%[7]s</TD><TD CLASS="%[8]s">%[9]s</TD>`+
		`<TD CLASS="test"><BR></TD><TD CLASS="runtime">0.031</TD><TD CLASS="memory">420 KB</TD></TR>
`, x.id, date, p.Handles["timus"], html.EscapeString(p.DisplayName), 1000+x.contest,
		html.EscapeString(title('m', uint64(x.contest))), timusLanguages[x.language%len(timusLanguages)], class,
		html.EscapeString(timusVerdict(x, now)), []string{"even", "odd"}[x.id%2])
}

var timusAuthorPage = template.Must(template.New("author").Parse(`<HTML>
<HEAD><TITLE>{{.Name}} @ Timus Online Judge (sample)</TITLE></HEAD><BODY>
<H2 CLASS="author_name">{{.Name}}</H2>
{{if .Solved}}<TABLE CLASS="author_stats">
<TR><TD CLASS="author_stats_name">Rank by solved problems</TD><TD CLASS="author_stats_value">{{.Rank}} out of 100000</TD></TR>
<TR><TD CLASS="author_stats_name">Problems solved</TD><TD CLASS="author_stats_value">{{.Solved}} out of 1190</TD></TR>
<TR><TD CLASS="author_stats_name">Rank by rating</TD><TD CLASS="author_stats_value">{{.Rank}} out of 100000</TD></TR>
<TR><TD CLASS="author_stats_name">Rating</TD><TD CLASS="author_stats_value">{{.Submitted}} out of 500000</TD></TR>
</TABLE>{{else}}<DIV CLASS="author_none_solved">No problems solved</DIV>{{end}}
</BODY></HTML>
`))

func (s *Server) timusAuthor(p *person, now int64) answer {
	u := s.archiveUser(p, "timus", now)
	u.Name = s.calledOn(p, "timus", now)
	u.Submitted = 100 * u.Solved // What it shows instead is a rating.
	return asPage(timusAuthorPage, u)
}

// everybody is a page of the newest rows of all people.
func (timus) everybody(s *Server, q question) answer {
	count, err := number(q, "count", 10)
	if err != nil || count < 1 {
		count = 10
	}
	now, table, n := q.now.Unix(), strings.Builder{}, 0
	for day, first := int(unixDay(now)), s.beginning("timus"); day >= first && n < min(count, timusAll); day-- {
		for _, x := range slices.Backward(s.dayOfAll("timus", day, now)) {
			if n < min(count, timusAll) {
				timusRow(&table, x.p, &x.row, now, s.form(x.p, "timus"))
				n++
			}
		}
	}
	return timusList("", table.String())
}
