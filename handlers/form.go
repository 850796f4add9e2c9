package handlers

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"laurel/views"
)

// parse reads a form. Without it, a form that is broken or too large would look empty.
func parse(c echo.Context) error {
	err := c.Request().ParseForm()
	if _, large := errors.AsType[*http.MaxBytesError](err); err != nil && !large {
		return echo.NewHTTPError(http.StatusBadRequest, "the form could not be read; go back and send it again").SetInternal(err)
	}
	return err
}

// typed is a form to show again: what was typed, and what was wrong with it.
func typed(c echo.Context, errs map[string]string) views.Form {
	f := views.Form{Values: map[string]string{}, Errors: errs}
	for name, values := range c.Request().PostForm {
		f.Values[name] = values[0]
	}
	return f
}

// frame is what every page shows around its own part.
func (h *Base) frame(c echo.Context, title string) views.Frame {
	f := views.Frame{Title: title, Path: c.Request().URL.Path, Assets: h.Assets, Build: h.Build, Notice: done[c.QueryParam("done")]}
	if v := h.viewer(c); v != nil {
		f.Viewer = views.Viewer{Name: v.Name, Admin: v.Role == "admin"}
	}
	f.Strip = h.strip(c)
	return f
}

// mayRedirect says whether a page is asked for by a person who can sign in and come back.
func mayRedirect(c echo.Context) bool {
	r := c.Request()
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) && !isPartial(c) && !isAPI(r)
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
