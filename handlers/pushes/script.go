package pushes

import (
	_ "embed"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"
)

// leetcodeScript reads one's own history on LeetCode in one's own browser.
//
//go:embed leetcode.user.js
var leetcodeScript string

// Script is an example of a script that pushes, with the address of this Laurel in it. Managers of
// user scripts offer to install what ends in .user.js.
func (h *Handlers) Script(c echo.Context) error {
	host := ""
	if u, err := url.Parse(h.URL); err == nil {
		host = u.Hostname()
	}
	script := strings.NewReplacer("@URL@", strings.TrimSuffix(h.URL, "/"), "@HOST@", host).Replace(leetcodeScript)
	return c.Blob(http.StatusOK, "text/javascript; charset=utf-8", []byte(script))
}
