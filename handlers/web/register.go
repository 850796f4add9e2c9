package web

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"laurel/models/members"
)

// Register adds the routes, and what happens to every request on its way.
func (h *Base) Register(e *echo.Echo, routes []Route) {
	e.HTTPErrorHandler = h.handleError
	e.IPExtractor = h.IPExtractor()
	e.Use(h.log, h.headers, h.language, noIndex, h.recover, h.crossOrigin())
	compress := middleware.GzipWithConfig(middleware.GzipConfig{Level: 1, MinLength: 1024,
		Skipper: func(c echo.Context) bool { return c.Path() == "/static/*" || c.Path() == "/metrics" }}) // Those do it themselves.
	for _, r := range routes {
		handle := h.guard(r.Role, r.handle)
		if !r.Streams {
			handle = compress(h.deadline(handle))
		}
		handle = limitBody(r.maxBody, handle)
		e.Add(r.Method, r.Path, handle)
		if r.Method == http.MethodGet && !r.Streams {
			e.HEAD(r.Path, handle)
		}
	}
	e.RouteNotFound("/*", h.guard(Anyone, notFound))
}

// notFound distinguishes an unknown address from a wrong method.
func notFound(c echo.Context) error {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		other := c.Echo().NewContext(c.Request(), nil)
		if c.Echo().Router().Find(method, c.Request().URL.Path, other); other.Path() != "/*" {
			allowed = append(allowed, method)
		}
	}
	if len(allowed) == 0 {
		return echo.ErrNotFound
	}
	c.Response().Header().Set(echo.HeaderAllow, strings.Join(allowed, ", "))
	return echo.ErrMethodNotAllowed
}

// guard lets a request pass if its sender has the role. From here on all reads are those of
// the sender: see members.As.
func (h *Base) guard(who Role, next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if who != Public {
			if err := h.loadViewer(c, who); err != nil {
				return err
			}
		}
		v := h.Viewer(c)
		speakTo(c, v)
		c.SetRequest(c.Request().WithContext(members.As(c.Request().Context(), members.ViewerOf(v))))
		if v != nil {
			c.Response().Header().Set("Cache-Control", "no-store") // What one member saw is not for the next at this machine.
		}
		allowed, err := h.allowed(c, who)
		switch {
		case err != nil:
			return err
		case allowed:
			if who == Support {
				h.SeeAll(c)
			}
			return next(c)
		case v != nil && who == Support:
			return echo.NewHTTPError(http.StatusForbidden, "this is for support and admins, and you are signed in as "+v.Name)
		case v != nil:
			return echo.NewHTTPError(http.StatusForbidden, "this is for admins, and you are signed in as "+v.Name)
		case who != Feed && mayRedirect(c):
			return c.Redirect(http.StatusSeeOther, "/sign-in?next="+url.QueryEscape(c.Request().URL.RequestURI()))
		}
		return echo.ErrUnauthorized
	}
}

// SeeAll lets support and admins see also members who let nobody see them, on pages about awards.
func (h *Base) SeeAll(c echo.Context) {
	if h.Viewer(c).Supports() {
		c.SetRequest(c.Request().WithContext(members.As(c.Request().Context(), members.Everything)))
	}
}

// allowed says whether who asks has the role.
func (h *Base) allowed(c echo.Context, who Role) (bool, error) {
	v := h.Viewer(c)
	switch who {
	case Public, Door:
		return true, nil
	case Anyone, Feed:
		if v != nil {
			return true, nil
		}
		closed, err := members.MembersOnly(c.Request().Context(), h.DB.DB)
		return !closed, err
	case Member:
		return v != nil, nil
	case Support:
		return v.Supports(), nil
	case Pusher:
		if h.TokenSource(c) != "" {
			return true, nil
		}
	case Local:
		if fromHere(c.Request()) {
			return true, nil
		}
	}
	return v != nil && v.Role == members.RoleAdmin, nil
}
