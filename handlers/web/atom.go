package web

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"net/http"
	"net/url"
	"time"

	"github.com/labstack/echo/v4"
)

// An AtomFeed is a list that programs follow (RFC 4287), as plain text.
type AtomFeed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Links   []AtomLink  `xml:"link"`
	Entries []AtomEntry `xml:"entry"`

	Since time.Time `xml:"-"` // When it was updated where it has no entry.
}

// An AtomLink is an address of a feed or of an entry.
type AtomLink struct {
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr,omitempty"`
	Href string `xml:"href,attr"`
}

// An AtomEntry is one thing of a feed.
type AtomEntry struct {
	ID        string     `xml:"id"`
	Title     string     `xml:"title"`
	Author    string     `xml:"author>name"`
	Published string     `xml:"published"`
	Updated   string     `xml:"updated"`
	Links     []AtomLink `xml:"link"`
	Summary   string     `xml:"summary"`
}

// Add adds an entry that last changed at a time.
func (f *AtomFeed) Add(e AtomEntry, updated time.Time) {
	e.Updated = updated.UTC().Format(time.RFC3339)
	f.Entries = append(f.Entries, e)
	if updated.After(f.Since) {
		f.Since = updated
	}
}

// Send sends the feed, or says that nothing has changed.
func (f *AtomFeed) Send(c echo.Context) error {
	f.Updated = f.Since.UTC().Format(time.RFC3339)
	body, err := xml.Marshal(f)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(body)
	etag := `"` + hex.EncodeToString(sum[:12]) + `"`
	head := c.Response().Header()
	head.Set("ETag", etag)
	head.Set("Cache-Control", "no-cache") // Ask each time; the answer is mostly short.
	if !f.Since.IsZero() {
		head.Set(echo.HeaderLastModified, f.Since.UTC().Format(http.TimeFormat))
	}
	if unchanged(c.Request(), etag, f.Since) {
		return c.NoContent(http.StatusNotModified)
	}
	return c.Blob(http.StatusOK, "application/atom+xml; charset=utf-8", append([]byte(xml.Header), body...))
}

// AtomLinks lead to a feed, and to the page that is it for people.
func (h *Base) AtomLinks(feed, page string) []AtomLink {
	return []AtomLink{{Rel: "self", Type: "application/atom+xml", Href: h.URL + feed},
		{Rel: "alternate", Type: "text/html", Href: h.URL + page}}
}

// AtomTag is an id that stays when Laurel moves behind another port or scheme (RFC 4151).
func (h *Base) AtomTag(what string) string {
	host := "localhost"
	if u, err := url.Parse(h.URL); err == nil && u.Hostname() != "" {
		host = u.Hostname()
	}
	return "tag:" + host + ",2026:" + what
}

// unchanged says whether who asks has what would be sent. An ETag, where there is
// one, decides alone (RFC 9110).
func unchanged(r *http.Request, etag string, at time.Time) bool {
	if given := r.Header.Get("If-None-Match"); given != "" {
		return MatchesETag(given, etag)
	}
	since, err := http.ParseTime(r.Header.Get("If-Modified-Since"))
	return err == nil && !at.IsZero() && !at.Truncate(time.Second).After(since)
}
