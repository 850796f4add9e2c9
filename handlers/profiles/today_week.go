package profiles

import (
	"github.com/labstack/echo/v4"

	"laurel/views/home"
	"laurel/views/parts"
	"laurel/views/texts"
)

// aroundShown is how many rows of the board of the week are shown before one's own, and behind it.
const aroundShown = 3

func init() {
	registerCard(todayCard{key: "week", title: texts.Mark("Leaderboard this week"), place: 20, fill: (*Handlers).fillWeek})
}

func (h *Handlers) fillWeek(c echo.Context, t *today) (home.Card, error) {
	ctx := c.Request().Context()
	card := home.Card{More: parts.Link{Href: "/leaderboard?in=week", Text: texts.T(ctx, "Full leaderboard")},
		Empty: home.Nothing{Text: texts.T(ctx, "Nobody has solved anything this week yet."), Href: "/leaderboard",
			Label: texts.T(ctx, "All time")}}
	if len(t.week) > 0 {
		card.Body = home.LeadersTable(home.Leaders{Label: texts.T(ctx, "Leaderboard of this week around you"),
			Value:  texts.T(ctx, "Solved"),
			Change: true, Streak: true,
			Rows: h.Leaders(c, t.week)})
	}
	return card, nil
}
