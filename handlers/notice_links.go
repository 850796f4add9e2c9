package handlers

import (
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"laurel/models"
	"laurel/views"
)

// The links in e-mails work for whoever has them, without signing in. Opening
// one changes nothing, for mail programs open links to look at them; its button
// does.

// ConfirmForm asks whether an address is right.
func (h *noticeHandlers) ConfirmForm(c echo.Context) error {
	address, name, err := models.AskedAddress(c.Request().Context(), h.DB.DB, c.QueryParam("token"), h.Now())
	if err != nil {
		return err
	}
	return Render(c, http.StatusOK, views.MailLinkPage(views.MailLink{Frame: h.Frame(c, "Confirm your address"), To: mailLink(c),
		Words: "Laurel shall write to " + address + " when something happens to the awards of " + name + ".", Button: "Confirm this address"}))
}

// Confirm lets e-mails go to an address.
func (h *noticeHandlers) Confirm(c echo.Context) error {
	if err := models.ConfirmAddress(c.Request().Context(), h.DB.DB, c.QueryParam("token"), h.Now()); err != nil {
		return err
	}
	return Render(c, http.StatusOK, views.MailLinkPage(views.MailLink{Frame: h.Frame(c, "Your address is confirmed"),
		Words: "From now on Laurel writes to you. At the end of every e-mail there is a link that ends it."}))
}

// UnsubscribeForm asks whether e-mails shall end.
func (h *noticeHandlers) UnsubscribeForm(c echo.Context) error {
	return Render(c, http.StatusOK, views.MailLinkPage(views.MailLink{Frame: h.Frame(c, "No more e-mails"), To: mailLink(c),
		Words: "Laurel shall send no more e-mails to the address at which you got this link. What there is to know still stands on the page Notices.", Button: "Send me no more e-mails"}))
}

// Unsubscribe ends e-mails: by the button, or by a mail program's one click (RFC 8058).
func (h *noticeHandlers) Unsubscribe(c echo.Context) error {
	if err := models.Unsubscribe(c.Request().Context(), h.DB.DB, c.QueryParam("token"), h.Now()); err != nil {
		return err
	}
	return Render(c, http.StatusOK, views.MailLinkPage(views.MailLink{Frame: h.Frame(c, "No more e-mails"),
		Words: "Done: no more e-mails are sent to the address at which you got this link. In the settings you can ask for them again."}))
}

// mailLink is the address of the page itself, where its button leads.
func mailLink(c echo.Context) string {
	return c.Request().URL.Path + "?" + url.Values{"token": {c.QueryParam("token")}}.Encode()
}
