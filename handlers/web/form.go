package web

import (
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/views/parts"
	"laurel/views/texts"
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
	f := parts.Form{Values: map[string]string{}, Errors: map[string]string{}}
	for field, message := range errs {
		f.Errors[field] = texts.Say(c.Request().Context(), message)
	}
	for name, values := range c.Request().PostForm {
		f.Values[name] = values[0]
	}
	return f
}

// FormHandles reads the handles of a form, by site. A site that the form does not name stays as it is.
func (h *Base) FormHandles(c echo.Context) map[string]string {
	handles := map[string]string{}
	for _, s := range h.Sites(c) {
		if field := "accounts." + s.Name; c.Request().PostForm.Has(field) {
			handles[s.Name] = c.Request().PostForm.Get(field)
		}
	}
	return handles
}

// AskCleared asks about handles of a member that a form leaves blank, unless it says to remove them: a field is emptied by
// mistake, too.
func (h *Base) AskCleared(c echo.Context, member int64) error {
	if c.FormValue("remove") != "" {
		return nil
	}
	ctx, handles := c.Request().Context(), h.FormHandles(c)
	now, err := members.AccountsOf(ctx, h.DB.DB, member)
	asked := []error{err}
	for _, a := range now {
		if handle, ok := handles[a.Site]; ok && strings.TrimSpace(handle) == "" {
			asked = append(asked, &pg.InputError{Field: "accounts." + a.Site,
				Message: texts.T(ctx, "this was %s; to remove it, tick “Remove the handles I cleared”", a.Handle)})
		}
	}
	return errors.Join(asked...)
}

// Upload is what was sent with a form: a file that is not empty, or what was pasted into a
// field. All of it stays in memory: the route lets no more come.
func Upload(c echo.Context, pasted string, atMost int64) (string, error) {
	if err := ParseForm(c); err != nil {
		return "", err
	}
	r := c.Request()
	err := r.ParseMultipartForm(atMost)
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return "", err
	}
	if err != nil && !errors.Is(err, http.ErrNotMultipart) {
		return "", echo.NewHTTPError(http.StatusBadRequest, "the form could not be read; go back and try again").SetInternal(err)
	}
	if r.MultipartForm == nil || len(r.MultipartForm.File["file"]) == 0 || r.MultipartForm.File["file"][0].Size == 0 {
		return r.PostFormValue(pasted), nil
	}
	opened, err := r.MultipartForm.File["file"][0].Open()
	if err != nil {
		return "", err
	}
	defer func() { _ = opened.Close() }()
	file, err := io.ReadAll(opened)
	return string(file), err
}
