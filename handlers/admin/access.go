package admin

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/members"
	views "laurel/views/admin"
)

// Access is the page of who may sign up, and who can see the community.
func (h *Handlers) Access(c echo.Context) error { return h.showAccess(c, http.StatusOK, "") }

func (h *Handlers) showAccess(c echo.Context, status int, wrong string) error {
	ctx := c.Request().Context()
	mode, err := members.SignUpMode(ctx, h.DB.DB)
	if err != nil {
		return err
	}
	closed, err := members.MembersOnly(ctx, h.DB.DB)
	if err != nil {
		return err
	}
	p := views.Access{Frame: h.Frame(c, "Access"), Wrong: wrong, SignUp: mode, MembersOnly: closed}
	return web.Render(c, status, views.AccessPage(p))
}

func (h *Handlers) accessRefused(c echo.Context, err error) error {
	for _, message := range web.FieldErrors(err) {
		return h.showAccess(c, http.StatusUnprocessableEntity, message)
	}
	return err
}

// SetSignUp changes who may sign up.
func (h *Handlers) SetSignUp(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	if err := members.SetSignUpMode(c.Request().Context(), h.DB.DB, c.FormValue("sign_up")); err != nil {
		return h.accessRefused(c, err)
	}
	return c.Redirect(http.StatusSeeOther, "/admin/access?done=saved")
}

// SetAudience changes who can see the community.
func (h *Handlers) SetAudience(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	only := map[string]bool{members.SeenByEveryone: false, members.SeenByMembers: true}
	closed, ok := only[c.FormValue("audience")]
	if !ok {
		return h.accessRefused(c, &pg.InputError{Field: "audience", Message: "choose who can see this community: everyone, or its members"})
	}
	if err := members.SetMembersOnly(c.Request().Context(), h.DB.DB, closed); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/admin/access?done=saved")
}
