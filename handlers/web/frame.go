package web

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"laurel/models/community"
	"laurel/models/members"
	"laurel/views/parts"
)

// AwardsFrame is the frame of a page with the styles of awards.
func (h *Base) AwardsFrame(c echo.Context, title string) parts.Frame {
	f := h.Frame(c, title)
	f.Awards = true
	return f
}

// ForumsFrame is the frame of a page with the styles of forums.
func (h *Base) ForumsFrame(c echo.Context, title string) parts.Frame {
	f := h.Frame(c, title)
	f.Forums = true
	return f
}

// Frame is what every page shows around its own part.
func (h *Base) Frame(c echo.Context, title string) parts.Frame {
	f := parts.Frame{Title: title, Path: c.Request().URL.Path, Assets: h.Assets, Build: h.Build, Demo: h.Demo,
		Notice: done[c.QueryParam("done")]}
	if v := h.Viewer(c); v != nil {
		f.Viewer = parts.Viewer{ID: v.ID, Name: v.Name, DisplayName: v.DisplayName, Admin: v.Role == members.RoleAdmin,
			Support: v.Role == members.RoleSupport}
	}
	h.fillCommunity(c, &f)
	f.Strip = h.suspendedLine(c)
	f.Preview = parts.Preview{URL: h.URL + c.Request().URL.EscapedPath(), Site: f.Community.Name, Picture: h.URL + "/preview.png"}
	return f
}

// fillCommunity adds whose place this is, and what the viewer has not read. Without them a page is
// still right in all else, so a failure is only logged.
func (h *Base) fillCommunity(c echo.Context, f *parts.Frame) {
	of, err := community.FrameOf(c.Request().Context(), h.DB.DB, f.Viewer.ID)
	if err != nil {
		h.Log.WarnContext(c.Request().Context(), "page without the community's name", "err", err)
	}
	f.Community = parts.Community{Name: of.Name, Privacy: of.Privacy}
	if of.Logo != "" {
		f.Community.Logo = "/logo.png?v=" + of.Logo
	}
	f.Viewer.Unread = of.Unread
}

// mayRedirect says whether a page is asked for by a person who can sign in and come back.
func mayRedirect(c echo.Context) bool {
	r := c.Request()
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) && !IsPartial(c) && !isAPI(r)
}

// done is what a page says about what was just done, by the word in its address.
var done = map[string]string{
	"welcome":     "Welcome! Add your handles to load your submissions.",
	"handles":     "Handles saved. New ones are being checked now.",
	"key":         "Key saved. Your account is being read again.",
	"key-removed": "Key removed. What was read with it stays.",
	"person":      "Saved.",
	"saved":       "Saved.",
	"visibility":  "Saved. It holds from now on, everywhere.",
	"password":    "Password changed. You are signed out everywhere else.",
	"revoked":     "Revoked.",
	"suspended":   "Suspended. They are signed out and hidden from everyone but admins.",
	"lifted":      "Suspension lifted. They can sign in again.",
	"signed-out":  "Signed out everywhere.",

	"signed-out-else": "Signed out everywhere else.",
	"paused":          "Paused until you resume it.",
	"resumed":         "Resumed. Checking now.",
	"site-paused":     "Site paused. Everyone can see the reason.",
	"site-resumed":    "Site resumed.",
	"canary":          "Added. It is checked now and then every day.",
	"no-canary":       "Removed.",
	"following":       "You follow them now.",
	"requested":       "Asked. If they have an account and let you, they appear here.",
	"not-following":   "You do not follow them any more.",
	"blocked":         "Blocked. They cannot follow you, and are not told.",
	"unblocked":       "Unblocked. They can follow you again.",
	"reported":        "Reported. The admins will look at it.",
	"resolved":        "Resolved.",
	"allowed":         "They follow you now.",
	"declined":        "Declined. They are not told.",
	"followed":        "Added. The handles are being checked now.",
	"unfollowed":      "Deleted with all data.",
	"brought-gone":    "Deleted. What the sites show stays.",
	"removed":         "Removed.",
	"deleted":         "Deleted with all data.",
	"asked":           "We sent you an e-mail. Open the link in it to confirm the address.",
	"unsubscribed":    "You will get no more e-mails.",
	"retried":         "Trying again now.",
	"left":            "Your account has been deleted. Goodbye!",
	"award":           "Saved as a new version. Activate it to put it into effect.",
	"same":            "No changes to save.",
	"activated":       "Activated. Changed tasks are being recounted.",
	"starter":         "Starter set installed. Edit its awards as you like.",
	"gone":            "Deleted with all its versions.",
	"recompute":       "Requested. It is evaluated within seconds.",
	"waits":           "Paused. Its events wait; none are lost.",
	"goes-on":         "Resumed.",
	"forgotten":       "No longer tracked. Stored numbers stay in the archive.",
	"linked":          "Linked. New posts will appear automatically.",
	"unlinked":        "Removed. Its posts stay.",
	"sealed":          "Saved.",
	"rests":           "Paused.",
	"works":           "Resumed.",
	"no-more":         "Deleted.",
	"replayed":        "Queued again.",
	"named":           "Saved. Existing messages are linked now.",
	"name-asked":      "Sent to the admins for review.",
	"unnamed":         "Removed. Its messages are unlinked.",
	"kicked":          "Update starting.",
	"harvest":         "Added. Its newest messages appear within a minute.",
	"looking":         "Thanks. The forum is being updated.",
	"underway":        "An update is already running.",
	"closed":          "This forum is closed and no longer updated.",
}
