package notices

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/notices"
	views "laurel/views/notices"
	"laurel/views/texts"
)

const noticesShown = 50

// Index is the viewer's notifications. Looking at it marks nothing as read: a
// browser may look ahead.
func (h *Handlers) Index(c echo.Context) error {
	ctx, v, now := c.Request().Context(), h.Viewer(c), h.Now()
	cursor, err := pg.ParseCursor(c.QueryParam("after"))
	if err != nil {
		return err
	}
	lines, next, err := notices.Of(ctx, h.DB.DB, v.ID, cursor, noticesShown)
	if err != nil {
		return err
	}
	p := views.Index{Frame: h.Frame(c, texts.T(ctx, "Notices")), Now: now.In(v.Location()), Until: now.UTC().Format(time.RFC3339Nano),
		Older: web.PageAddress(c, "after", next)}
	if cursor != (pg.Cursor{}) {
		p.Newest = c.Request().URL.Path
	}
	if p.Unread, err = notices.Unread(ctx, h.DB.DB, v.ID); err != nil {
		return err
	}
	for i := range lines {
		l := &lines[i]
		p.Lines = append(p.Lines, views.Line{At: l.At, Sentence: l.Sentence(), To: noticeTo(l), Unread: l.Unread})
	}
	return web.Render(c, http.StatusOK, views.IndexPage(p))
}

// noticeTo is where a line leads: to its award, or to all of the member's.
func noticeTo(l *notices.Line) string {
	if l.Kind == notices.NoticeRenamed {
		return "/u/" + l.Member
	}
	if l.Kind == notices.NoticeSite {
		return "/sites"
	}
	if l.Kind == notices.NoticeFollow {
		return "/following/requests"
	}
	if len(l.Awards) == 1 && (l.Holds || l.Kind != notices.NoticeRevoked) {
		return "/awards/" + l.Awards[0].Slug
	}
	return "/u/" + l.Member + "/awards"
}

// MarkRead marks as read what was on the page, and what is older.
func (h *Handlers) MarkRead(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	now := h.Now()
	until, err := time.Parse(time.RFC3339Nano, c.FormValue("until"))
	if err != nil {
		until = now
	}
	if err := notices.Read(c.Request().Context(), h.DB.DB, h.Viewer(c).ID, until, now); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/notices")
}
