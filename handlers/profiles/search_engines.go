package profiles

import (
	"encoding/xml"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/profiles"
	"laurel/views/parts"
)

// Robots says what search engines leave alone (RFC 9309): what has an end for nobody, and what is of
// no use to somebody who has not signed in.
func (h *Handlers) Robots(c echo.Context) error {
	return c.String(http.StatusOK, "User-agent: *\n"+
		"Disallow: /api/\nDisallow: /admin\nDisallow: /settings\nDisallow: /custom\nDisallow: /following\n"+
		"Disallow: /feed\nDisallow: /report\nDisallow: /archive\nDisallow: /ladders\n"+
		"Disallow: /compare/\nDisallow: /u/*/days\nDisallow: /u/*/diff\nDisallow: /u/*/timemap\nDisallow: /u/*/retrieval\n"+
		"Disallow: /*?*at=\n\nSitemap: "+h.URL+"/sitemap.xml\n")
}

// The namespace of sitemaps: https://www.sitemaps.org/protocol.html.
const sitemapSpace = "http://www.sitemaps.org/schemas/sitemap/0.9"

type sitemapEntry struct {
	Loc string `xml:"loc"`
}

// Sitemap lists the sitemaps of all public profiles.
func (h *Handlers) Sitemap(c echo.Context) error {
	if err := h.openToAll(c); err != nil {
		return err
	}
	n, err := profiles.Sitemaps(c.Request().Context(), h.DB.DB)
	if err != nil {
		return err
	}
	index := struct {
		XMLName  xml.Name       `xml:"sitemapindex"`
		Space    string         `xml:"xmlns,attr"`
		Sitemaps []sitemapEntry `xml:"sitemap"`
	}{Space: sitemapSpace}
	for i := range n {
		index.Sitemaps = append(index.Sitemaps, sitemapEntry{h.URL + "/sitemaps/" + strconv.Itoa(i+1)})
	}
	return sendXML(c, index)
}

// SitemapPage is one of them. The first one begins with the pages that are about everybody.
func (h *Handlers) SitemapPage(c echo.Context) error {
	page, err := strconv.Atoi(c.Param("page"))
	if err != nil || page < 1 || page > 10_000 {
		return echo.ErrNotFound
	}
	if err := h.openToAll(c); err != nil {
		return err
	}
	names, err := profiles.SitemapPage(c.Request().Context(), h.DB.DB, page)
	if err != nil {
		return err
	}
	if len(names) == 0 && page > 1 {
		return echo.ErrNotFound
	}
	set := struct {
		XMLName xml.Name       `xml:"urlset"`
		Space   string         `xml:"xmlns,attr"`
		URLs    []sitemapEntry `xml:"url"`
	}{Space: sitemapSpace}
	if page == 1 {
		for _, address := range []string{"/", "/awards", "/forums"} {
			set.URLs = append(set.URLs, sitemapEntry{h.URL + address})
		}
	}
	for _, name := range names {
		set.URLs = append(set.URLs, sitemapEntry{h.URL + parts.ProfilePath(name)})
	}
	return sendXML(c, set)
}

// openToAll returns ErrNotFound where the community is for its members only.
func (h *Handlers) openToAll(c echo.Context) error {
	closed, err := members.MembersOnly(c.Request().Context(), h.DB.DB)
	if err == nil && closed {
		err = pg.ErrNotFound
	}
	return err
}

func sendXML(c echo.Context, v any) error {
	text, err := xml.Marshal(v)
	if err != nil {
		return err
	}
	c.Response().Header().Set("Cache-Control", "public, max-age=3600")
	return c.Blob(http.StatusOK, "application/xml; charset=utf-8", append([]byte(xml.Header), text...))
}
