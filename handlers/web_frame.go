package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"laurel/views"
)

// AwardsFrame is the frame of a page with the styles of awards.
func (h *Base) AwardsFrame(c echo.Context, title string) views.Frame {
	f := h.Frame(c, title)
	f.Awards = true
	return f
}

// ForumsFrame is the frame of a page with the styles of forums.
func (h *Base) ForumsFrame(c echo.Context, title string) views.Frame {
	f := h.Frame(c, title)
	f.Forums = true
	return f
}

// Frame is what every page shows around its own part.
func (h *Base) Frame(c echo.Context, title string) views.Frame {
	f := views.Frame{Title: title, Path: c.Request().URL.Path, Assets: h.Assets, Build: h.Build, Notice: done[c.QueryParam("done")]}
	if v := h.Viewer(c); v != nil {
		f.Viewer = views.Viewer{Name: v.Name, Admin: v.Role == "admin"}
	}
	f.Strip = h.suspendedLine(c)
	return f
}

// mayRedirect says whether a page is asked for by a person who can sign in and come back.
func mayRedirect(c echo.Context) bool {
	r := c.Request()
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) && !IsPartial(c) && !isAPI(r)
}

// done is what a page says about what was just done, by the word in its address.
var done = map[string]string{
	"welcome":      "Welcome! Add your handles, and Laurel looks at once.",
	"handles":      "Your handles are saved. Laurel looks at new ones at once.",
	"person":       "Saved.",
	"saved":        "Saved.",
	"password":     "Your password is changed, and you are signed out everywhere else.",
	"revoked":      "Revoked: it does not work any more.",
	"paused":       "Paused: nobody looks there until you resume it.",
	"resumed":      "Resumed: Laurel looks at once.",
	"site-paused":  "Paused: the site is asked for nothing, and everybody may read why.",
	"site-resumed": "The site is asked again.",
	"canary":       "Declared. It is read at once, and then every day.",
	"no-canary":    "Removed: it is not read any more.",
	"followed":     "Added. Laurel looks at the handles at once.",
	"unfollowed":   "Deleted, with everything that was read.",
	"deleted":      "Deleted, with everything that was read.",
	"asked":        "Laurel sends you an e-mail now. Open the link in it to confirm the address.",
	"unsubscribed": "No more e-mails are sent to you.",
	"retried":      "It is tried again at once.",
	"left":         "Your account is deleted. Goodbye!",
	"award":        "Saved as a new version. It does not run before you activate it.",
	"same":         "Nothing to save: the newest version says the same.",
	"activated":    "Activated. What is counted in a new way is counted now, from the ledger.",
	"starter":      "The starter set is here: change its awards as you like.",
	"gone":         "Deleted, with all its versions.",
	"recompute":    "Asked: a job reckons it within seconds.",
	"waits":        "Paused: its events wait, and none is lost.",
	"goes-on":      "Resumed: its events are handled again.",
	"forgotten":    "Not followed any more. What was seen of it stays in the archive.",
	"linked":       "Linked. Laurel looks at once, and follows its new posts.",
	"unlinked":     "Removed. The posts that were found stay.",
	"sealed":       "Saved, sealed, and used at once.",
	"rests":        "Paused: nobody asks with it.",
	"works":        "Resumed: it is used again.",
	"no-more":      "Deleted.",
	"replayed":     "Put onto the bus again.",
	"named":        "Saved. Messages that are stored already have their author now.",
	"name-asked":   "Asked: an admin is to look at it.",
	"unnamed":      "Removed, and the messages taken back.",
	"kicked":       "Kicked: it is looked at within seconds.",
	"harvest":      "Added. Its newest messages are here within a minute.",
	"looking":      "Asked: the forum is looked at within seconds.",
	"underway":     "A look is under way already.",
	"closed":       "This forum is not looked at any more.",
}
