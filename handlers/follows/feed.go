package follows

import (
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/follows"
	"laurel/models/members"
	views "laurel/views/follows"
	"laurel/views/texts"
)

const (
	feedShown   = 30
	feedEntries = 50
)

// Feed shows what people whom the viewer follows did, a row for each person and day.
func (h *Handlers) Feed(c echo.Context) error {
	ctx := c.Request().Context()
	v := h.Viewer(c)
	cursor, err := pg.ParseCursor(c.QueryParam("after"))
	if err != nil {
		return err
	}
	days, next, err := follows.Feed(ctx, h.DB.DB, v, cursor, feedShown, h.Now())
	if err != nil {
		return err
	}
	p := views.Feed{Frame: h.Frame(c, texts.T(ctx, "What people I follow did")), Now: h.Now().In(v.Location()),
		Days: h.FollowedDays(c, days, v.Location()), Older: web.PageAddress(c, "after", next)}
	if cursor != (pg.Cursor{}) {
		p.Newest = c.Request().URL.Path
	}
	if p.Waiting, err = follows.Waiting(ctx, h.DB.DB, v.ID); err != nil {
		return err
	}
	return web.Render(c, http.StatusOK, views.FeedPage(p))
}

// Atom is the feed for programs, of whose token is in the address, or of who signed in. A token that is none is
// an address that is none.
func (h *Handlers) Atom(c echo.Context) error {
	ctx, of := c.Request().Context(), h.Viewer(c)
	if token := c.QueryParam("token"); token != "" {
		m, err := members.ByFeedToken(ctx, h.DB.DB, token)
		if err != nil {
			return err
		}
		of = &m
	}
	if of == nil {
		return pg.ErrNotFound
	}
	ctx = members.As(ctx, members.Viewer(of.ID)) // As a member: also an admin's.
	days, _, err := follows.Feed(ctx, h.DB.DB, of, pg.Cursor{}, feedEntries, h.Now())
	if err != nil {
		return err
	}
	feed := web.AtomFeed{ID: h.AtomTag("feed/" + of.Name), Title: texts.T(ctx, "What people %s follows did", of.DisplayName),
		Since: of.CreatedAt,
		Links: h.AtomLinks("/feed.atom", "/feed")}
	for i, d := range h.FollowedDays(c, days, of.Location()) {
		day := days[i].Day.In(of.Location()).Format(time.DateOnly)
		feed.Add(web.AtomEntry{ID: h.AtomTag("feed/" + strconv.FormatInt(d.Person.ID, 10) + "/" + day), Title: views.Sentence(ctx, d),
			Author: d.Person.DisplayName, Published: days[i].Day.UTC().Format(time.RFC3339),
			Links:   []web.AtomLink{{Rel: "alternate", Type: "text/html", Href: h.URL + web.MemberAddress(d.Person.Name)}},
			Summary: views.Named(ctx, d)}, days[i].At)
	}
	return feed.Send(c)
}
