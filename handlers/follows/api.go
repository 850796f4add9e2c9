package follows

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/follows"
)

type apiPerson struct {
	Name        string    `json:"name"`
	DisplayName string    `json:"display_name"`
	Since       time.Time `json:"since"`
	State       string    `json:"state,omitempty"` // Of those whom one follows.
}

// APIFollowing lists whom the viewer follows, and asked.
func (h *Handlers) APIFollowing(c echo.Context) error { return h.apiList(c, follows.Followed) }

// APIFollowers lists who follows the viewer.
func (h *Handlers) APIFollowers(c echo.Context) error { return h.apiList(c, follows.Followers) }

// APIRequests lists who asks to follow the viewer.
func (h *Handlers) APIRequests(c echo.Context) error { return h.apiList(c, follows.Requests) }

// APIBlocks lists whom the viewer blocked.
func (h *Handlers) APIBlocks(c echo.Context) error { return h.apiList(c, follows.Blocked) }

func (h *Handlers) apiList(c echo.Context, list string) error {
	limit, err := web.Limit(c)
	if err != nil {
		return err
	}
	cursor, err := pg.ParseCursor(c.QueryParam("cursor"))
	if err != nil {
		return err
	}
	people, next, err := follows.Of(c.Request().Context(), h.DB.DB, list, h.Viewer(c).ID, cursor, limit)
	if err != nil {
		return err
	}
	return web.SendList(c, people, next.String(), func(p follows.Person) apiPerson {
		return apiPerson{p.Name, p.DisplayName, p.At.UTC(), p.State}
	})
}

// APIFollow follows somebody, or asks them.
func (h *Handlers) APIFollow(c echo.Context) error {
	state, err := follows.Follow(c.Request().Context(), h.DB.DB, h.Viewer(c), c.Param("name"), h.Now())
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, map[string]string{"name": c.Param("name"), "state": state})
}

// APIUnfollow ends it, or the request.
func (h *Handlers) APIUnfollow(c echo.Context) error {
	return h.none(c, follows.Unfollow(c.Request().Context(), h.DB.DB, h.Viewer(c).ID, c.Param("name")))
}

// APIAllow lets who asks follow the viewer.
func (h *Handlers) APIAllow(c echo.Context) error {
	return h.none(c, follows.Answer(c.Request().Context(), h.DB.DB, h.Viewer(c).ID, c.Param("name"), true, h.Now()))
}

// APIDecline does not, and does not say so.
func (h *Handlers) APIDecline(c echo.Context) error {
	return h.none(c, follows.Answer(c.Request().Context(), h.DB.DB, h.Viewer(c).ID, c.Param("name"), false, h.Now()))
}

// APIBlock keeps somebody from following the viewer.
func (h *Handlers) APIBlock(c echo.Context) error {
	return h.none(c, follows.Block(c.Request().Context(), h.DB.DB, h.Viewer(c).ID, c.Param("name"), h.Now()))
}

// APIUnblock lets them.
func (h *Handlers) APIUnblock(c echo.Context) error {
	return h.none(c, follows.Unblock(c.Request().Context(), h.DB.DB, h.Viewer(c).ID, c.Param("name")))
}

func (h *Handlers) none(c echo.Context, err error) error {
	if err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

type apiDay struct {
	Member      string            `json:"member"`
	DisplayName string            `json:"display_name"`
	Custom      bool              `json:"custom"`
	Day         string            `json:"day"`
	At          time.Time         `json:"at"`
	Solved      int               `json:"solved"`
	Problems    []follows.Problem `json:"problems"`
	Awards      []follows.Award   `json:"awards"`
}

// APIFeed lists what people whom the viewer follows did, by person and day.
func (h *Handlers) APIFeed(c echo.Context) error {
	limit, err := web.Limit(c)
	if err != nil {
		return err
	}
	cursor, err := pg.ParseCursor(c.QueryParam("cursor"))
	if err != nil {
		return err
	}
	v := h.Viewer(c)
	days, next, err := follows.Feed(c.Request().Context(), h.DB.DB, v, cursor, limit, h.Now())
	if err != nil {
		return err
	}
	return web.SendList(c, days, next.String(), func(d follows.Day) apiDay {
		date := d.Day.In(v.Location()).Format(time.DateOnly)
		return apiDay{d.Name, d.DisplayName, d.Custom, date, d.At.UTC(), d.Solved, d.Problems, d.Awards}
	})
}
