package archive

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/archive"
	"laurel/models/archive/shards"
	pg "laurel/models/db"
	views "laurel/views/archive"
	"laurel/views/parts"
)

// DeclareForm is the form with which an admin declares a shard.
func (h *Handlers) DeclareForm(c echo.Context) error {
	return h.showDeclare(c, http.StatusOK, parts.Form{})
}

func (h *Handlers) showDeclare(c echo.Context, status int, f parts.Form) error {
	return web.Render(c, status, views.DeclareShardPage(
		views.DeclareShard{Frame: h.Frame(c, "Declare a shard"), Archive: "/archive", Action: "/archive/declare", Form: f}))
}

// Declare declares a shard as the API does, and shows mistakes beside the form.
func (h *Handlers) Declare(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	body, err := formDocument(c)
	var d *shards.Declaration
	if err == nil {
		d, err = declarationOf(body)
	}
	var s *archive.Shard
	if err == nil {
		s, err = archive.Declare(c.Request().Context(), h.DB.DB, *d, h.Now())
	}
	if wrong := declarationErrors(c.Request().Context(), err); wrong != nil {
		return h.showDeclare(c, http.StatusUnprocessableEntity, web.FormAgain(c, wrong))
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, shardBase(s))
}

// formDocument reads the declaration that was typed.
func formDocument(c echo.Context) (any, error) {
	c.Request().Body = io.NopCloser(strings.NewReader(c.FormValue("declaration")))
	return document(c)
}

// declarationErrors are the mistakes in a declaration, by field; nil where err
// is something else.
func declarationErrors(ctx context.Context, err error) map[string]string {
	if input, ok := errors.AsType[*shards.InputError](err); ok {
		return map[string]string{input.Field: web.Sentence(input.Message)}
	}
	if errors.Is(err, archive.ErrDeclared) {
		return map[string]string{"name": web.Sentence(archive.ErrDeclared.Message)}
	}
	if coded, ok := errors.AsType[*pg.Error](err); ok && coded.Field != "" {
		return map[string]string{coded.Field: web.Sentence(coded.Message)}
	}
	if he, ok := errors.AsType[*echo.HTTPError](err); ok && he.Code == http.StatusBadRequest {
		return map[string]string{"declaration": strings.Replace(web.HTTPMessage(ctx, he), "The body", "This", 1)}
	}
	return web.FieldErrors(err)
}
