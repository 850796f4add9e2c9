package profiles

import (
	"cmp"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/profiles"
)

type apiLeader struct {
	Name        string `json:"name"`
	DisplayName string `json:"display_name"`
	Custom      bool   `json:"custom"`
	Rank        int    `json:"rank"`
	Solved      int    `json:"solved"`
	Submissions int    `json:"submissions"`
	Accepted    int    `json:"accepted"`
}

// APILeaderboard lists the members by solved problems.
func (h *Handlers) APILeaderboard(c echo.Context) error {
	limit, err := web.Limit(c)
	if err != nil {
		return err
	}
	leaders, next, err := profiles.Leaderboard(c.Request().Context(), h.DB.DB, cmp.Or(c.QueryParam("scope"), "all"), c.QueryParam("cursor"),
		limit, h.Now())
	if err != nil {
		return err
	}
	return web.SendList(c, leaders, next, func(l profiles.Leader) apiLeader {
		return apiLeader{l.Name, l.DisplayName, l.Custom, l.Rank, l.Solved, l.Submissions, l.Accepted}
	})
}
