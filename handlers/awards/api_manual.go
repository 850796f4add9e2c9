package awards

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
	"gorm.io/gorm"

	"laurel/handlers/web"
	"laurel/models/awards"
)

type apiByHand struct {
	Note   string `json:"note"`
	Level  int    `json:"level"`
	Period string `json:"period"`
}

// APIGrant gives a member an award by hand.
func (h *Handlers) APIGrant(c echo.Context) error { return h.byHand(c, awards.GrantByHand) }

// APIRevoke takes an award from a member by hand.
func (h *Handlers) APIRevoke(c echo.Context) error { return h.byHand(c, awards.RevokeByHand) }

// byHand grants or revokes, and sends how the member of the address stands with its award.
func (h *Handlers) byHand(c echo.Context, do func(context.Context, *gorm.DB, awards.ByHand, time.Time) error) error {
	var in apiByHand
	if err := optional(c, &in); err != nil {
		return err
	}
	by := awards.ByHand{Member: c.Param("name"), Award: c.Param("slug"), Level: in.Level, Period: in.Period, Note: in.Note,
		Author: h.Viewer(c).Name}
	if err := do(c.Request().Context(), h.DB.DB, by, h.Now()); err != nil {
		return err
	}
	m, shown, err := h.explained(c)
	if err != nil {
		return err
	}
	list, err := awards.StandingsOf(c.Request().Context(), h.DB.DB, &m, []awards.Shown{shown}, h.Now())
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, h.showStanding(&list[0]))
}

// apiBan keeps a member from awards, or ends that.
func (h *Handlers) apiBan(banned bool) echo.HandlerFunc {
	return func(c echo.Context) error {
		var in struct {
			Note string `json:"note"`
		}
		if err := optional(c, &in); err != nil {
			return err
		}
		m, err := awards.BanMember(c.Request().Context(), h.DB.DB, c.Param("name"),
			awards.Ban{Banned: banned, Author: h.Viewer(c).Name, Note: in.Note}, h.Now())
		if err != nil {
			return err
		}
		return c.JSON(http.StatusOK, struct {
			Name     string     `json:"name"`
			BannedAt *time.Time `json:"banned_at"`
		}{m.Name, web.UTC(m.BannedAt)})
	}
}
