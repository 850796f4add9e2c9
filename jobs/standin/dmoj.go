package standin

import (
	"fmt"
	"html/template"
	"maps"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Every second Saturday, 18:00 UTC.
var dmContests = calendar{first: 16172, every: 14, opens: 18 * 3600, lasts: 3 * 3600, letters: 6}

func init() {
	registerJudge(judge{
		site: dmoj{}, salt: 'd', contests: dmContests, anyCase: true,
		handleOf: func(i int, name string) string {
			if i%4 == 2 {
				return ""
			}
			return strings.ReplaceAll(name, "-", "_")
		},
		mode: func(_ *person, draw int) mode {
			if draw >= 90 {
				return virtual
			}
			return practice
		},
		describe: func(x *row, now int64, t *Submission) {
			t.At = dmTime(x)
			t.Problem, t.ProblemName = dmCode(x.contest, x.letter), title('d', uint64(x.contest), uint64(x.letter))
			t.Language = dmLanguages[x.language%len(dmLanguages)]
			if result := dmResult(x, now); result != nil {
				t.Verdict = *result
			}
		},
	})
}

// dmoj is a host that runs DMOJ: JSON in an envelope, lists in pages, oldest first. Hosts differ in what they
// were set to and how old they are.
type dmoj struct{}

const (
	dmAPI  = "/api/v2/"
	dmUser = "/user/" // A page.
)

func (dmoj) name() string       { return "dmoj" }
func (dmoj) host() string       { return "dmoj.ca" }
func (dmoj) gap() time.Duration { return time.Second }
func (dmoj) serves(path string) bool {
	return strings.HasPrefix(path, dmAPI) || strings.HasPrefix(path, dmUser)
}
func (dmoj) hurried(question) answer { return tooMany }
func (dmoj) unknown(q question) answer {
	if q.r.URL.Path == dmAPI+"submissions" {
		return dmData(q, map[string]any{"current_object_count": 0, "objects_per_page": 1000, "page_index": 1, "total_pages": 1,
			"total_objects": 0, "has_more": false, "objects": []any{}})
	}
	if strings.HasPrefix(q.r.URL.Path, dmUser) {
		return answer{status: http.StatusNotFound, typ: "text/html", body: []byte("<!DOCTYPE html><html><body>No such user</body></html>")}
	}
	return dmError(q, http.StatusNotFound, "page/object not found")
}

func (dmoj) handle(_ *Server, r *http.Request) string {
	if name, ok := strings.CutPrefix(r.URL.Path, dmAPI+"user/"); ok {
		return name
	}
	if name, ok := strings.CutPrefix(r.URL.Path, dmUser); ok {
		return name
	}
	return query(r).Get("user")
}

// A dmHost is what a host was set to.
type dmHost struct {
	page int  // Objects a page.
	old  bool // It does not choose contests by their keys, and knows neither has_more nor the contest of a row.
	last bool // It knows the word "last" for a page.
	zone *time.Location
}

func (s *Server) dmHost() dmHost {
	if s.o.Plain {
		return dmHost{1000, false, true, time.UTC}
	}
	r := rnd(mix(uint64(s.o.Seed), 'd', 'm'))
	return dmHost{[]int{1000, 100, 250}[r.upTo(3)], r.percent(40), r.percent(60),
		[]*time.Location{time.UTC, time.UTC, time.FixedZone("", 7*3600)}[r.upTo(3)]}
}

func (d dmoj) answer(s *Server, q question) answer {
	if s.o.Token != "" && q.r.Header.Get("Authorization") != "Bearer "+s.o.Token {
		if q.r.Header.Get("Authorization") != "" {
			return answer{status: http.StatusUnauthorized, typ: "text/plain", body: []byte("Invalid token")}
		}
		return dmError(q, http.StatusForbidden, "login required")
	}
	switch what := strings.TrimPrefix(q.r.URL.Path, dmAPI); what {
	case "problems":
		return s.dmPage(q, s.dmProblems(q.now.Unix()))
	case "contests":
		return s.dmPage(q, s.dmContestList(q))
	case "submissions":
		p, ok := s.personOf("dmoj", q.handle)
		if !ok {
			return d.unknown(q)
		}
		return s.dmPage(q, s.dmRows(p, q.now.Unix()))
	}
	p, ok := s.personOf("dmoj", q.handle)
	if !ok {
		return d.unknown(q)
	}
	if strings.HasPrefix(q.r.URL.Path, dmUser) {
		about, _ := s.written(p, "dmoj")
		return asPage(dmAbout, archiveUser{Handle: p.Handles["dmoj"], Name: about})
	}
	return dmData(q, map[string]any{"object": s.dmUser(p, q.now.Unix())})
}

// dmAbout is the page about somebody, with what they say of themselves.
var dmAbout = template.Must(template.New("about").Parse(`<!DOCTYPE html><html><head><title>User {{.Handle}} - DMOJ (sample)</title></head>
<body><div class="user-info-page"><div class="user-sidebar"><b>{{.Handle}}</b></div><div class="user-content">
<div class="content-description">{{if .Name}}<h4>About</h4><p>{{.Name}}</p>{{else}}
<i>This user has not shared any information.</i><br>{{end}}
</div></div></div></body></html>
`))

func dmEnvelope(q question, status int, key string, v any) answer {
	return asJSON(status, map[string]any{"api_version": "2.0", "method": "get",
		"fetched": q.now.UTC().Format("2006-01-02T15:04:05.000000-07:00"), key: v})
}

func dmData(q question, v any) answer { return dmEnvelope(q, http.StatusOK, "data", v) }

func dmError(q question, status int, message string) answer {
	return dmEnvelope(q, status, "error", map[string]any{"code": status, "message": message})
}

// dmPage is the page of a list that is asked for.
func (s *Server) dmPage(q question, all []any) answer {
	h := s.dmHost()
	pages := max(1, (len(all)+h.page-1)/h.page)
	n, err := number(q, "page", 1)
	if h.last && query(q.r).Get("page") == "last" {
		n, err = pages, nil
	}
	if err != nil || n < 1 || n > pages {
		return dmError(q, http.StatusNotFound, "page/object not found")
	}
	shown := all[(n-1)*h.page : min(n*h.page, len(all))]
	data := map[string]any{"current_object_count": len(shown), "objects_per_page": h.page, "page_index": n, "total_pages": pages,
		"total_objects": len(all), "objects": append([]any{}, shown...)}
	if !h.old {
		data["has_more"] = n < pages
	}
	return dmData(q, data)
}

var dmLanguages = []string{"CPP20", "PY3", "JAVA", "GO", "RUST", "PYPY3"}

var dmVerdicts = map[verdict]string{accepted: "AC", wrong: "WA", slow: "TLE", crashed: "RTE", uncompiled: "CE", fat: "MLE", other: "OLE",
	skipped: "IE"}

// dmResult is nil while a row is judged.
func dmResult(x *row, now int64) *string {
	if now < x.judged {
		return nil
	}
	said := dmVerdicts[x.verdict]
	if said == "RTE" && x.id%3 == 0 {
		said = "IR"
	}
	return &said
}

// dmTime is to the microsecond.
func dmTime(x *row) time.Time {
	return utc(x.at).Add(time.Duration(mix(uint64(x.id), 'd')%1e6) * time.Microsecond)
}

func dmISO(at time.Time, h dmHost) string {
	return at.In(h.zone).Format("2006-01-02T15:04:05.999999-07:00")
}

func dmKey(number int) string { return fmt.Sprintf("sac%d", number+1) }

func dmCode(number, letter int) string { return fmt.Sprintf("%sp%d", dmKey(number), letter+1) }

func dmPoints(letter int) float64 { return []float64{3, 5, 7, 10, 15, 20.5}[letter%6] }

func (s *Server) dmRows(p *person, now int64) (all []any) {
	h := s.dmHost()
	rows := s.rows(p, "dmoj", now)
	for i := range rows {
		x := &rows[i]
		y := map[string]any{"id": x.id, "problem": dmCode(x.contest, x.letter), "user": p.Handles["dmoj"], "date": dmISO(dmTime(x), h),
			"language": dmLanguages[x.language%len(dmLanguages)], "time": 0.25, "memory": 7340.0, "points": nil, "result": dmResult(x, now)}
		switch {
		case now < x.judged:
			y["time"], y["memory"] = nil, nil
		case x.verdict == accepted:
			y["points"] = dmPoints(x.letter)
		default:
			y["points"] = dmPoints(x.letter) * float64(x.id%4) / 10
		}
		if !h.old {
			y["contest"] = dmPart(x)
		}
		all = append(all, y)
	}
	return all
}

// dmPart is how somebody took part, nil for a problem that is solved for itself.
func dmPart(x *row) any {
	number := 0
	switch x.mode {
	case contestant:
	case virtual:
		number = 1 + int(x.id%3)
	default:
		return nil
	}
	return map[string]any{"key": dmKey(x.contest), "points": dmPoints(x.letter), "virtual_participation_number": number,
		"time_since_start_of_participation": "P0DT00H41M07S"}
}

func (s *Server) dmUser(p *person, now int64) map[string]any {
	solved := map[string]bool{}
	for _, x := range s.rows(p, "dmoj", now) {
		if x.verdict == accepted && now >= x.judged {
			solved[dmCode(x.contest, x.letter)] = true
		}
	}
	var rating *int
	contests := []any{}
	for i, e := range s.entries(p, "dmoj", now) {
		if i%4 == 1 { // In one that nobody was rated in, too.
			contests = append(contests, map[string]any{"key": "open" + fmt.Sprint(e.number), "score": 3.0, "cumulative_time": 61,
				"rating": nil, "raw_rating": nil, "performance": nil})
		}
		rating = &e.new
		contests = append(contests, map[string]any{"key": dmKey(e.number), "score": 12.5, "cumulative_time": 4711, "rating": e.new,
			"raw_rating": float64(e.new) + 0.25, "performance": e.new + 31})
	}
	return map[string]any{"id": p.Index + 1, "username": p.Handles["dmoj"], "points": 1.5 * float64(len(solved)), "performance_points": 2.5,
		"problem_count": len(solved), "solved_problems": append([]string{}, slices.Sorted(maps.Keys(solved))...), "rank": "user",
		"rating": rating, "organizations": []int{}, "contests": contests}
}

// dmContestList are contests that are over, and the next two.
func (s *Server) dmContestList(q question) (all []any) {
	h, chosen := s.dmHost(), query(q.r)["key"]
	for number := range dmContests.ended(q.now.Unix()) + 2 {
		if key := dmKey(number); len(chosen) == 0 || h.old || slices.Contains(chosen, key) {
			all = append(all, map[string]any{"key": key, "name": fmt.Sprintf("Sample Autumn Contest %d", number+1),
				"start_time": dmISO(utc(dmContests.start(number)), h), "end_time": dmISO(utc(dmContests.end(number)), h),
				"time_limit": nil, "is_rated": true, "rate_all": false, "tags": []string{"sample"}})
		}
	}
	return all
}

// dmProblems are the problems of contests that are over.
func (s *Server) dmProblems(now int64) (all []any) {
	for number := range dmContests.ended(now) {
		for letter := range dmContests.letters {
			points := dmPoints(letter)
			all = append(all, map[string]any{"code": dmCode(number, letter), "name": title('d', uint64(number), uint64(letter)),
				"types": []string{topics[(number+letter)%len(topics)]}, "group": "Samples", "points": points,
				"partial": points == math.Floor(points), "is_organization_private": false, "is_public": true})
		}
	}
	return all
}
