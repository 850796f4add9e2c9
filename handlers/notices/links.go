package notices

import (
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/notices"
	views "laurel/views/notices"
	"laurel/views/texts"
)

// The links in e-mails work for whoever has them, without signing in. Opening
// one changes nothing, for mail programs open links to look at them; its button
// does.

// ConfirmForm asks whether an address is right.
func (h *Handlers) ConfirmForm(c echo.Context) error {
	address, name, err := notices.RequestedAddress(c.Request().Context(), h.DB.DB, c.QueryParam("token"), h.Now())
	if err != nil {
		return err
	}
	return web.Render(c, http.StatusOK, views.MailLinkPage(
		views.MailLink{
			Frame: h.Frame(c, texts.T(c.Request().Context(), "Confirm your address")), To: mailLink(c),
			Words: texts.T(c.Request().Context(),
				"Laurel will send e-mails to %s about the awards of %s.", address, name),
			Button: texts.T(c.Request().Context(), "Confirm this address")}))
}

// Confirm lets e-mails go to an address.
func (h *Handlers) Confirm(c echo.Context) error {
	if err := notices.ConfirmAddress(c.Request().Context(), h.DB.DB, c.QueryParam("token"), h.Now()); err != nil {
		return err
	}
	return web.Render(c, http.StatusOK, views.MailLinkPage(views.MailLink{
		Frame: h.Frame(c, texts.T(c.Request().Context(), "Your address is confirmed")),
		Words: texts.T(c.Request().Context(),
			"You will now get e-mails from Laurel. Every e-mail has a link to unsubscribe.")}))
}

// UnsubscribeForm asks whether e-mails shall end.
func (h *Handlers) UnsubscribeForm(c echo.Context) error {
	return web.Render(c, http.StatusOK, views.MailLinkPage(views.MailLink{
		Frame: h.Frame(c, texts.T(c.Request().Context(), "Unsubscribe")), To: mailLink(c),
		Words: texts.T(c.Request().Context(),
			"Stop all e-mails to this address? Your notifications stay on the Notifications page."),
		Button: texts.T(c.Request().Context(), "Unsubscribe")}))
}

// Unsubscribe ends e-mails: by the button, or by a mail program's one click (RFC 8058).
func (h *Handlers) Unsubscribe(c echo.Context) error {
	if err := notices.Unsubscribe(c.Request().Context(), h.DB.DB, c.QueryParam("token"), h.Now()); err != nil {
		return err
	}
	return web.Render(c, http.StatusOK, views.MailLinkPage(views.MailLink{
		Frame: h.Frame(c, texts.T(c.Request().Context(), "Unsubscribe")),
		Words: texts.T(c.Request().Context(),
			"You are unsubscribed and will get no more e-mails. You can turn them on again in the settings.")}))
}

// mailLink is the address of the page itself, where its button leads.
func mailLink(c echo.Context) string {
	return c.Request().URL.Path + "?" + url.Values{"token": {c.QueryParam("token")}}.Encode()
}
