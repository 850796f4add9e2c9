package profiles

import (
	"fmt"
	"net/url"

	"github.com/labstack/echo/v4"

	"laurel/models/forums"
	"laurel/models/profiles"
	views "laurel/views/profiles"
)

// How many awards a profile shows: the newest, and the nearest.
const (
	shelfAwards = 6
	nearAwards  = 3
)

// addShelf adds the awards of a profile, as far as the viewer may see them.
func (h *Handlers) addShelf(c echo.Context, page *views.Profile) error {
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
	list, err := profiles.Shelf(c.Request().Context(), h.DB.DB, page.ID, viewer, shelfAwards, nearAwards)
	if err != nil {
		return err
	}
	for _, a := range list {
		path := "/awards/" + url.PathEscape(a.Slug)
		v := views.ShelfAward{Title: a.Title, Path: path, Picture: path + "/picture.svg", Progress: a.Progress, Goal: a.Goal}
		if page.Awards = a.Held; a.At == nil {
			page.Near = append(page.Near, v)
			continue
		}
		if v.Rarity = "1 member has it"; a.Holders != 1 {
			v.Rarity = fmt.Sprint(a.Holders, " members have it")
		}
		page.Shelf = append(page.Shelf, v)
	}
	return nil
}

// discussionViews are the newest discussions of a track.
func discussionViews(t forums.Track) (list []views.Discussion) {
	for _, d := range t.Discussions {
		list = append(list, views.Discussion{Subject: d.Subject, Path: fmt.Sprint("/messages/", d.Serial), Messages: d.Messages, At: d.At})
	}
	return list
}
