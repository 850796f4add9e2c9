package awards

import (
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/awards"
	"laurel/models/awards/rules"
	"laurel/models/badges"
	pg "laurel/models/db"
	"laurel/models/events"
	views "laurel/views/awards"
)

// Gallery shows what a new award can begin with.
func (h *Handlers) Gallery(c echo.Context) error {
	p := views.Gallery{Frame: h.AwardsFrame(c, "New award")}
	for _, s := range rules.Gallery() {
		card := views.Sample{Slug: s.Award.Slug, About: s.About, Title: s.Award.Title, Text: s.Award.Text, Needs: foreignSources(&s.Award)}
		for _, l := range s.Award.Levels {
			card.Levels = append(card.Levels, l.Title)
		}
		if s.Category {
			p.Categories = append(p.Categories, card)
		} else {
			p.Cookbook = append(p.Cookbook, card)
		}
	}
	return web.Render(c, http.StatusOK, views.GalleryPage(p))
}

// foreignSources are those of an award whose events other systems must send.
func foreignSources(doc *rules.Award) []string {
	var list []string
	for _, o := range doc.Objectives {
		for _, s := range o.Reach().Sources {
			if !events.Own(s) && !slices.Contains(list, s) {
				list = append(list, s)
			}
		}
	}
	return list
}

// GalleryPicture draws a sample.
func (h *Handlers) GalleryPicture(c echo.Context) error {
	s, err := sampleNamed(c.Param("slug"))
	if err != nil {
		return err
	}
	c.Response().Header().Set("Cache-Control", "private, max-age=3600")
	return c.Blob(http.StatusOK, "image/svg+xml", badges.Picture(s.Award.Slug, &s.Award).SVG())
}

func sampleNamed(slug string) (rules.Sample, error) {
	list := rules.Gallery()
	i := slices.IndexFunc(list, func(s rules.Sample) bool { return s.Award.Slug == slug })
	if i < 0 {
		return rules.Sample{}, pg.ErrNotFound
	}
	return list[i], nil
}

// startText is what the form of a new award begins with: a sample, with an address that is free, or nearly nothing.
func (h *Handlers) startText(c echo.Context) (text string, sampled bool, err error) {
	slug := c.QueryParam("from")
	if slug == "" {
		return newAward, false, nil
	}
	s, err := sampleNamed(slug)
	if err != nil {
		return "", false, err
	}
	free, err := awards.FreeSlug(c.Request().Context(), h.DB.DB, slug)
	if err != nil {
		return "", false, err
	}
	return strings.Replace(s.Text, `"slug": "`+slug+`"`, `"slug": "`+free+`"`, 1), true, nil
}
