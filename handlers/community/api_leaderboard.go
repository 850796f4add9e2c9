package community

import (
	"cmp"
	"fmt"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/standings"
)

type apiLeader struct {
	Name        string   `json:"name"`
	DisplayName string   `json:"display_name"`
	Custom      bool     `json:"custom"`
	Rank        int      `json:"rank"`
	RankWas     *int     `json:"rank_week_ago"`
	Value       int      `json:"value"`
	Solved      int      `json:"solved"`
	Submissions int      `json:"submissions"`
	Accepted    int      `json:"accepted"`
	Streak      int      `json:"streak"`
	Incomplete  []string `json:"incomplete"`
	Weeks       []int    `json:"weeks"`
}

func leaderOf(b standings.Board) func(standings.Row) apiLeader {
	return func(r standings.Row) apiLeader {
		l := apiLeader{Name: r.Name, DisplayName: r.DisplayName, Custom: r.Custom, Rank: r.Rank, Value: r.Value, Solved: r.Solved,
			Submissions: r.Submissions, Accepted: r.Accepted, Streak: r.Streak, Incomplete: r.Incomplete, Weeks: r.Weeks}
		if b.By == "solved" {
			l.Solved = r.Value // In the period.
		}
		if r.RankWas > 0 {
			l.RankWas = &r.RankWas
		}
		if l.Incomplete == nil {
			l.Incomplete = []string{}
		}
		return l
	}
}

// APILeaderboard lists the members of a board: scope is the former name of some periods.
func (h *Handlers) APILeaderboard(c echo.Context) error {
	limit, err := web.Limit(c)
	if err != nil {
		return err
	}
	scope := c.QueryParam("scope")
	if scope != "" && scope != "all" && scope != "month" && scope != "week" {
		return &pg.InputError{Field: "scope", Message: fmt.Sprintf("no scope is named %q; use all, month or week", pg.CleanText(scope))}
	}
	b, err := standings.NewBoard(c.QueryParam("by"), cmp.Or(c.QueryParam("in"), scope))
	if err != nil {
		return err
	}
	csv, err := web.WantsFormat(c, c.QueryParam("format"), "csv", "text/csv")
	if err != nil {
		return err
	}
	p, err := h.boardPage(c, b, limit)
	if err != nil {
		return err
	}
	if csv {
		return sendBoard(c, b, p)
	}
	return web.SendList(c, p.Rows, p.Next, leaderOf(b))
}
