package members

import (
	"context"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/accounts"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/views/texts"
)

// AddHandle adds the handle of a pasted address of a profile.
func (h *Handlers) AddHandle(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	ctx, v := c.Request().Context(), h.Viewer(c)
	site, handle, err := pasted(ctx, h.Sites(c), c.FormValue("address"))
	if err != nil {
		return h.refused(c, "add", err)
	}
	now, err := members.AccountsOf(ctx, h.DB.DB, v.ID)
	if err != nil {
		return err
	}
	for _, a := range now {
		if a.Site == site.Name && !strings.EqualFold(a.Handle, handle) {
			return h.refused(c, "add", &pg.InputError{Field: "address",
				Message: texts.T(ctx, "you are %s on %s now; to change that, edit the field below", a.Handle, site.Title)})
		}
	}
	if err := accounts.SetHandles(ctx, h.DB.DB, h.Sites(c), v.ID, map[string]string{site.Name: handle}, h.Now()); err != nil {
		if wrong := web.FieldErrors(err); wrong != nil { // The field is this form's.
			err = &pg.InputError{Field: "address", Message: wrong["accounts."+site.Name]}
		}
		return h.refused(c, "add", err)
	}
	return c.Redirect(http.StatusSeeOther, "/u/"+v.Name+"?done=handles")
}

// pasted is the site that the address of a profile is on, and the handle in it.
func pasted(ctx context.Context, sites []members.Site, text string) (members.Site, string, error) {
	text = strings.TrimSpace(text)
	for _, s := range sites {
		if handle := members.HandleIn(sites, s.Name, text); text != "" && handle != text && s.Handle.MatchString(handle) {
			return s, handle, nil
		}
	}
	return members.Site{}, "", &pg.InputError{Field: "address",
		Message: texts.T(ctx, "this is the profile page of no site that is read here; for a plain handle, use the fields below")}
}
