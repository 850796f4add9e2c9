package forums

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/forums"
	"laurel/models/members"
	views "laurel/views/forums"
	"laurel/views/texts"
)

// Message shows one message.
func (h *Handlers) Message(c echo.Context) error {
	ctx := c.Request().Context()
	serial, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil || serial < 1 {
		return pg.ErrNotFound
	}
	m, err := forums.MessageBySerial(ctx, h.DB.DB, serial)
	if err != nil {
		return err
	}
	p := views.OneMessage{Frame: h.ForumsFrame(c, messageTitle(ctx, m.Subject, m.ForumName)), Now: h.Now().In(h.ViewerZone(c)),
		Letter: letter(&m), Shown: m.SentShown, URL: m.URL, Stored: m.StoredAt, Body: m.Body,
		Selectand: m.Selectand, Compared: strings.Replace(m.Compared, "/", ", ", 1)}
	for _, r := range m.References(members.Asking(ctx)) {
		p.Refs = append(p.Refs, views.Reference(r))
	}
	thread, err := forums.ThreadLines(ctx, h.DB.DB, m.ThreadID)
	if err != nil {
		return err
	}
	p.Thread = len(thread)
	if len(thread) > 0 {
		p.ThreadOf = threadAddress(m.Forum, thread[0].Serial)
	}
	for i := range thread {
		if thread[i].Serial != m.Serial {
			continue
		}
		if i > 0 {
			p.Previous = lineView(&thread[i-1])
		}
		if i+1 < len(thread) {
			p.Next = lineView(&thread[i+1])
		}
	}
	return web.Render(c, http.StatusOK, views.MessagePage(p))
}

func messageTitle(ctx context.Context, subject, forum string) string {
	if subject == "" {
		return texts.T(ctx, "A message in %s", forum)
	}
	return subject
}

func lineView(l *forums.MessageLine) *views.Letter {
	return &views.Letter{Serial: l.Serial, Author: l.Author, Member: l.Member, Subject: l.Subject, Sent: web.Deref(l.SentAt),
		Approximate: l.Approximate}
}

// MemberMessages lists what a member wrote.
func (h *Handlers) MemberMessages(c echo.Context) error {
	m, err := members.ByName(c.Request().Context(), h.DB.DB, c.Param("name"))
	if err != nil {
		return err
	}
	v := h.Viewer(c)
	p := views.MemberMessages{Feed: memberFeedAddress(m.Name),
		Frame: h.ForumsFrame(c, texts.T(c.Request().Context(), "Messages of %s", m.DisplayName)),
		Now:   h.Now().In(h.Zone(c, &m)), Name: m.Name, DisplayName: m.DisplayName, Own: v != nil && v.ID == m.ID}
	p.Frame.Feed = p.Feed
	if p.Messages, p.Older, p.Newest, err = h.messagePage(c, forums.Filter{MemberID: m.ID}); err != nil {
		return err
	}
	return web.Render(c, http.StatusOK, views.MemberMessagesPage(p))
}
