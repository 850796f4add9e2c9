package community

import (
	"bytes"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/community"
	"laurel/models/members"
	views "laurel/views/home"
	"laurel/views/texts"
)

// About is who the community is.
func (h *Handlers) About(c echo.Context) error {
	return h.text(c, texts.T(c.Request().Context(), "About"), func(t community.Texts) string { return t.About })
}

// Privacy is what the community does with what it knows.
func (h *Handlers) Privacy(c echo.Context) error {
	return h.text(c, texts.T(c.Request().Context(), "Privacy"), func(t community.Texts) string { return t.Privacy })
}

func (h *Handlers) text(c echo.Context, title string, of func(community.Texts) string) error {
	said, err := community.TextsOf(c.Request().Context(), h.DB.DB)
	if err != nil {
		return err
	}
	v := h.Viewer(c)
	p := views.Text{Frame: h.Frame(c, title), Title: title, Text: of(said), Edit: v != nil && v.Role == members.RoleAdmin}
	return web.Render(c, http.StatusOK, views.TextPage(p))
}

// Logo is the picture that an admin uploaded. Its address has its hash, so a browser may keep it.
func (h *Handlers) Logo(c echo.Context) error {
	l, err := community.LogoNow(c.Request().Context(), h.DB.DB)
	if err != nil {
		return err
	}
	header := c.Response().Header()
	header.Set("ETag", `"`+l.Hash+`"`)
	header.Set(echo.HeaderContentType, "image/png")
	header.Set("Cache-Control", "public, max-age=86400")
	http.ServeContent(c.Response(), c.Request(), "", time.Time{}, bytes.NewReader(l.Picture))
	return nil
}

// Edit is the admins' page of the community's name and texts.
func (h *Handlers) Edit(c echo.Context) error { return h.edit(c, http.StatusOK, views.Community{}) }

func (h *Handlers) edit(c echo.Context, status int, p views.Community) error {
	ctx := c.Request().Context()
	said, err := community.TextsOf(ctx, h.DB.DB)
	if err != nil {
		return err
	}
	p.Frame = h.Frame(c, texts.T(ctx, "Community"))
	p.Name, p.Welcome, p.About, p.Privacy, p.Logo = said.Name, said.Welcome, said.About, said.Privacy, p.Frame.Community.Logo
	return web.Render(c, status, views.CommunityPage(p))
}

// refused shows the page again with what was wrong.
func (h *Handlers) refused(c echo.Context, err error) error {
	if wrong := web.FieldErrors(err); wrong != nil {
		return h.edit(c, http.StatusUnprocessableEntity, views.Community{Form: web.FormAgain(c, wrong)})
	}
	return err
}

// Save stores the name and the texts.
func (h *Handlers) Save(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	t := community.Texts{Name: c.FormValue("name"), Welcome: c.FormValue("welcome"), About: c.FormValue("about"),
		Privacy: c.FormValue("privacy")}
	if err := t.Save(c.Request().Context(), h.DB.DB); err != nil {
		return h.refused(c, err)
	}
	return c.Redirect(http.StatusSeeOther, "/admin/community?done=saved")
}

// SetLogo stores a picture.
func (h *Handlers) SetLogo(c echo.Context) error {
	file, err := web.Upload(c, "file", community.LogoMaxBytes)
	if err != nil {
		return err
	}
	if err := community.SetLogo(c.Request().Context(), h.DB.DB, file, h.Now()); err != nil {
		return h.refused(c, err)
	}
	return c.Redirect(http.StatusSeeOther, "/admin/community?done=saved")
}

// RemoveLogo has pages show ours again.
func (h *Handlers) RemoveLogo(c echo.Context) error {
	if err := community.RemoveLogo(c.Request().Context(), h.DB.DB); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/admin/community?done=removed")
}
