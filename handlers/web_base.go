package handlers

import (
	"log/slog"
	"time"

	"github.com/a-h/templ"
	"github.com/alexedwards/scs/v2"
	"github.com/labstack/echo/v4"

	"laurel/models"
	pg "laurel/models/db"
	"laurel/views"
)

// Base is what every handler may use.
type Base struct {
	DB       *pg.DB
	Now      func() time.Time
	Log      *slog.Logger
	URL      string        // How people reach us, without a slash at the end.
	Sites    []models.Site // The judge sites that can be read, by name.
	Sessions *scs.SessionManager
	Assets   views.Assets
	Build    string
}

// render sends a page. It renders to memory first, so a failing template
// becomes an error page and not half a page with status 200.
func render(c echo.Context, status int, page templ.Component) error {
	buf := templ.GetBuffer()
	defer templ.ReleaseBuffer(buf)
	if err := page.Render(c.Request().Context(), buf); err != nil {
		return err
	}
	return c.HTMLBlob(status, buf.Bytes())
}

// isPartial says whether the page's own script asks, which wants a part of the page.
func isPartial(c echo.Context) bool {
	return c.Request().Header.Get("HX-Request") == "true"
}
