package web

import (
	"strings"

	"github.com/labstack/echo/v4"
)

// noIndex tells search engines to leave out pages that are the same in endlessly many ways: those of
// an instant, filtered, sorted or behind a cursor, comparisons, and days of the archive. robots.txt
// keeps most crawlers away from them; this keeps out what others link to.
func noIndex(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if u := c.Request().URL; u.RawQuery != "" || isEndless(u.Path) {
			c.Response().Header().Set("X-Robots-Tag", "noindex")
		}
		return next(c)
	}
}

func isEndless(path string) bool {
	for _, prefix := range []string{"/api/", "/archive", "/ladders", "/compare/", "/sign-", "/messages/"} {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	_, rest, of := strings.Cut(strings.TrimPrefix(path, "/u/"), "/")
	return strings.HasPrefix(path, "/u/") && of && rest != "awards" && rest != "posts"
}
