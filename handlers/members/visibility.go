package members

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/members"
	views "laurel/views/members"
)

// SaveVisibility stores who can see the viewer.
func (h *Handlers) SaveVisibility(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	err := members.SetVisibility(c.Request().Context(), h.DB.DB, h.Viewer(c).ID, c.FormValue("seen_by"), c.FormValue("off_boards") == "yes")
	if err != nil {
		return h.refused(c, "visibility", err)
	}
	return c.Redirect(http.StatusSeeOther, "/settings/profile?done=visibility#visibility")
}

// CreateFeedToken makes a token for the addresses of feeds and shows it this once.
func (h *Handlers) CreateFeedToken(c echo.Context) error {
	token, err := members.CreateFeedToken(c.Request().Context(), h.DB.DB, h.Viewer(c).ID, h.Now())
	if err != nil {
		return err
	}
	return h.showSettings(c, http.StatusOK, views.Settings{Tab: views.TabData, NewFeedToken: token})
}
