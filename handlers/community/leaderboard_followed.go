package community

import (
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	pg "laurel/models/db"
	"laurel/models/standings"
	views "laurel/views/home"
	"laurel/views/parts"
)

// whoFollowed is the part of a board that is of people whom the viewer follows.
const whoFollowed = "followed"

// ofFollowed says whether a board is asked for of those whom the viewer follows, who must have signed in.
func (h *Handlers) ofFollowed(c echo.Context) (bool, error) {
	switch c.QueryParam("who") {
	case "", "all":
		return false, nil
	case whoFollowed:
		if h.Viewer(c) == nil {
			return false, echo.ErrUnauthorized
		}
		return true, nil
	}
	return false, &pg.InputError{Field: "who", Message: "use all or followed"}
}

// addressOf is the address of a board.
func addressOf(b standings.Board, followed bool) url.Values {
	address := url.Values{}
	if b.By == "solved" {
		address.Set("in", b.In)
	} else {
		address.Set("by", b.By)
	}
	if followed {
		address.Set("who", whoFollowed)
	}
	return address
}

// whoScopes lead from everybody to those whom the viewer follows, and back.
func (h *Handlers) whoScopes(c echo.Context, b standings.Board, followed bool) []parts.Scope {
	if h.Viewer(c) == nil {
		return nil
	}
	return []parts.Scope{{Label: "Everyone", Path: "/leaderboard?" + addressOf(b, false).Encode(), Here: !followed},
		{Label: "People I follow", Path: "/leaderboard?" + addressOf(b, true).Encode(), Here: followed}}
}

// fillFollowed adds a page of a board of those whom the viewer follows.
func (h *Handlers) fillFollowed(c echo.Context, b standings.Board, p *views.Leaderboard) error {
	page, own, err := standings.FollowedOf(c.Request().Context(), h.DB.DB, b, h.Viewer(c).ID, c.QueryParam("cursor"), leadersShown)
	if err != nil {
		return err
	}
	h.fillTable(c, b, page, p)
	p.Title = strings.Replace(p.Title, "Everyone", "People I follow", 1)
	p.Note = "Ranks are among the people you follow and you."
	if own != nil {
		p.Table.Own = new(h.Leader(c, own))
	}
	return nil
}
