package standin

import (
	"encoding/json"
	"html/template"
	"math"
	"net/http"
	"time"
)

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
	u := ccUser{Handle: p.Handles["codechef"], Name: s.nameOf(p, now), Country: p.country, Organisation: s.organisationOf(p, now),
		Contests: []ccContestRow{}}
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
		if x.verdict == accepted && now >= x.settled {
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
