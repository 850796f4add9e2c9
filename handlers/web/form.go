package web

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"laurel/views/parts"
)

// ParseForm reads a form. Without it, a form that is broken or too large would look empty.
func ParseForm(c echo.Context) error {
	err := c.Request().ParseForm()
	if _, large := errors.AsType[*http.MaxBytesError](err); err != nil && !large {
		return echo.NewHTTPError(http.StatusBadRequest, "the form could not be read; go back and try again").SetInternal(err)
	}
	return err
}

// FormAgain is a form to show again: what was typed, and what was wrong with it.
func FormAgain(c echo.Context, errs map[string]string) parts.Form {
	f := parts.Form{Values: map[string]string{}, Errors: errs}
	for name, values := range c.Request().PostForm {
		f.Values[name] = values[0]
	}
	return f
}
