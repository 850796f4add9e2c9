package follows

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/follows"
	"laurel/models/members"
)

// FollowNamed follows whoever has a name, or asks them. Whether there is somebody is not said.
func (h *Handlers) FollowNamed(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	state, err := follows.Follow(c.Request().Context(), h.DB.DB, h.Viewer(c), c.FormValue("name"), h.Now())
	if errs := web.FieldErrors(err); errs != nil {
		return h.showFollowing(c, http.StatusUnprocessableEntity, web.FormAgain(c, errs))
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/following?done="+state)
}

// Follow is the button on a profile.
func (h *Handlers) Follow(c echo.Context) error {
	m, err := members.ByName(c.Request().Context(), h.DB.DB, c.Param("name"))
	if err != nil {
		return err
	}
	state, err := follows.Follow(c.Request().Context(), h.DB.DB, h.Viewer(c), m.Name, h.Now())
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, web.MemberAddress(m.Name)+"?done="+state)
}

// Unfollow ends it, or the request. It leads back to the profile, if there is one to see.
func (h *Handlers) Unfollow(c echo.Context) error {
	err := follows.Unfollow(c.Request().Context(), h.DB.DB, h.Viewer(c).ID, c.Param("name"))
	if err != nil {
		return err
	}
	m, err := members.ByName(c.Request().Context(), h.DB.DB, c.Param("name"))
	if err != nil {
		return c.Redirect(http.StatusSeeOther, "/following?done=not-following")
	}
	return c.Redirect(http.StatusSeeOther, web.MemberAddress(m.Name)+"?done=not-following")
}

// Block keeps a member from following the viewer.
func (h *Handlers) Block(c echo.Context) error {
	err := follows.Block(c.Request().Context(), h.DB.DB, h.Viewer(c).ID, c.Param("name"), h.Now())
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/following/blocked?done=blocked")
}

// Unblock lets them.
func (h *Handlers) Unblock(c echo.Context) error {
	if err := follows.Unblock(c.Request().Context(), h.DB.DB, h.Viewer(c).ID, c.Param("name")); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/following/blocked?done=unblocked")
}

// Allow lets who asks follow the viewer.
func (h *Handlers) Allow(c echo.Context) error { return h.answer(c, true, "allowed") }

// Decline does not, and does not say so.
func (h *Handlers) Decline(c echo.Context) error { return h.answer(c, false, "declined") }

func (h *Handlers) answer(c echo.Context, allow bool, done string) error {
	if err := follows.Answer(c.Request().Context(), h.DB.DB, h.Viewer(c).ID, c.Param("name"), allow, h.Now()); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/following/requests?done="+done)
}
