package admin

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/accounts"
	pg "laurel/models/db"
	modelhistory "laurel/models/history"
	"laurel/models/members"
	views "laurel/views/admin"
)

const (
	invitationsShown = 50
	membersShown     = 50
)

// Index is the admins' page.
func (h *Handlers) Index(c echo.Context) error {
	return h.show(c, http.StatusOK, views.Overview{})
}

// show fills p, which says what was just made or refused, with the rest of the page.
func (h *Handlers) show(c echo.Context, status int, p views.Overview) error {
	ctx := c.Request().Context()
	var err error
	if p.SignUp, err = members.SignUpMode(ctx, h.DB.DB); err != nil {
		return err
	}
	if p.MembersOnly, err = members.MembersOnly(ctx, h.DB.DB); err != nil {
		return err
	}
	lines, err := members.Invitations(ctx, h.DB.DB, invitationsShown)
	if err != nil {
		return err
	}
	for _, l := range lines {
		p.Invitations = append(p.Invitations, viewInvitation(l))
	}
	p.Search = c.QueryParam("q")
	found, err := accounts.FindMembers(ctx, h.DB.DB, p.Search, c.QueryParam("after"), membersShown)
	if err != nil {
		return err
	}
	for _, m := range found.Items {
		p.Members = append(p.Members, views.Member{Name: m.Name, DisplayName: m.DisplayName, Role: m.Role,
			Password: m.PasswordHash != "", Joined: m.CreatedAt})
	}
	if found.Next != "" {
		p.More = "/admin?" + url.Values{"q": {p.Search}, "after": {found.Next}}.Encode() + "#members"
	}
	if p.Archive, err = h.archiveCheck(ctx, c.QueryParam("findings")); err != nil {
		return err
	}
	p.Frame, p.Total, p.Now = h.Frame(c, "Admin"), int(found.Total), h.Now().In(h.Viewer(c).Location())
	return web.Render(c, status, views.Page(p))
}

// findingsShown is how many findings one page has.
const findingsShown = 20

// archiveCheck is the last check of the archive from one of its findings on, and what was refused of late.
func (h *Handlers) archiveCheck(ctx context.Context, from string) (views.ArchiveCheck, error) {
	refused, err := modelhistory.RefusedFetches(ctx, h.DB.DB, h.Now().AddDate(0, 0, -7))
	if err != nil {
		return views.ArchiveCheck{}, err
	}
	v := views.ArchiveCheck{Refused: refused}
	c, err := modelhistory.LastCheck(ctx, h.DB.DB)
	if errors.Is(err, pg.ErrNotFound) {
		return v, nil
	}
	v.At, v.Took, v.Rows, v.Retrievals = c.StartedAt, time.Duration(c.Took*float64(time.Second)), int(c.Rows), int(c.Retrievals)
	v.Part, v.Total = c.Part, c.Total
	first, _ := strconv.Atoi(from) // Anything else is the beginning.
	first = max(0, min(first, len(c.Findings)))
	end := min(first+findingsShown, len(c.Findings))
	v.First = first
	if first > 0 {
		v.Before = fmt.Sprintf("/admin?findings=%d#archive", max(0, first-findingsShown))
	}
	if end < len(c.Findings) {
		v.After = fmt.Sprintf("/admin?findings=%d#archive", end)
	}
	for _, f := range c.Findings[first:end] {
		v.Findings = append(v.Findings, views.Finding{Shard: f.Shard, Kind: f.Kind, Message: f.Message})
	}
	return v, err
}

func viewInvitation(l members.InvitationLine) views.Invitation {
	v := views.Invitation{ID: hex.EncodeToString(l.Hash), For: "a new member", By: l.Creator, Made: l.CreatedAt, Expires: l.ExpiresAt,
		UsedBy: l.User}
	if l.Member != "" {
		v.For = l.Member + ", to choose a password"
	}
	if l.UsedAt != nil {
		v.Used = *l.UsedAt
	}
	return v
}

// adminRefused shows the admins' page again with what was wrong.
func (h *Handlers) adminRefused(c echo.Context, err error) error {
	for _, message := range web.FieldErrors(err) {
		return h.show(c, http.StatusUnprocessableEntity, views.Overview{Wrong: message})
	}
	return err
}

// SetSignUp changes who may sign up.
func (h *Handlers) SetSignUp(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	if err := members.SetSignUpMode(c.Request().Context(), h.DB.DB, c.FormValue("sign_up")); err != nil {
		return h.adminRefused(c, err)
	}
	return c.Redirect(http.StatusSeeOther, "/admin?done=saved")
}

// SetAudience changes who can see the community.
func (h *Handlers) SetAudience(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	only := map[string]bool{members.SeenByEveryone: false, members.SeenByMembers: true}
	closed, ok := only[c.FormValue("audience")]
	if !ok {
		return h.adminRefused(c, &pg.InputError{Field: "audience", Message: "choose who can see this community: everyone, or its members"})
	}
	if err := members.SetMembersOnly(c.Request().Context(), h.DB.DB, closed); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/admin?done=saved")
}

// Invite makes an invitation and shows its link this once.
func (h *Handlers) Invite(c echo.Context) error { return h.invite(c, nil) }

// InviteToChoosePassword makes a link with which a member chooses a password.
func (h *Handlers) InviteToChoosePassword(c echo.Context) error {
	m, err := members.ByName(c.Request().Context(), h.DB.DB, c.Param("name"))
	if err != nil {
		return err
	}
	return h.invite(c, &m)
}

func (h *Handlers) invite(c echo.Context, m *members.Member) error {
	code, err := members.Invite(c.Request().Context(), h.DB.DB, h.Viewer(c).ID, m, h.Now())
	if err != nil {
		return h.adminRefused(c, err)
	}
	p := views.Overview{Link: h.URL + "/sign-up?code=" + code}
	if m != nil {
		p.LinkFor = m.Name
	}
	return h.show(c, http.StatusOK, p)
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
	return c.Redirect(http.StatusSeeOther, "/admin?done=revoked")
}

// SetRole makes a member an admin, support or a plain member.
func (h *Handlers) SetRole(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	m, err := members.ByName(c.Request().Context(), h.DB.DB, c.Param("name"))
	if err != nil {
		return err
	}
	if err := accounts.SetRole(c.Request().Context(), h.DB.DB, m.ID, c.FormValue("role")); err != nil {
		return h.adminRefused(c, err)
	}
	return c.Redirect(http.StatusSeeOther, "/admin?done=saved")
}

// DeleteMember deletes a member whose name was typed once more.
func (h *Handlers) DeleteMember(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	m, err := members.ByName(c.Request().Context(), h.DB.DB, c.Param("name"))
	if err != nil {
		return err
	}
	if c.FormValue("confirm") != m.Name {
		return h.adminRefused(c, &pg.InputError{Field: "confirm",
			Message: "to delete " + m.Name + ", type the name " + m.Name + " exactly"})
	}
	if err := accounts.Delete(c.Request().Context(), h.DB.DB, m.ID); err != nil {
		return h.adminRefused(c, err)
	}
	return c.Redirect(http.StatusSeeOther, "/admin?done=deleted")
}
