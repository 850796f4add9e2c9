package web

import (
	"net/http"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// Render sends a page. It renders to memory first, so a failing template
// becomes an error page and not half a page with status 200.
func Render(c echo.Context, status int, page templ.Component) error {
	buf := templ.GetBuffer()
	defer templ.ReleaseBuffer(buf)
	if err := page.Render(c.Request().Context(), buf); err != nil {
		return err
	}
	varies(c)
	return c.HTMLBlob(status, buf.Bytes())
}

// IsPartial says whether the page's own script asks, which wants a part of the page.
func IsPartial(c echo.Context) bool {
	return c.Request().Header.Get("HX-Request") == "true"
}

// List is how every list is sent.
type List[T any] struct {
	Items []T    `json:"items"` // Never null.
	Next  string `json:"next"`  // The cursor to go on with; "" at the end.
}

// SendList sends rows as show shows them.
func SendList[R, T any](c echo.Context, rows []R, next string, show func(R) T) error {
	l := List[T]{Items: make([]T, len(rows)), Next: next}
	for i, r := range rows {
		l.Items[i] = show(r)
	}
	return c.JSON(http.StatusOK, l)
}

// UTC is how times are sent; null where there is none.
func UTC(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	return new(t.UTC())
}
