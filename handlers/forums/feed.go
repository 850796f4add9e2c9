package forums

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/forums"
	"laurel/models/members"
	"laurel/views/texts"
)

const feedMessages = 50

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
		return &pg.InputError{Field: "about", Message: texts.Mark("Must be a kind and a key, such as problem:codeforces/4A or member:ada.")}
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
	out := web.AtomFeed{ID: h.AtomTag(strings.TrimPrefix(f.path, "/")), Title: f.title, Since: f.since,
		Links: h.AtomLinks(f.path, f.page)}
	for i := range list {
		out.Add(h.atomEntry(&list[i]), list[i].StoredAt)
	}
	return out.Send(c)
}

func (h *Handlers) atomEntry(m *forums.Message) web.AtomEntry {
	serial := strconv.FormatInt(m.Serial, 10)
	e := web.AtomEntry{ID: h.AtomTag("messages/" + serial), Title: cmp.Or(m.Subject, "(no subject)"), Author: cmp.Or(m.Author, "somebody"),
		Published: sent(m).Format(time.RFC3339),
		Links:     []web.AtomLink{{Rel: "alternate", Type: "text/html", Href: h.URL + "/messages/" + serial}},
		Summary:   excerpt(m.Body)}
	if u, err := url.Parse(m.URL); err == nil && u.Host != "" && u.User == nil && (u.Scheme == "http" || u.Scheme == "https") {
		e.Links = append(e.Links, web.AtomLink{Rel: "via", Type: "text/html", Href: m.URL}) // The original.
	}
	return e
}
