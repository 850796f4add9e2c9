package members

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/notices"
	views "laurel/views/members"
	"laurel/views/texts"
)

// ForgotForm asks whose password was forgotten.
func (h *Handlers) ForgotForm(c echo.Context) error {
	return web.Render(c, http.StatusOK, views.ForgotPage(views.Forgot{Frame: h.Frame(c, texts.T(c.Request().Context(),
		"Forgotten password")), Mail: h.Mail}))
}

// Forgot has a link sent, if there is somebody to send it to: the answer does not say.
func (h *Handlers) Forgot(c echo.Context) error {
	ctx := c.Request().Context()
	if err := web.ParseForm(c); err != nil {
		return err
	}
	if h.Mail {
		err := notices.RequestReset(ctx, h.DB.DB, c.FormValue("who"), web.ClientAddress(c), h.Now())
		if err != nil {
			return err
		}
	}
	p := views.Forgot{Frame: h.Frame(c, texts.T(ctx, "Forgotten password")), Mail: h.Mail, Asked: h.Mail}
	return web.Render(c, http.StatusOK, views.ForgotPage(p))
}
