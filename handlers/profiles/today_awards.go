package profiles

import (
	"cmp"
	"math"
	"net/url"

	"github.com/labstack/echo/v4"

	"laurel/models/profiles"
	"laurel/views/home"
	"laurel/views/parts"
	"laurel/views/texts"
)

func init() {
	registerCard(todayCard{key: "awards", title: texts.Mark("Awards nearly there"), place: 10, fill: (*Handlers).fillAwards})
}

func (h *Handlers) fillAwards(c echo.Context, t *today) (home.Card, error) {
	ctx := c.Request().Context()
	card := home.Card{More: parts.Link{Href: parts.MemberAwardsPath(t.member.Name), Text: texts.T(ctx, "My awards")},
		Empty: home.Nothing{Text: texts.T(ctx, "No award is in progress."), Href: "/awards", Label: texts.T(ctx, "See all awards")}}
	list, err := profiles.Shelf(ctx, h.DB.DB, t.member.ID, t.member.ID, 0, nearAwards)
	if err != nil || len(list) == 0 {
		return card, err
	}
	var near []home.NearAward
	for _, a := range list {
		path := "/awards/" + url.PathEscape(a.Slug)
		near = append(near, home.NearAward{Title: a.Title, Path: path, Picture: path + "/picture.svg", Progress: a.Progress, Goal: a.Goal,
			ToGo: parts.AwardGoal{Have: whole(a.Progress), More: whole(math.Ceil(a.Goal - a.Progress)), Goal: whole(a.Goal),
				Unit: a.Unit, Rule: a.Rule, To: cmp.Or(a.LevelTitle, a.Title)}.Words(ctx)})
	}
	card.Body = home.NearAwards(near)
	return card, nil
}
