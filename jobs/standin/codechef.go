package standin

import (
	"encoding/json"
	"fmt"
	"html"
	"html/template"
	"math"
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
			t.At = t.At.Truncate(time.Minute) // It shows no seconds.
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
	return path == "/recent/user" || path == ccProblemsListed
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
	switch q.r.URL.Path {
	case ccListed:
		return ccContestList(s, q)
	case ccProblemsListed:
		return ccProblemList(q)
	}
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
		ccRow(&table, p, &rows[i], ccForm{now, s.form(p, "codechef"), s.o.Ago, s.o.AgoDays})
	}
	a := ccList(pages, table.String())
	if s.form(p, "codechef") == 3 { // Numbers may be texts.
		a.body = []byte(strings.Replace(string(a.body), fmt.Sprintf(`"max_page":%d`, pages), fmt.Sprintf(`"max_page":"%d"`, pages), 1))
	}
	return a
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
	if now < x.judged {
		return "running.."
	}
	return ccVerdicts[x.verdict]
}

// ccNumbered says whether the number is shown: not while the contest runs, and of
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

// A ccForm is how rows are shown: in one of four ways, and of the last day or days only how long ago they were made.
type ccForm struct {
	now       int64
	form      int
	ago, days bool
}

// ccAgo is how long ago something was, in whole units: "1 hours ago" or "an hour ago".
func ccAgo(was int64, form int) string {
	unit, name := int64(1), []string{"sec", "second"}[form%2]
	switch {
	case was >= 86400:
		unit, name = 86400, "day"
	case was >= 3600:
		unit, name = 3600, "hour"
	case was >= 60:
		unit, name = 60, []string{"min", "minute"}[form%2]
	}
	switch n := was / unit; {
	case n == 1 && form == 1 && name == "hour":
		return "an hour ago"
	case n == 1 && form == 1:
		return "a " + name + " ago"
	case form == 2 || name == "hour" && form == 0:
		return fmt.Sprintf("%d %ss ago", n, name)
	default:
		return fmt.Sprintf("%d %s ago", n, name)
	}
}

// ccScore is what is shown below an accepted row.
func ccScore(x *row) string {
	switch {
	case x.verdict == other:
		return "(40)"
	case x.mode == contestant:
		return "(100)"
	}
	return ""
}

func ccRow(w *strings.Builder, p *person, x *row, f ccForm) {
	now, layout := f.now, []string{"03:04 PM 02/01/06", "03:04 PM 02/01/2006", "03:04 PM 02/01/06", "3:04 PM 02/01/06"}[f.form]
	at, code, word, score := time.Unix(x.at, 0).In(kolkata).Format(layout), ccCode(x.contest, x.letter), ccVerdict(x, now), ""
	href := "/problems/" + code
	if x.mode == contestant {
		href = "/" + ccContest(x.contest, p) + href
	}
	if word == "accepted" {
		score = ccScore(x)
	}
	shown := at // What people read; what the title says is for whoever points at it.
	if was := now - x.at; was < 3600 || (f.ago || f.form > 0) && was < 86400 || (f.days || f.form > 1) && was < 4*86400 {
		shown = ccAgo(was, f.form)
		if f.ago && was < 86400 || f.days {
			at = shown
		}
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

// A ccUser is what CodeChef's page of a person shows.
type ccUser struct {
	Handle, Name, Country, Organisation string
	Rating, Best, Rank, Solved          int
	Contests                            []ccContestRow
}

// A ccContestRow is a rated contest in the page's script, which mixes numbers and texts.
type ccContestRow struct {
	Code    string `json:"code"`
	Name    string `json:"name"`
	EndDate string `json:"end_date"`
	Rank    any    `json:"rank"`
	Rating  string `json:"rating"`
}

func (s *Server) ccUser(p *person, now int64) ccUser {
	u := ccUser{Handle: p.Handles["codechef"], Name: s.nameOf(p, now), Country: p.country,
		Organisation: s.organisationOf(p, "codechef", now),
		Contests:     []ccContestRow{}}
	c := ccContests
	for i, e := range s.entries(p, "codechef", now) {
		u.Rating, u.Best = e.new, max(u.Best, e.new)
		r := ccContestRow{Code: ccContest(e.number, p), Name: "Sample Starters " + asDigits(e.number+1), Rank: e.rank,
			Rating: asDigits(e.new), EndDate: time.Unix(c.end(e.number), 0).In(kolkata).Format(time.DateTime)}
		if i%2 == 1 {
			r.Rank = asDigits(e.rank)
		}
		u.Contests = append(u.Contests, r)
	}
	if u.Rating > 0 {
		u.Rank = int(90000*math.Exp(-float64(u.Rating)/500)) + 1
	}
	solved := map[string]bool{}
	for _, x := range s.rows(p, "codechef", now) {
		if x.verdict == accepted && now >= x.judged {
			solved[ccCode(x.contest, x.letter)] = true
		}
	}
	u.Solved = len(solved)
	return u
}

func asDigits(n int) string { return string(asJSON(http.StatusOK, n).body) }

// Stars are those of the rating.
func (u ccUser) Stars() []int {
	n := 1
	for _, from := range []int{1400, 1600, 1800, 2000, 2200, 2500} {
		if u.Rating >= from {
			n++
		}
	}
	return make([]int, n)
}

// Place is the rank with commas.
func (u ccUser) Place() string {
	text := asDigits(u.Rank)
	if len(text) > 3 {
		return text[:len(text)-3] + "," + text[len(text)-3:]
	}
	return text
}

// Script is the list of contests as the page has it.
func (u ccUser) Script() template.JS {
	text, err := json.Marshal(u.Contests)
	if err != nil {
		return "null"
	}
	return template.JS("var all_rating = " + string(text) + ";")
}

var ccUserPage = template.Must(template.New("user").Parse(`<!DOCTYPE html>
<html>
<head><title>{{.Handle}} | CodeChef user profile (sample)</title><meta charset="utf-8"></head>
<body>
<section class="user-details"><div class="user-details-container plr10">
	<header><h1 class="h2-style">{{.Name}}</h1></header>
	<ul class="side-nav">
		<li><label>Username:</label><span class="m-username--link">{{.Handle}}</span></li>
		{{with .Country}}<li><label>Country:</label><span><span class="user-country-name">{{.}}</span></span></li>{{end}}
		{{with .Organisation}}<li><label>Institution:</label><span>{{.}}</span></li>{{end}}
	</ul>
</div></section>
<aside>
	{{if .Rating}}<div class="widget-rating"><div class="rating-header text-center">
		<div class="rating-number">{{.Rating}}</div>
		<div class="rating-star">{{range .Stars}}<span>★</span>{{end}}</div>
		<small>(Highest Rating {{.Best}})</small>
	</div>
	<div class="rating-ranks"><ul class="inline-list">
		<li><a href="/ratings/all"><strong>{{.Place}}</strong></a> Global Rank</li></ul></div></div>{{end}}
</aside>
<section class="rating-data-section problems-solved"><h3>Total Problems Solved: {{.Solved}}</h3></section>
<script>{{.Script}}</script>
</body>
</html>
`))

func (u ccUser) page() answer { return asPage(ccUserPage, u) }

const ccListed = "/api/list/contests/all"

// ccContestList is contests that come, and the last ones that were.
func ccContestList(s *Server, q question) answer {
	of := func(from, to int) []map[string]any {
		list := []map[string]any{}
		for n := max(from, 0); n < to; n++ {
			iso := func(unix int64) string { return time.Unix(unix, 0).In(kolkata).Format(time.RFC3339) }
			code, name := fmt.Sprintf("SAMPLE%d", n+1), fmt.Sprintf("Sample Starters %d", n+1)
			list = append(list, map[string]any{"contest_code": code, "contest_name": name,
				"contest_start_date_iso": iso(ccContests.start(n)), "contest_end_date_iso": iso(ccContests.end(n)),
				"contest_duration": "60", "distinct_users": int(uint64(s.o.Seed) % 1000)})
		}
		return list
	}
	ended := ccContests.ended(q.now.Unix())
	return asJSON(http.StatusOK, map[string]any{"status": "success", "present_contests": []any{}, "future_contests": of(ended, ended+3),
		"past_contests": of(ended-20, ended)})
}
