package web

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
)

// Register adds the routes, and what happens to every request on its way.
func (h *Base) Register(e *echo.Echo, routes []Route) {
	e.HTTPErrorHandler = h.handleError
	e.IPExtractor = h.IPExtractor()
	e.Use(h.log, h.headers, h.recover, h.crossOrigin())
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

// guard lets a request pass if its sender has the role.
func (h *Base) guard(who Role, next echo.HandlerFunc) echo.HandlerFunc {
	if who == Public {
		return next
	}
	return func(c echo.Context) error {
		if err := h.loadViewer(c); err != nil {
			return err
		}
		v := h.Viewer(c)
		if v != nil {
			c.Response().Header().Set("Cache-Control", "no-store") // What one member saw is not for the next at this machine.
		}
		switch {
		case who == Anyone, who == Local && fromHere(c.Request()), v != nil && who == Member, v != nil && v.Role == "admin":
			return next(c)
		case v != nil:
			return echo.NewHTTPError(http.StatusForbidden, "this is for admins, and you are signed in as "+v.Name)
		case mayRedirect(c):
			return c.Redirect(http.StatusSeeOther, "/sign-in?next="+url.QueryEscape(c.Request().URL.RequestURI()))
		}
		return echo.ErrUnauthorized
	}
}
