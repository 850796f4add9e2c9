package notices

import (
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/notices"
)

type apiNotice struct {
	ID     int64           `json:"id"`
	Kind   string          `json:"kind"`
	At     time.Time       `json:"at"`
	Unread bool            `json:"unread"`
	Text   string          `json:"text"`
	Awards []notices.Award `json:"awards"`
}

// APIList lists a member's notifications, newest first: one's own, or an admin
// asks.
func (h *Handlers) APIList(c echo.Context) error {
	of, err := h.Managed(c)
	if err != nil {
		return err
	}
	limit, err := web.Limit(c)
	if err != nil {
		return err
	}
	cursor, err := pg.ParseCursor(c.QueryParam("cursor"))
	if err != nil {
		return err
	}
	lines, next, err := notices.Of(c.Request().Context(), h.DB.DB, of.ID, cursor, limit)
	if err != nil {
		return err
	}
	return web.SendList(c, lines, next.String(), func(l notices.Line) apiNotice {
		return apiNotice{ID: l.ID, Kind: l.Kind, At: l.At.UTC(), Unread: l.Unread, Text: l.Sentence(), Awards: l.Awards}
	})
}
