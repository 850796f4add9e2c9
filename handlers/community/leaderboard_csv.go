package community

import (
	"fmt"
	"strings"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/standings"
)

// boardPage is the part of a board that is asked for: of everybody whom the viewer may see, or of those whom they follow.
func (h *Handlers) boardPage(c echo.Context, b standings.Board, limit int) (p standings.Page, err error) {
	ctx, cursor := c.Request().Context(), c.QueryParam("cursor")
	followed, err := h.ofFollowed(c)
	switch {
	case err != nil:
		return p, err
	case followed:
		p, _, err = standings.FollowedOf(ctx, h.DB.DB, b, h.Viewer(c).ID, cursor, limit)
		return p, err
	}
	return standings.PageOf(ctx, h.DB.DB, b, cursor, limit, h.Now())
}

// sendBoard answers with the rows of a page as CSV, as the API names their fields; a header leads to the next ones.
func sendBoard(c echo.Context, b standings.Board, p standings.Page) error {
	s := web.Sheet{Name: "leaderboard-" + strings.ReplaceAll(b.Key(), ":", "-"), Head: []string{"rank", "name", "display_name", "value",
		"solved", "submissions", "accepted", "streak", "rank_week_ago", "incomplete", "weeks"}}
	for _, r := range p.Rows {
		l := leaderOf(b)(r)
		var was any
		if l.RankWas != nil {
			was = *l.RankWas
		}
		s.Rows = append(s.Rows, []any{l.Rank, l.Name, l.DisplayName, l.Value, l.Solved, l.Submissions, l.Accepted, l.Streak, was,
			strings.Join(l.Incomplete, " "), strings.Trim(fmt.Sprint(l.Weeks), "[]")})
	}
	if p.Next != "" {
		query := c.QueryParams()
		query.Set("cursor", p.Next)
		c.Response().Header().Set("Link", "<"+web.WithQuery(c.Request().URL.EscapedPath(), query)+`>; rel="next"`)
	}
	return s.SendCSV(c)
}
