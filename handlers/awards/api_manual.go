package awards

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/awards"
	"laurel/models/members"
)

type apiByHand struct {
	Note   string `json:"note"`
	Level  int    `json:"level"`
	Period string `json:"period"`
}

// APIGrant gives a member an award by hand.
func (h *Handlers) APIGrant(c echo.Context) error {
	by, err := h.byHand(c)
	if err != nil {
		return err
	}
	if err := awards.GrantByHand(c.Request().Context(), h.DB.DB, by, h.Now()); err != nil {
		return err
	}
	return h.sendStanding(c)
}

// APIRevoke takes an award from a member by hand.
func (h *Handlers) APIRevoke(c echo.Context) error {
	by, err := h.byHand(c)
	if err != nil {
		return err
	}
	if err := awards.RevokeByHand(c.Request().Context(), h.DB.DB, by, h.Now()); err != nil {
		return err
	}
	return h.sendStanding(c)
}

func (h *Handlers) byHand(c echo.Context) (awards.ByHand, error) {
	var in apiByHand
	if err := optional(c, &in); err != nil {
		return awards.ByHand{}, err
	}
	return awards.ByHand{Member: c.Param("name"), Award: c.Param("slug"), Level: in.Level, Period: in.Period, Note: in.Note,
		Author: h.Viewer(c).Name}, nil
}

// sendStanding sends how the member of the address stands with its award.
func (h *Handlers) sendStanding(c echo.Context) error {
	ctx := c.Request().Context()
	m, err := members.ByName(ctx, h.DB.DB, c.Param("name"))
	if err != nil {
		return err
	}
	shown, err := awards.ShownNamed(ctx, h.DB.DB, c.Param("slug"), h.Viewer(c))
	if err != nil {
		return err
	}
	list, err := awards.StandingsOf(ctx, h.DB.DB, &m, []awards.Shown{shown}, h.Now())
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, h.showStanding(&list[0]))
}

// APIBan keeps a member from awards.
func (h *Handlers) APIBan(c echo.Context) error { return h.setBan(c, true) }

// APIUnban lets a member have awards again.
func (h *Handlers) APIUnban(c echo.Context) error { return h.setBan(c, false) }

func (h *Handlers) setBan(c echo.Context, banned bool) error {
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
