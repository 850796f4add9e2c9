package members

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/accounts"
	pg "laurel/models/db"
	"laurel/models/members"
	views "laurel/views/members"
	"laurel/views/parts"
	"laurel/views/texts"
)

// AddCustom is the form to follow somebody who has no account.
func (h *Handlers) AddCustom(c echo.Context) error {
	return h.showAddCustom(c, http.StatusOK, parts.Form{})
}

func (h *Handlers) showAddCustom(c echo.Context, status int, form parts.Form) error {
	p := views.AddCustom{Frame: h.Frame(c, texts.T(c.Request().Context(), "Add a person without an account")), Form: form}
	var err error
	if p.Handles, err = h.handles(c, 0, nil); err != nil {
		return err
	}
	return web.Render(c, status, views.AddCustomPage(p))
}

// Follow makes a custom member.
func (h *Handlers) Follow(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	m := newMember(c)
	m.Custom = true
	added := accounts.New{Member: &m, Handles: h.FormHandles(c), By: h.Viewer(c)}
	err := accounts.Add(c.Request().Context(), h.DB.DB, h.Sites(c), added, h.Now())
	if errs := web.FieldErrors(err); errs != nil {
		return h.showAddCustom(c, http.StatusUnprocessableEntity, web.FormAgain(c, errs))
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/u/"+m.Name+"?done=followed")
}

// ShowCustom is the page on which a custom member is edited.
func (h *Handlers) ShowCustom(c echo.Context) error {
	m, err := h.managedCustom(c)
	if err != nil {
		return err
	}
	return h.showCustomMember(c, http.StatusOK, m, parts.Form{})
}

func (h *Handlers) showCustomMember(c echo.Context, status int, m *members.Member, form parts.Form) error {
	ctx := c.Request().Context()
	accounts, err := members.AccountsOf(ctx, h.DB.DB, m.ID)
	if err != nil {
		return err
	}
	owner := texts.T(ctx, "the admins") // Of one who was imported.
	if m.OwnerID != nil {
		o, err := members.ByID(ctx, h.DB.DB, *m.OwnerID)
		if err != nil {
			return err
		}
		owner = o.DisplayName
	}
	handles, err := h.handles(c, m.ID, accounts)
	if err != nil {
		return err
	}
	return web.Render(c, status, views.FollowedPage(
		views.FollowedMember{Frame: h.Frame(c, m.DisplayName), Name: m.Name, DisplayName: m.DisplayName,
			TimeZone: m.TimeZone, Owner: owner, Handles: handles, Form: form}))
}

// EditCustom stores a custom member's person and handles.
func (h *Handlers) EditCustom(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	m, err := h.managedCustom(c)
	if err != nil {
		return err
	}
	edit := accounts.MemberEdit{DisplayName: new(c.FormValue("display_name")), TimeZone: new(strings.TrimSpace(c.FormValue("time_zone"))),
		Handles: h.FormHandles(c)}
	if err = h.AskCleared(c, m.ID); err == nil {
		err = accounts.Edit(c.Request().Context(), h.DB.DB, h.Sites(c), m.ID, edit, h.Now())
	}
	if errs := web.FieldErrors(err); errs != nil {
		return h.showCustomMember(c, http.StatusUnprocessableEntity, m, web.FormAgain(c, errs))
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/custom/"+m.Name+"?done=saved")
}

// Unfollow deletes a custom member.
func (h *Handlers) Unfollow(c echo.Context) error {
	m, err := h.managedCustom(c)
	if err != nil {
		return err
	}
	if err := accounts.Delete(c.Request().Context(), h.DB.DB, m.ID); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/following?done=unfollowed")
}

// managedCustom returns the custom member in the address, if the viewer may change it.
func (h *Handlers) managedCustom(c echo.Context) (*members.Member, error) {
	m, err := h.Managed(c)
	if err == nil && !m.Custom {
		err = pg.ErrNotFound
	}
	return m, err
}
