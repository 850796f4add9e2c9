package admin

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/accounts"
	pg "laurel/models/db"
	"laurel/models/members"
	views "laurel/views/admin"
	"laurel/views/parts"
)

// Member is the page on which admins change one member.
func (h *Handlers) Member(c echo.Context) error {
	m, err := h.member(c)
	if err != nil {
		return err
	}
	return h.showMember(c, http.StatusOK, &m, views.MemberPage{})
}

// showMember fills p, which says what was just made or refused, with the rest of the page.
func (h *Handlers) showMember(c echo.Context, status int, m *members.Member, p views.MemberPage) error {
	ctx := c.Request().Context()
	list, err := members.AccountsOf(ctx, h.DB.DB, m.ID)
	if err != nil {
		return err
	}
	wanted, err := accounts.WantedBy(ctx, h.DB.DB, m.ID)
	if err != nil {
		return err
	}
	handles := map[string]string{}
	for _, a := range list {
		handles[a.Site] = a.Handle
		if w := wanted[a.ID]; w.Handle != "" && w.RefusedAt == nil {
			handles[a.Site] = w.Handle
		}
	}
	for _, s := range h.Sites(c) {
		p.Handles = append(p.Handles, views.Handle{Site: s.Name, Title: s.Title, Handle: handles[s.Name]})
	}
	sessions, err := members.SessionsOf(ctx, h.DB.DB, m.ID, h.Now())
	if err != nil {
		return err
	}
	done, err := accounts.SuspensionsOf(ctx, h.DB.DB, m.ID)
	if err != nil {
		return err
	}
	for _, s := range done {
		p.Suspensions = append(p.Suspensions, views.Suspension{At: s.At, Suspended: s.Suspended, Author: s.Author, Note: s.Note})
	}
	p.Frame, p.Now, p.Sessions = h.Frame(c, m.DisplayName), h.Now().In(h.Viewer(c).Location()), len(sessions)
	p.Member = views.Member{ID: m.ID, Name: m.Name, DisplayName: m.DisplayName, Role: m.Role, Password: m.PasswordHash != "",
		Suspended: m.SuspendedAt != nil, Banned: m.BannedAt != nil, Joined: m.CreatedAt}
	p.TimeZone, p.Custom, p.Self = m.TimeZone, m.Custom, m.ID == h.Viewer(c).ID
	return web.Render(c, status, views.OneMemberPage(p))
}

// refused shows a member's page again with what was wrong in the form called name.
func (h *Handlers) refused(c echo.Context, m *members.Member, name string, err error) error {
	wrong := web.FieldErrors(err)
	if wrong == nil {
		return err
	}
	return h.showMember(c, http.StatusUnprocessableEntity, m, views.MemberPage{Failed: name, Form: web.FormAgain(c, wrong)})
}

// change reads a form about a member, does what it asks, and leads to the member's page.
func (h *Handlers) change(c echo.Context, form string, do func(m *members.Member) (done string, err error)) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	m, err := h.member(c)
	if err != nil {
		return err
	}
	done, err := do(&m)
	if err != nil {
		return h.refused(c, &m, form, err)
	}
	return c.Redirect(http.StatusSeeOther, memberPath(m.Name)+"?done="+done)
}

func memberPath(name string) string { return "/admin/members/" + url.PathEscape(name) }

// EditMember stores a member's display name, zone and handles.
func (h *Handlers) EditMember(c echo.Context) error {
	return h.change(c, "person", func(m *members.Member) (string, error) {
		edit := accounts.MemberEdit{DisplayName: new(c.FormValue("display_name")),
			TimeZone: new(strings.TrimSpace(c.FormValue("time_zone"))), Handles: h.FormHandles(c)}
		if err := h.AskCleared(c, m.ID); err != nil {
			return "", err
		}
		return "saved", accounts.Edit(c.Request().Context(), h.DB.DB, h.Sites(c), m.ID, edit, h.Now())
	})
}

// SetRole makes a member an admin, support or a plain member.
func (h *Handlers) SetRole(c echo.Context) error {
	return h.change(c, "role", func(m *members.Member) (string, error) {
		return "saved", accounts.SetRole(c.Request().Context(), h.DB.DB, m.ID, c.FormValue("role"))
	})
}

// Suspend suspends a member, or lifts that.
func (h *Handlers) Suspend(c echo.Context) error {
	return h.change(c, "suspend", func(m *members.Member) (string, error) {
		ctx, author, note := c.Request().Context(), h.Viewer(c).Name, c.FormValue("note")
		switch c.FormValue("what") {
		case "suspend":
			return "suspended", accounts.Suspend(ctx, h.DB.DB, m.ID, author, note, h.Now())
		case "lift":
			return "lifted", accounts.Lift(ctx, h.DB.DB, m.ID, author, note, h.Now())
		}
		return "", &pg.InputError{Field: "note", Message: "choose to suspend or to lift"}
	})
}

// SignOutMember ends all sessions of a member.
func (h *Handlers) SignOutMember(c echo.Context) error {
	return h.change(c, "sessions", func(m *members.Member) (string, error) {
		return "signed-out", members.EndSessions(c.Request().Context(), h.DB.DB, m.ID, "")
	})
}

// InviteToChoosePassword makes a link with which a member chooses a password, and shows it this once.
func (h *Handlers) InviteToChoosePassword(c echo.Context) error {
	m, err := h.member(c)
	if err != nil {
		return err
	}
	code, err := members.Invite(c.Request().Context(), h.DB.DB, h.Viewer(c).ID, &m, h.Now())
	if err != nil {
		return h.refused(c, &m, "password", err)
	}
	return h.showMember(c, http.StatusOK, &m, views.MemberPage{Link: parts.NewLink{Address: h.link(code), For: m.Name, Password: true}})
}

// DeleteMember deletes a member whose name was typed once more.
func (h *Handlers) DeleteMember(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	m, err := h.member(c)
	if err != nil {
		return err
	}
	if c.FormValue("confirm") != m.Name {
		return h.refused(c, &m, "delete", &pg.InputError{Field: "confirm", Message: "type the name " + m.Name + " exactly"})
	}
	if err := accounts.Delete(c.Request().Context(), h.DB.DB, m.ID); err != nil {
		return h.refused(c, &m, "delete", err)
	}
	return c.Redirect(http.StatusSeeOther, "/admin/members?done=deleted")
}
