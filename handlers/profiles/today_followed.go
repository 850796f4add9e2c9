package profiles

import (
	"github.com/labstack/echo/v4"

	pg "laurel/models/db"
	"laurel/models/follows"
	followviews "laurel/views/follows"
	"laurel/views/home"
	"laurel/views/parts"
	"laurel/views/texts"
)

// followedShown is how many days of people whom the member follows are shown.
const followedShown = 5

func init() {
	registerCard(todayCard{key: "followed", title: texts.Mark("What people I follow did"), place: 15, fill: fillFollowed})
}

func fillFollowed(h *Handlers, c echo.Context, t *today) (home.Card, error) {
	ctx := c.Request().Context()
	card := home.Card{More: parts.Link{Href: "/feed", Text: texts.T(ctx, "Everything")},
		Empty: home.Nothing{Text: texts.T(ctx, "Follow people to see here what they solve and earn."), Href: "/leaderboard",
			Label: texts.T(ctx, "Find people")}}
	days, _, err := follows.Feed(ctx, h.DB.DB, t.member, pg.Cursor{}, followedShown, h.Now())
	if err != nil {
		return card, err
	}
	if len(days) > 0 {
		card.Body = followviews.Days(h.FollowedDays(c, days, t.now.Location()), t.now)
	}
	return card, nil
}
