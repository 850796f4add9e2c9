package community

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/forums"
	"laurel/models/members"
	"laurel/models/reports"
)

// APIReport reports a profile or a message to the admins.
func (h *Handlers) APIReport(c echo.Context) error {
	var in struct {
		Member  string `json:"member"`
		Message int64  `json:"message"`
		Text    string `json:"text"`
	}
	if err := web.Decode(c, &in); err != nil {
		return err
	}
	ctx := c.Request().Context()
	var what reports.Thing
	switch {
	case (in.Member == "") == (in.Message == 0):
		return &pg.InputError{Field: "member", Message: "say which member or which message, one of them"}
	case in.Member != "":
		m, err := members.ByName(ctx, h.DB.DB, in.Member)
		if err != nil {
			return err
		}
		what.Member = &m.ID
	default:
		if _, err := forums.MessageBySerial(ctx, h.DB.DB, in.Message); err != nil {
			return err
		}
		what.Message = &in.Message
	}
	if err := reports.Add(ctx, h.DB.DB, h.reporter(c), what, in.Text, h.Now()); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}
