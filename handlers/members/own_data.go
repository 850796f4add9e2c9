package members

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"laurel/models/accounts"
)

// OwnData sends members all that is stored about them. It is a form, not a link, so that no other page
// can use it up.
func (h *Handlers) OwnData(c echo.Context) error {
	ctx, v := c.Request().Context(), h.Viewer(c)
	if err := accounts.AllowOwnData(ctx, h.DB.DB, v, h.Now()); err != nil {
		return err
	}
	head := c.Response().Header()
	head.Set(echo.HeaderContentType, "application/zip")
	head.Set(echo.HeaderContentDisposition, `attachment; filename="laurel-`+v.Name+`.zip"`)
	c.Response().WriteHeader(http.StatusOK)
	if err := accounts.OwnData(ctx, h.DB.DB, v, c.Response(), h.Now()); err != nil {
		h.Log.ErrorContext(ctx, "a member's data could not be sent whole", "member", v.Name, "err", err)
		panic(http.ErrAbortHandler) // So that the browser does not take it for whole.
	}
	return nil
}
