package admin

import (
	"encoding/hex"
	"net/http"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/members"
	views "laurel/views/admin"
	"laurel/views/parts"
)

const invitationsShown = 50

// Invitations is the page of links that were given out.
func (h *Handlers) Invitations(c echo.Context) error {
	return h.showInvitations(c, http.StatusOK, views.Invitations{})
}

// showInvitations fills p, which says what was just made or refused, with the rest of the page.
func (h *Handlers) showInvitations(c echo.Context, status int, p views.Invitations) error {
	ctx := c.Request().Context()
	lines, err := members.Invitations(ctx, h.DB.DB, invitationsShown)
	if err != nil {
		return err
	}
	for _, l := range lines {
		p.Lines = append(p.Lines, viewInvitation(l))
	}
	mode, err := members.SignUpMode(ctx, h.DB.DB)
	if err != nil {
		return err
	}
	p.Frame, p.Now, p.Closed = h.Frame(c, "Invitations"), h.Now().In(h.Viewer(c).Location()), mode == members.SignUpClosed
	return web.Render(c, status, views.InvitationsPage(p))
}

func viewInvitation(l members.InvitationLine) views.Invitation {
	v := views.Invitation{ID: hex.EncodeToString(l.Hash), For: "a new member", By: l.Creator, Made: l.CreatedAt, Expires: l.ExpiresAt,
		UsedBy: l.User}
	switch {
	case l.Member != "":
		v.For = l.Member + ", to choose a password"
	case l.Guest != "":
		v.For = l.Guest
	}
	if l.UsedAt != nil {
		v.Used = *l.UsedAt
	}
	return v
}

// link is the address that a code of an invitation is sent as.
func (h *Handlers) link(code string) string { return h.URL + "/sign-up?code=" + code }

// Invite makes an invitation and shows its link this once.
func (h *Handlers) Invite(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	guest := c.FormValue("guest")
	code, err := members.InviteGuest(c.Request().Context(), h.DB.DB, h.Viewer(c).ID, guest, h.Now())
	if wrong := web.FieldErrors(err); wrong != nil {
		return h.showInvitations(c, http.StatusUnprocessableEntity, views.Invitations{Form: web.FormAgain(c, wrong)})
	}
	if err != nil {
		return err
	}
	return h.showInvitations(c, http.StatusOK, views.Invitations{Link: parts.NewLink{Address: h.link(code), For: guest}})
}

// RevokeInvitation ends an invitation that nobody used.
func (h *Handlers) RevokeInvitation(c echo.Context) error {
	hash, err := hex.DecodeString(c.Param("id"))
	if err != nil {
		return pg.ErrNotFound
	}
	if err := members.RevokeInvitation(c.Request().Context(), h.DB.DB, hash); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/admin/invitations?done=revoked")
}
