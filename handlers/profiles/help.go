package profiles

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	views "laurel/views/profiles"
	"laurel/views/texts"
)

// Help says what the words on pages mean.
func (h *Handlers) Help(c echo.Context) error {
	return web.Render(c, http.StatusOK, views.HelpPage(views.Help{Frame: h.Frame(c, texts.T(c.Request().Context(), "Help"))}))
}
