package members

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/accounts"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/retrieval"
	views "laurel/views/members"
	noticeviews "laurel/views/notices"
	"laurel/views/texts"
)

// Settings is a tab of a member's own choices.
func (h *Handlers) Settings(tab string) echo.HandlerFunc {
	return func(c echo.Context) error { return h.showSettings(c, http.StatusOK, views.Settings{Tab: tab}) }
}

// tabOf is the tab that a form is on, by the form's name.
var tabOf = map[string]string{"handles": views.TabHandles, "add": views.TabHandles, "key": views.TabHandles,
	"person": views.TabProfile, "visibility": views.TabProfile, "notices": views.TabNotices, "address": views.TabNotices,
	"password": views.TabSecurity, "leave": views.TabSecurity, "token": views.TabData}

// showSettings fills p, which says what was just made or refused, with the rest of its tab.
func (h *Handlers) showSettings(c echo.Context, status int, p views.Settings) error {
	v := h.Viewer(c)
	p.Frame, p.Name, p.DisplayName, p.TimeZone = h.Frame(c, texts.T(c.Request().Context(), "Settings")), v.Name, v.DisplayName, v.TimeZone
	p.Role, p.Now = v.Role, h.Now().In(v.Location())
	fill := map[string]func(echo.Context, *members.Member, *views.Settings) error{views.TabHandles: h.fillHandles,
		views.TabProfile: h.fillProfile, views.TabNotices: h.fillNotices, views.TabSecurity: h.fillSecurity, views.TabData: h.fillData}
	if err := fill[p.Tab](c, v, &p); err != nil {
		return err
	}
	return web.Render(c, status, views.SettingsPage(p))
}

func (h *Handlers) fillHandles(c echo.Context, v *members.Member, p *views.Settings) error {
	accounts, err := members.AccountsOf(c.Request().Context(), h.DB.DB, v.ID)
	if err != nil {
		return err
	}
	if p.Handles, err = h.handles(c, v.ID, accounts); err != nil {
		return err
	}
	if p.Removed, err = h.removed(c, v); err != nil {
		return err
	}
	p.Key, err = h.siteKey(c)
	return err
}

func (h *Handlers) fillProfile(c echo.Context, v *members.Member, p *views.Settings) error {
	closed, err := members.MembersOnly(c.Request().Context(), h.DB.DB)
	p.Language = v.Language
	p.Visibility = views.Visibility{SeenBy: v.SeenBy, OffBoards: v.OffBoards, MembersOnly: closed}
	return err
}

func (h *Handlers) fillNotices(c echo.Context, _ *members.Member, p *views.Settings) error {
	notices, err := h.noticeSettings(c)
	switch p.Failed {
	case "notices":
		notices.Choices = p.Form
	case "address":
		notices.Confirm = p.Form
	}
	p.Notices = noticeviews.SettingsCard(notices)
	return err
}

func (h *Handlers) fillSecurity(c echo.Context, v *members.Member, p *views.Settings) error {
	list, err := members.SessionsOf(c.Request().Context(), h.DB.DB, v.ID, h.Now())
	own := h.SessionKey(c)
	for _, s := range list {
		p.Sessions = append(p.Sessions, views.Session{Device: s.Device, Started: s.StartedAt, Seen: s.SeenAt, Own: s.Token == own})
	}
	return err
}

func (h *Handlers) fillData(c echo.Context, v *members.Member, p *views.Settings) error {
	tokens, err := members.TokensOf(c.Request().Context(), h.DB.DB, v.ID)
	for _, t := range tokens {
		p.Tokens = append(p.Tokens, views.Token{ID: t.ID, Label: t.Label, Admin: t.Admin, Feed: t.Feed, Created: t.CreatedAt})
	}
	return err
}

// EndSessions signs the viewer out everywhere else.
func (h *Handlers) EndSessions(c echo.Context) error {
	if err := members.EndSessions(c.Request().Context(), h.DB.DB, h.Viewer(c).ID, h.SessionKey(c)); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/settings/security?done=signed-out-else")
}

// removed are the viewer's handles that can come back.
func (h *Handlers) removed(c echo.Context, v *members.Member) (all []views.Removed, err error) {
	list, err := accounts.RemovedOf(c.Request().Context(), h.DB.DB, v.ID, h.Now())
	for _, r := range list {
		all = append(all, views.Removed{ID: r.ID, Title: h.SourceTitle(c, r.Site), Handle: r.Handle, Submissions: r.Submissions,
			Until: r.Until().In(v.Location())})
	}
	return all, err
}

// refused shows the settings again with what was wrong in the form called name.
func (h *Handlers) refused(c echo.Context, name string, err error) error {
	errs := web.FieldErrors(err)
	if errs == nil {
		return err
	}
	return h.showSettings(c, http.StatusUnprocessableEntity, views.Settings{Tab: tabOf[name], Failed: name, Form: web.FormAgain(c, errs)})
}

// handles are all sites with the handles of a member. One that is looked up is in its field, so
// that it is still wanted when the form is saved again.
func (h *Handlers) handles(c echo.Context, member int64, list []members.Account) (all []views.Handle, err error) {
	ctx := c.Request().Context()
	by := map[string]members.Account{}
	for _, a := range list {
		by[a.Site] = a
	}
	wanted, err := accounts.WantedBy(ctx, h.DB.DB, member)
	for _, s := range h.Sites(c) {
		a := by[s.Name]
		v := views.Handle{Site: s.Name, Title: s.Title, Hint: web.Sentence(s.Hint), Handle: a.Handle, State: a.State, Outside: s.Outside,
			Provable: s.Proof != "", Proved: a.ProvedAt != nil}
		switch w := wanted[a.ID]; {
		case w.Handle == "":
		case w.RefusedAt != nil:
			v.Hint = texts.T(ctx, "There is no %s on %s. %s stayed.", w.Handle, s.Title, a.Handle)
		default:
			v.Handle, v.Hint = w.Handle, texts.T(ctx, "%s is being looked up. %s stays until %s knows it.", w.Handle, a.Handle, s.Title)
		}
		all = append(all, v)
	}
	return all, err
}

// SaveHandles stores the viewer's handles.
func (h *Handlers) SaveHandles(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	ctx, v, handles := c.Request().Context(), h.Viewer(c), h.FormHandles(c)
	now, err := members.AccountsOf(ctx, h.DB.DB, v.ID)
	if err == nil {
		err = h.AskCleared(c, v.ID)
	}
	var losses []accounts.Loss
	if err == nil && c.FormValue("confirmed") == "" {
		losses, err = accounts.LossesBy(h.Sites(c), now, handles)
	}
	if err == nil && len(losses) > 0 {
		return h.askToChange(c, handles, losses)
	}
	if err == nil {
		err = accounts.SetHandles(ctx, h.DB.DB, h.Sites(c), v.ID, handles, h.Now())
	}
	if err != nil {
		return h.refused(c, "handles", err)
	}
	return c.Redirect(http.StatusSeeOther, "/u/"+h.Viewer(c).Name+"?done=handles")
}

// askToChange says what changed handles take from the viewer's profile, and stores nothing yet. The form has all that was
// typed, so that it can be sent as it was.
func (h *Handlers) askToChange(c echo.Context, handles map[string]string, losses []accounts.Loss) error {
	p := views.HandleChange{Frame: h.Frame(c, "Change handles"), Remove: c.FormValue("remove")}
	for _, site := range slices.Sorted(maps.Keys(handles)) {
		p.Fields = append(p.Fields, views.HandleField{Name: "accounts." + site, Value: handles[site]})
	}
	for _, l := range losses {
		p.Losses = append(p.Losses, views.HandleLoss{Title: h.Site(c, l.Site).Title, Handle: l.Handle, Next: l.Next,
			Submissions: l.Submissions, Solved: l.Solved, Paused: l.State == members.StatePaused})
	}
	return web.Render(c, http.StatusOK, views.HandleChangePage(p))
}

// RestoreHandle brings a removed handle of the viewer back.
func (h *Handlers) RestoreHandle(c echo.Context) error {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil {
		return pg.ErrNotFound
	}
	v := h.Viewer(c)
	if err := accounts.Restore(c.Request().Context(), h.DB.DB, h.Sites(c), v.ID, id, h.Now()); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/u/"+v.Name+"?done=handles")
}

// SavePerson stores the viewer's display name, time zone and language.
func (h *Handlers) SavePerson(c echo.Context) error {
	ctx := c.Request().Context()
	if err := web.ParseForm(c); err != nil {
		return err
	}
	err := accounts.EditPerson(ctx, h.DB.DB, h.Viewer(c).ID, c.FormValue("display_name"),
		strings.TrimSpace(c.FormValue("time_zone")), h.Now())
	if tag := c.FormValue("language"); err == nil && (tag == "" || texts.Known(tag)) {
		err = members.SetLanguage(ctx, h.DB.DB, h.Viewer(c).ID, tag)
	}
	if err != nil {
		return h.refused(c, "person", err)
	}
	return c.Redirect(http.StatusSeeOther, "/settings/profile?done=person")
}

// ChangePassword stores a new password, ends all sessions of the viewer and
// begins this one again.
func (h *Handlers) ChangePassword(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	v := h.Viewer(c)
	err := members.ChangePassword(c.Request().Context(), h.DB.DB, v, c.FormValue("current_password"), c.FormValue("password"), h.Now())
	if err != nil {
		return h.refused(c, "password", err)
	}
	if err := h.BeginSession(c, v); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/settings/security?done=password")
}

// CreateToken makes an API token and shows it this once.
func (h *Handlers) CreateToken(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	v := h.Viewer(c)
	asAdmin := v.Role != members.RoleMember && c.FormValue("admin") == "yes"
	token, err := members.CreateToken(c.Request().Context(), h.DB.DB, v.ID, c.FormValue("label"), asAdmin, h.Now())
	if err != nil {
		return h.refused(c, "token", err)
	}
	return h.showSettings(c, http.StatusOK, views.Settings{Tab: views.TabData, NewToken: token})
}

// RevokeToken ends an API token of the viewer.
func (h *Handlers) RevokeToken(c echo.Context) error {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil {
		return pg.ErrNotFound
	}
	if err := members.RevokeToken(c.Request().Context(), h.DB.DB, h.Viewer(c).ID, id); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/settings/data?done=revoked")
}

// DeleteOwnAccount deletes the viewer.
func (h *Handlers) DeleteOwnAccount(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	ctx, v := c.Request().Context(), h.Viewer(c)
	err := members.ConfirmPassword(ctx, h.DB.DB, v, c.FormValue("current_password"), h.Now())
	if err == nil && c.FormValue("confirm") != v.Name {
		err = &pg.InputError{Field: "confirm", Message: texts.T(ctx, "type %s as it is written; nothing was deleted", v.Name)}
	}
	if err == nil {
		err = accounts.Delete(ctx, h.DB.DB, v.ID)
	}
	if err != nil {
		return h.refused(c, "leave", err)
	}
	if err := h.EndSession(c); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/?done=left")
}

// PauseAccount stops the checks of an account.
func (h *Handlers) PauseAccount(c echo.Context) error {
	of, err := h.Managed(c)
	if err != nil {
		return err
	}
	if err := retrieval.Pause(c.Request().Context(), h.DB.DB, of.ID, c.Param("site")); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, web.EditPath(h.Viewer(c), of)+"?done=paused")
}

// ResumeAccount lets an account be checked again.
func (h *Handlers) ResumeAccount(c echo.Context) error {
	of, err := h.Managed(c)
	if err != nil {
		return err
	}
	if err := retrieval.Resume(c.Request().Context(), h.DB.DB, of.ID, c.Param("site"), h.Now()); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, web.EditPath(h.Viewer(c), of)+"?done=resumed")
}
