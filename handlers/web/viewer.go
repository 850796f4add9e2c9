package web

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/models/members"
	"laurel/views/texts"
)

// ViewerZone is the zone of pages that are about nobody.
func (h *Base) ViewerZone(c echo.Context) *time.Location {
	if v := h.Viewer(c); v != nil {
		return v.Location()
	}
	return time.UTC
}

// Zone is the zone of times on a page about of: the viewer's own, or the member's for visitors.
func (h *Base) Zone(c echo.Context, of *members.Member) *time.Location {
	if v := h.Viewer(c); v != nil {
		return v.Location()
	}
	return of.Location()
}

// Managed returns the member in the address, if the viewer may change it.
func (h *Base) Managed(c echo.Context) (*members.Member, error) {
	ctx := c.Request().Context()
	of, err := members.ByName(ctx, h.DB.DB, c.Param("name"))
	if err != nil {
		return nil, err
	}
	if v := h.Viewer(c); v == nil || !v.Manages(&of) {
		return nil, echo.NewHTTPError(http.StatusForbidden, texts.T(ctx, "Only %s and admins may change this.", of.Name))
	}
	return &of, nil
}

// EditPath is where a viewer edits the handles of a member whom they manage.
func EditPath(v, of *members.Member) string {
	switch {
	case of.Custom:
		return "/custom/" + of.Name
	case of.ID == v.ID:
		return "/settings"
	}
	return "/admin/members/" + of.Name
}
