package web

import (
	"time"

	"github.com/labstack/echo/v4"

	"laurel/models/follows"
	views "laurel/views/follows"
)

// FollowedDays are days of the feed as pages show them, with times in a zone.
func (h *Base) FollowedDays(c echo.Context, days []follows.Day, zone *time.Location) (list []views.Day) {
	for _, d := range days {
		v := views.Day{Solved: d.Solved, Person: views.Person{ID: d.ID, Name: d.Name, DisplayName: d.DisplayName, At: d.At.In(zone)}}
		for _, p := range d.Problems {
			v.Problems = append(v.Problems, views.Problem{Name: h.followedProblem(c, p), Site: p.Site, Key: p.Key})
		}
		for _, a := range d.Awards {
			v.Awards = append(v.Awards, views.Award{Title: a.Title, Level: a.Called, Slug: a.Slug})
		}
		list = append(list, v)
	}
	return list
}

// followedProblem is a problem as people call it.
func (h *Base) followedProblem(c echo.Context, p follows.Problem) string {
	switch {
	case p.Name == "":
		return p.Key
	case h.Site(c, p.Site).KeyInName:
		return p.Key + " " + p.Name
	}
	return p.Name
}
