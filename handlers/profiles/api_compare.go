package profiles

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/profiles"
)

type apiComparison struct {
	Key        string        `json:"key"`
	A          string        `json:"a"`
	B          string        `json:"b"`
	Members    []apiCompared `json:"members"`
	Sites      []apiSolvedBy `json:"sites"`
	Days       apiActive     `json:"days"`
	Messages   int           `json:"messages"`
	Discussing int           `json:"discussions"`
}

type apiCompared struct {
	Name        string       `json:"name"`
	DisplayName string       `json:"display_name"`
	Side        string       `json:"side"`
	Solved      int          `json:"solved"`
	Submissions int          `json:"submissions"`
	Accepted    int          `json:"accepted"`
	DayStreak   int          `json:"day_streak"`
	BestStreak  int          `json:"best_day_streak"`
	ActiveDays  int          `json:"active_days"`
	Accounts    []apiCurrent `json:"accounts"`
}

type apiCurrent struct {
	Site          string     `json:"site"`
	Handle        string     `json:"handle"`
	Solved        int        `json:"solved"`
	Rating        *int       `json:"rating"`
	Best          *int       `json:"best_rating"`
	RatedAt       *time.Time `json:"rated_at"`
	CompleteUntil *time.Time `json:"complete_until"`
}

type apiSolvedBy struct {
	Site   string `json:"site"`
	First  int    `json:"first"`
	Second int    `json:"second"`
	Both   int    `json:"both"`
}

type apiActive struct {
	Of   int `json:"of"`
	Both int `json:"both"`
}

// APIComparison shows two members side by side.
func (h *Handlers) APIComparison(c echo.Context) error {
	both, err := h.comparison(c)
	if err != nil {
		return err
	}
	out := apiComparison{Key: both.Key, Sites: []apiSolvedBy{}, Days: apiActive{comparedDays, both.BothActive},
		Messages: both.Discussions.Messages, Discussing: len(both.Discussions.Discussions) + both.Discussions.More}
	for i := range both.Members {
		m := &both.Members[i]
		v := comparedView(m, h.Now())
		side := "a"
		if (i == 1) != both.Flipped {
			side = "b"
		}
		if side == "a" {
			out.A = m.Name
		} else {
			out.B = m.Name
		}
		shown := apiCompared{Name: m.Name, DisplayName: m.DisplayName, Side: side, Solved: v.Solved, Submissions: v.Submissions,
			Accepted: v.Accepted, DayStreak: v.DayStreak, BestStreak: v.BestDayStreak, ActiveDays: v.Active, Accounts: []apiCurrent{}}
		for _, a := range m.Accounts {
			shown.Accounts = append(shown.Accounts, showCurrent(&a))
		}
		out.Members = append(out.Members, shown)
	}
	for _, s := range both.Sites {
		out.Sites = append(out.Sites, apiSolvedBy(s))
	}
	return c.JSON(http.StatusOK, out)
}

func showCurrent(a *profiles.AccountRatings) apiCurrent {
	out := apiCurrent{Site: a.Site, Handle: a.Handle, Solved: a.Solved, CompleteUntil: web.UTC(a.CompleteUntil)}
	for i := range a.Ratings {
		r := &a.Ratings[i]
		if out.Best == nil || r.Rating > *out.Best {
			out.Best = &r.Rating
		}
		out.Rating, out.RatedAt = &r.Rating, web.UTC(&r.At)
	}
	return out
}

type apiSolvedProblem struct {
	Site     string    `json:"site"`
	Key      string    `json:"key"`
	Name     string    `json:"name"`
	URL      string    `json:"url"`
	SolvedAt time.Time `json:"solved_at"`
}

// APIComparedProblems lists what one of two members solved and the other did not, or
// what both did.
func (h *Handlers) APIComparedProblems(c echo.Context) error {
	limit, err := web.Limit(c)
	if err != nil {
		return err
	}
	_, _, list, next, err := h.solvedProblems(c, c.QueryParam("cursor"), limit)
	if err != nil {
		return err
	}
	return web.SendList(c, list, next.String(), func(p profiles.SolvedProblem) apiSolvedProblem {
		return apiSolvedProblem{p.Site, p.Key, p.Name, p.URL, p.At.UTC()}
	})
}
