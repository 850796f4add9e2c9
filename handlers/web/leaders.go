package web

import (
	"github.com/labstack/echo/v4"

	"laurel/models/standings"
	"laurel/views/home"
)

// Leaders are rows of a board as pages show them.
func (h *Base) Leaders(c echo.Context, rows []standings.Row) []home.Leader {
	list := make([]home.Leader, len(rows))
	for i, r := range rows {
		list[i] = h.Leader(c, &r)
	}
	return list
}

// Leader is a row of a board as pages show it.
func (h *Base) Leader(c echo.Context, r *standings.Row) home.Leader {
	v := h.Viewer(c)
	l := home.Leader{ID: r.MemberID, Name: r.Name, DisplayName: r.DisplayName, Custom: r.Custom, Own: v != nil && v.ID == r.MemberID,
		Rank: r.Rank, Was: r.RankWas, Value: r.Value, Solved: r.Solved, Streak: r.Streak,
		Weeks: r.Weeks}
	for _, site := range r.Incomplete {
		l.Incomplete = append(l.Incomplete, h.Site(c, site).Title)
	}
	return l
}
