package profiles

import (
	"cmp"
	"fmt"
	"math"
	"net/url"

	"github.com/labstack/echo/v4"

	"laurel/models/forums"
	"laurel/models/profiles"
	"laurel/views/parts"
	views "laurel/views/profiles"
	"laurel/views/texts"
)

// How many awards a profile shows: the newest, and the nearest.
const (
	shelfAwards = 6
	nearAwards  = 3
)

// addShelf adds the awards of a profile, as far as the viewer may see them.
func (h *Handlers) addShelf(c echo.Context, page *views.Profile) error {
	ctx := c.Request().Context()
	var viewer int64
	if v := h.Viewer(c); v != nil {
		viewer = v.ID
		if v.ID != page.ID {
			page.CompareWith = v.Name
		}
	}
	if page.Custom {
		return nil
	}
	list, err := profiles.Shelf(ctx, h.DB.DB, page.ID, viewer, shelfAwards, nearAwards)
	if err != nil {
		return err
	}
	for _, a := range list {
		path := "/awards/" + url.PathEscape(a.Slug)
		v := views.ShelfAward{Title: a.Title, Level: a.LevelTitle, Path: path, Picture: path + "/picture.svg",
			Progress: a.Progress, Goal: a.Goal}
		if page.Awards = a.Held; a.At == nil {
			v.ToGo = parts.AwardGoal{Have: whole(a.Progress), More: whole(math.Ceil(a.Goal - a.Progress)), Goal: whole(a.Goal),
				Unit: a.Unit, Rule: a.Rule, To: cmp.Or(a.LevelTitle, a.Title)}.Words(ctx)
			page.Near = append(page.Near, v)
			continue
		}
		v.At = a.At.In(page.Now.Location())
		v.Rarity = texts.N(ctx, int(a.Holders), "%d member has it", "%d members have it")
		page.Shelf = append(page.Shelf, v)
	}
	return nil
}

// whole is an amount as people read it.
func whole(n float64) string { return parts.Number(int(n)) }

// discussionViews are the newest discussions of a track.
func discussionViews(t forums.Track) (list []views.Discussion) {
	for _, d := range t.Discussions {
		list = append(list, views.Discussion{Subject: parts.Subject(d.Subject), Path: fmt.Sprint("/messages/", d.Serial),
			Messages: d.Messages, At: d.At})
	}
	return list
}

// placed adds what sites say of the member: the titles they give, and where the member is.
func (h *Handlers) placed(c echo.Context, said []profiles.Said, page *views.Profile) {
	for _, s := range said {
		if s.Title != "" {
			page.Titles = append(page.Titles, h.Site(c, s.Site).Title+" "+s.Title)
		}
		page.Organisation, page.Country = cmp.Or(page.Organisation, s.Organisation), cmp.Or(page.Country, s.Country)
	}
}
