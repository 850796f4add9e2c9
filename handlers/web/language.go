package web

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/models/members"
	"laurel/views/texts"
)

// language says in which language the pages of a request are. What programs read is English.
func (h *Base) language(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if r := c.Request(); !isAPI(r) {
			speak(c, texts.Chosen(r))
		}
		return next(c)
	}
}

// speakTo has pages be in the language that a member chose for good, if they did.
func speakTo(c echo.Context, m *members.Member) {
	if m != nil && m.Language != "" && !isAPI(c.Request()) {
		speak(c, m.Language)
	}
}

func speak(c echo.Context, tag string) {
	c.SetRequest(c.Request().WithContext(texts.With(c.Request().Context(), tag)))
}

// varies says of a page in which language it is, and that others may get it in another one.
func varies(c echo.Context) {
	header := c.Response().Header()
	header.Set("Content-Language", texts.Tag(c.Request().Context()))
	header.Add(echo.HeaderVary, "Accept-Language")
}

// ChooseLanguage keeps what a visitor chose in a cookie, and leads back to where they were.
func (h *Base) ChooseLanguage(c echo.Context) error {
	if err := ParseForm(c); err != nil {
		return err
	}
	if tag := c.FormValue("language"); texts.Known(tag) {
		//nolint:gosec // Secure where the address is; and it is no secret.
		c.SetCookie(&http.Cookie{Name: texts.Cookie, Value: tag, Path: "/", MaxAge: int((365 * 24 * time.Hour).Seconds()),
			HttpOnly: true, Secure: h.HTTPS(), SameSite: http.SameSiteLaxMode})
	}
	back := c.FormValue("back")
	if !OwnPath(back) {
		back = "/"
	}
	return c.Redirect(http.StatusSeeOther, back)
}
