package standin

import (
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"time"
)

// An atUser is what AtCoder's page of a person shows.
type atUser struct {
	Handle, Country, Organisation string
	Rating, Best, Rank, Matches   int // Matches is 0 for who has no rating, Rank where it is not known.
	Last                          string
}

// atUser is a person now. The list of all ratings is longer than this world: a
// place in it follows from the rating, and falls a little with every contest,
// whose ratings lift others.
func (s *Server) atUser(p *person, now int64) atUser {
	u := atUser{Handle: p.Handles["atcoder"], Country: p.country, Organisation: s.organisationOf(p, "atcoder", now)}
	for _, e := range s.entries(p, "atcoder", now) {
		u.add(e.new, time.Unix(atContests.end(e.number), 0))
	}
	if u.Matches > 0 {
		u.Rank = int(120000*math.Exp(-float64(u.Rating)/420)) + 5*atContests.ended(now-ratingDelay) + 1
	}
	return u
}

// add is one more rated contest.
func (u *atUser) add(rating int, end time.Time) {
	u.Rating, u.Best, u.Matches, u.Last = rating, max(u.Best, rating), u.Matches+1, end.In(tokyo).Format("2006/01/02")
}

// user is what follows from the recorded contests; nothing else is recorded.
func (p *atRecording) user(handle string) atUser {
	u := atUser{Handle: handle}
	var contests []atContest
	if json.Unmarshal(p.history, &contests) != nil {
		return u
	}
	for _, c := range contests {
		end, err := time.Parse(time.RFC3339, c.End)
		if err == nil && c.Rated {
			u.add(c.New, end)
		}
	}
	return u
}

// Title is the class that the highest rating gives: 10 to 1 Kyu, and Dan from 2,000 on.
func (u atUser) Title() string {
	switch {
	case u.Matches == 0:
		return ""
	case u.Best < 2000:
		return fmt.Sprintf("%d Kyu", 10-u.Best/200)
	}
	return fmt.Sprintf("%d Dan", u.Best/200-9)
}

// Place is the rank as the page writes it: 1st, 22nd, 113th.
func (u atUser) Place() string {
	ending := "th"
	if u.Rank/10%10 != 1 {
		switch u.Rank % 10 {
		case 1:
			ending = "st"
		case 2:
			ending = "nd"
		case 3:
			ending = "rd"
		}
	}
	return fmt.Sprint(u.Rank, ending)
}

var atUserPage = template.Must(template.New("user").Parse(`<!DOCTYPE html>
<html>
<head><title>{{.Handle}} - AtCoder</title><meta charset="utf-8"></head>
<body>
<div id="main-container" class="container"><div class="row">
	<div class="col-md-3 col-sm-12">
		<h3>
			{{with .Title}}<b>{{.}}</b><br>{{end}}
			<a href="/users/{{.Handle}}" class="username"><span>{{.Handle}}</span></a>
		</h3>
		<table class="dl-table">
			{{with .Country}}<tr><th class="no-break">Country/Region</th><td>{{.}}</td></tr>{{end}}
			{{with .Organisation}}<tr><th class="no-break">Affiliation</th><td class="break-all">{{.}}</td></tr>{{end}}
		</table>
	</div>
	<div class="col-md-9 col-sm-12">
		<h3>Contest Status</h3>
		<hr>
		{{if .Matches}}<table class="dl-table mt-2">
			{{if .Rank}}<tr><th class="no-break">Rank</th><td>{{.Place}}</td></tr>{{end}}
			<tr><th class="no-break">Rating</th><td><span>{{.Rating}}</span>
				</td></tr>
			<tr><th class="no-break">Highest Rating</th><td><span>{{.Best}}</span>
				<span class="gray">―</span>
				<span class="bold">{{.Title}}</span></td></tr>
			<tr><th class="no-break">Rated Matches <span class="glyphicon"></span></th><td>{{.Matches}}</td></tr>
			<tr><th class="no-break">Last Competed</th><td>{{.Last}}</td></tr>
		</table>{{else}}<p>This user has not competed in a rated contest yet.</p>{{end}}
	</div>
</div></div>
</body>
</html>
`))

func (u atUser) page() answer { return asPage(atUserPage, u) }
