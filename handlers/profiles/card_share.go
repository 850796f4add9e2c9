package profiles

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/views/cards"
	views "laurel/views/profiles"
	"laurel/views/texts"
)

// ShareCard is the page on which members choose what their card shows.
func (h *Handlers) ShareCard(c echo.Context) error {
	show, theme, wrong := cardChoice(c.QueryParams())
	if wrong != "" {
		return echo.NewHTTPError(http.StatusUnprocessableEntity, wrong)
	}
	page := views.ShareCard{Frame: h.Frame(c, texts.T(c.Request().Context(), "Share your card")), Name: h.Viewer(c).Name, URL: h.URL}
	query := url.Values{}
	if !slices.Equal(show, cards.Parts) {
		query.Set("parts", strings.Join(show, ","))
	}
	if theme != cards.ThemeAuto {
		query.Set("theme", theme)
	}
	page.Query = web.WithQuery("", query)
	shown := []string{theme}
	if theme == cards.ThemeAuto {
		shown = []string{cards.ThemeLight, cards.ThemeDark}
	}
	for _, t := range shown {
		query.Set("theme", t)
		page.Shown = append(page.Shown, web.WithQuery("", query))
	}
	for _, part := range cards.Parts {
		page.Parts = append(page.Parts, views.CardChoice{Value: part, Label: cards.Labels[part], On: slices.Contains(show, part)})
	}
	for _, t := range cards.Themes {
		page.Theme = append(page.Theme, views.CardChoice{Value: t, Label: cards.Labels[t], On: t == theme})
	}
	return web.Render(c, http.StatusOK, views.ShareCardPage(page))
}
