package handlers

import (
	"cmp"
	"encoding/xml"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/models"
)

const feedMessages = 50

type (
	atomFeed struct {
		XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
		ID      string      `xml:"id"`
		Title   string      `xml:"title"`
		Updated string      `xml:"updated"`
		Links   []atomLink  `xml:"link"`
		Entries []atomEntry `xml:"entry"`
	}
	atomLink struct {
		Rel  string `xml:"rel,attr"`
		Type string `xml:"type,attr,omitempty"`
		Href string `xml:"href,attr"`
	}
	atomEntry struct {
		ID        string     `xml:"id"`
		Title     string     `xml:"title"`
		Author    string     `xml:"author>name"`
		Published string     `xml:"published"`
		Updated   string     `xml:"updated"`
		Links     []atomLink `xml:"link"`
		Summary   string     `xml:"summary"`
	}
)

// ForumFeed is a forum's newest messages as Atom (RFC 4287), as plain text.
func (h *Handlers) ForumFeed(c echo.Context) error {
	ctx := c.Request().Context()
	f, err := models.ForumBySlug(ctx, h.DB.DB, c.Param("slug"))
	if err != nil {
		return err
	}
	list, _, err := models.Messages(ctx, h.DB.DB, models.MessageFilter{Forum: f.Slug, Since: -1}, feedMessages)
	if err != nil {
		return err
	}
	self := h.URL + feedAddress(f.Slug)
	feed := atomFeed{ID: self, Title: f.Name, Links: []atomLink{{"self", "application/atom+xml", self}, {"alternate", "text/html", h.URL + "/forums/" + f.Slug}}}
	updated := f.AddedAt
	for i := range list {
		m := &list[i]
		page := h.URL + "/messages/" + strconv.FormatInt(m.Serial, 10)
		e := atomEntry{ID: page, Title: cmp.Or(m.Subject, "(no subject)"), Author: cmp.Or(m.Author, "somebody"), Published: sent(m).Format(time.RFC3339), Updated: m.StoredAt.UTC().Format(time.RFC3339),
			Links: []atomLink{{"alternate", "text/html", page}}, Summary: excerpt(m.Body)}
		feed.Entries = append(feed.Entries, e)
		if m.StoredAt.After(updated) {
			updated = m.StoredAt
		}
	}
	feed.Updated = updated.UTC().Format(time.RFC3339)
	body, err := xml.Marshal(feed)
	if err != nil {
		return err
	}
	return c.Blob(http.StatusOK, "application/atom+xml; charset=utf-8", append([]byte(xml.Header), body...))
}
