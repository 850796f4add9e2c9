package awards

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"laurel/models/awards"
	"laurel/models/badges"
	"laurel/models/badges/openbadge"
	pg "laurel/models/db"
)

// Picture draws an award as its document says. One that visitors do not see is drawn by its
// address alone, so that nothing of a secret one is told.
func (h *Handlers) Picture(c echo.Context) error {
	slug := c.Param("slug")
	picture := openbadge.Picture{Slug: slug}
	shown, err := awards.ShownNamed(c.Request().Context(), h.DB.DB, slug, nil)
	switch {
	case err == nil:
		picture = badges.Picture(slug, &shown.Doc)
	case !errors.Is(err, pg.ErrNotFound):
		return err
	}
	c.Response().Header().Set("Cache-Control", "public, max-age=3600")
	return c.Blob(http.StatusOK, "image/svg+xml", picture.SVG())
}
