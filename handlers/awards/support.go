package awards

import (
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/members"
	views "laurel/views/awards"
)

// Support is where those begin who investigate awards: it leads to those of a member.
func (h *Handlers) Support(c echo.Context) error {
	p := views.Support{Frame: h.AwardsFrame(c, "Support"), Name: strings.TrimSpace(c.QueryParam("member"))}
	if p.Name == "" {
		return web.Render(c, http.StatusOK, views.SupportPage(p))
	}
	m, err := members.ByName(c.Request().Context(), h.DB.DB, p.Name)
	if errors.Is(err, pg.ErrNotFound) {
		p.Wrong = "No member is named " + p.Name + "."
		return web.Render(c, http.StatusUnprocessableEntity, views.SupportPage(p))
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, web.MemberAddress(m.Name)+"/awards")
}
