package members

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/notices"
	noticeviews "laurel/views/notices"
)

// noticeSettings is the part of the settings about notices.
func (h *Handlers) noticeSettings(c echo.Context) (noticeviews.Settings, error) {
	s, err := notices.SettingsOf(c.Request().Context(), h.DB.DB, h.Viewer(c).ID)
	if err != nil {
		return noticeviews.Settings{}, err
	}
	v := noticeviews.Settings{Mail: h.Mail, Daily: s.Daily, Address: s.Address, NewAddress: s.NewAddress, Trouble: web.Sentence(s.Trouble)}
	for _, kind := range notices.Kinds {
		v.Kinds = append(v.Kinds, noticeviews.Kind{Kind: kind, Page: slices.Contains(s.PageKinds, kind),
			Mail: slices.Contains(s.MailKinds, kind)})
	}
	return v, nil
}

// ChooseNotices stores of what the viewer wants to hear.
func (h *Handlers) ChooseNotices(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	ctx, v, form := c.Request().Context(), h.Viewer(c), c.Request().PostForm
	mail, daily := form["mail"], form.Get("daily") == "yes"
	if !form.Has("with_mail") { // The form had no questions about e-mails: they stay as they are.
		s, err := notices.SettingsOf(ctx, h.DB.DB, v.ID)
		if err != nil {
			return err
		}
		mail, daily = s.MailKinds, s.Daily
	}
	chosen := notices.Settings{PageKinds: form["page"], MailKinds: mail, Daily: daily}
	if err := notices.Choose(ctx, h.DB.DB, v.ID, chosen, h.Now()); err != nil {
		return h.refused(c, "notices", err)
	}
	return c.Redirect(http.StatusSeeOther, "/settings/notices?done=saved")
}

// RequestAddress has a link sent to an address of the viewer, or ends e-mails.
func (h *Handlers) RequestAddress(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	ctx, v := c.Request().Context(), h.Viewer(c)
	if !h.Mail {
		return h.refused(c, "address", &pg.InputError{Field: "address",
			Message: "e-mail is not set up on this server; an admin can set LAUREL_SMTP_URL"})
	}
	if err := notices.RequestAddress(ctx, h.DB.DB, v.ID, c.FormValue("address"), h.Now()); err != nil {
		return h.refused(c, "address", err)
	}
	return c.Redirect(http.StatusSeeOther, "/settings/notices?done=asked")
}

// ForgetAddress ends all e-mails to the viewer.
func (h *Handlers) ForgetAddress(c echo.Context) error {
	if err := notices.ForgetAddress(c.Request().Context(), h.DB.DB, h.Viewer(c).ID, h.Now()); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/settings/notices?done=unsubscribed")
}
