package forums

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	pg "laurel/models/db"
	"laurel/models/forums"
	"laurel/models/members"
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

// Feed is a forum's newest messages as Atom (RFC 4287), as plain text.
func (h *Handlers) Feed(c echo.Context) error {
	f, err := forums.BySlug(c.Request().Context(), h.DB.DB, c.Param("slug"))
	if err != nil {
		return err
	}
	return h.sendFeed(c, feed{f.Name, feedAddress(f.Slug), "/forums/" + f.Slug, f.AddedAt}, forums.Filter{Forum: f.Slug})
}

// MemberFeed is what a member wrote in forums, as Atom.
func (h *Handlers) MemberFeed(c echo.Context) error {
	m, err := members.ByName(c.Request().Context(), h.DB.DB, c.Param("name"))
	if err != nil {
		return err
	}
	return h.sendFeed(c, feed{"Messages by " + m.DisplayName, memberFeedAddress(m.Name), "/u/" + m.Name + "/messages", m.CreatedAt},
		forums.Filter{MemberID: m.ID})
}

// AboutFeed is what was written about a thing, as Atom.
func (h *Handlers) AboutFeed(c echo.Context) error {
	kind, key, ok := aboutWhat(c)
	if !ok {
		return &pg.InputError{Field: "about", Message: "must be a kind and a key, such as problem:codeforces/4A or member:ada"}
	}
	about := kind + ":" + key
	return h.sendFeed(c, feed{"Messages about " + kind + " " + key, aboutFeedAddress(about), "/forums?about=" + url.QueryEscape(about),
		time.Time{}}, forums.Filter{RefKind: kind, RefKey: key})
}

func memberFeedAddress(name string) string { return "/u/" + url.PathEscape(name) + "/messages.atom" }

func aboutFeedAddress(about string) string { return "/messages.atom?about=" + url.QueryEscape(about) }

// A feed is a list of messages that programs follow.
type feed struct {
	title, path, page string // page is the one for people.
	since             time.Time
}

// sendFeed sends the newest messages, or says that nothing has changed.
func (h *Handlers) sendFeed(c echo.Context, f feed, which forums.Filter) error {
	which.Since = -1
	list, _, err := forums.Messages(c.Request().Context(), h.DB.DB, which, feedMessages)
	if err != nil {
		return err
	}
	updated := f.since
	out := atomFeed{ID: h.tag(strings.TrimPrefix(f.path, "/")), Title: f.title,
		Links: []atomLink{{"self", "application/atom+xml", h.URL + f.path}, {"alternate", "text/html", h.URL + f.page}}}
	for i := range list {
		out.Entries = append(out.Entries, h.atomEntry(&list[i]))
		if list[i].StoredAt.After(updated) {
			updated = list[i].StoredAt
		}
	}
	out.Updated = updated.UTC().Format(time.RFC3339)
	body, err := xml.Marshal(out)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(body)
	etag := `"` + hex.EncodeToString(sum[:12]) + `"`
	head := c.Response().Header()
	head.Set("ETag", etag)
	head.Set("Cache-Control", "no-cache") // Ask each time; the answer is mostly short.
	if !updated.IsZero() {
		head.Set(echo.HeaderLastModified, updated.UTC().Format(http.TimeFormat))
	}
	if unchanged(c.Request(), etag, updated) {
		return c.NoContent(http.StatusNotModified)
	}
	return c.Blob(http.StatusOK, "application/atom+xml; charset=utf-8", append([]byte(xml.Header), body...))
}

func (h *Handlers) atomEntry(m *forums.Message) atomEntry {
	serial := strconv.FormatInt(m.Serial, 10)
	e := atomEntry{ID: h.tag("messages/" + serial), Title: cmp.Or(m.Subject, "(no subject)"), Author: cmp.Or(m.Author, "somebody"),
		Published: sent(m).Format(time.RFC3339),
		Updated:   m.StoredAt.UTC().Format(time.RFC3339), Links: []atomLink{{"alternate", "text/html", h.URL + "/messages/" + serial}},
		Summary: excerpt(m.Body)}
	if u, err := url.Parse(m.URL); err == nil && u.Host != "" && u.User == nil && (u.Scheme == "http" || u.Scheme == "https") {
		e.Links = append(e.Links, atomLink{"via", "text/html", m.URL}) // The original.
	}
	return e
}

// tag is an id that stays when Laurel moves behind another port or scheme (RFC 4151).
func (h *Handlers) tag(what string) string {
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
		for tag := range strings.SplitSeq(given, ",") {
			if tag = strings.TrimPrefix(strings.TrimSpace(tag), "W/"); tag == etag || tag == "*" {
				return true
			}
		}
		return false
	}
	since, err := http.ParseTime(r.Header.Get("If-Modified-Since"))
	return err == nil && !at.IsZero() && !at.Truncate(time.Second).After(since)
}
