package community

import (
	"net/url"

	"github.com/labstack/echo/v4"

	pg "laurel/models/db"
	"laurel/models/standings"
	views "laurel/views/home"
	"laurel/views/parts"
	"laurel/views/texts"
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
	return false, &pg.InputError{Field: "who", Message: texts.T(c.Request().Context(), "use all or followed")}
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
	ctx := c.Request().Context()
	if h.Viewer(c) == nil {
		return nil
	}
	return []parts.Scope{{Label: texts.T(ctx, "Everyone"), Path: "/leaderboard?" + addressOf(b, false).Encode(), Here: !followed},
		{Label: texts.T(ctx, "People I follow"), Path: "/leaderboard?" + addressOf(b, true).Encode(), Here: followed}}
}

// fillFollowed adds a page of a board of those whom the viewer follows.
func (h *Handlers) fillFollowed(c echo.Context, b standings.Board, p *views.Leaderboard) error {
	ctx := c.Request().Context()
	page, own, err := standings.FollowedOf(ctx, h.DB.DB, b, h.Viewer(c).ID, c.QueryParam("cursor"), leadersShown)
	if err != nil {
		return err
	}
	h.fillTable(c, b, page, p)
	p.Note = texts.T(ctx, "Ranks are among the people you follow and you.")
	if own != nil {
		p.Table.Own = new(h.Leader(c, own))
	}
	return nil
}
