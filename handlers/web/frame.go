package web

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"laurel/models/community"
	"laurel/models/members"
	"laurel/views/parts"
	"laurel/views/texts"
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
		Notice: texts.Say(c.Request().Context(), done[c.QueryParam("done")])}
	if v := h.Viewer(c); v != nil {
		f.Viewer = parts.Viewer{ID: v.ID, Name: v.Name, DisplayName: v.DisplayName, Admin: v.Role == members.RoleAdmin,
			Support: v.Role == members.RoleSupport}
	}
	h.fillCommunity(c, &f)
	f.Strip = h.suspendedLine(c)
	f.Preview = parts.Preview{URL: h.URL + c.Request().URL.EscapedPath(), Site: f.Community.Name, Picture: h.URL + "/preview.png",
		Words: texts.T(c.Request().Context(), "Submissions, ratings, awards and discussions of a community of competitive programmers.")}
	return f
}

// fillCommunity adds whose place this is, and what the viewer has not read. Without them a page is
// still right in all else, so a failure is only logged.
func (h *Base) fillCommunity(c echo.Context, f *parts.Frame) {
	ctx := c.Request().Context()
	of, err := community.FrameOf(ctx, h.DB.DB, f.Viewer.ID)
	if err != nil {
		h.Log.WarnContext(ctx, "page without the community's name", "err", err)
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
	"welcome":     texts.Mark("Welcome! Add your handles to load your submissions."),
	"handles":     texts.Mark("Handles saved. New ones are being checked now."),
	"key":         texts.Mark("Key saved. Your account is being read again."),
	"key-removed": texts.Mark("Key removed. What was read with it stays."),
	"person":      texts.Mark("Saved."),
	"saved":       texts.Mark("Saved."),
	"visibility":  texts.Mark("Saved. It holds from now on, everywhere."),
	"password":    texts.Mark("Password changed. You are signed out everywhere else."),
	"revoked":     texts.Mark("Revoked."),
	"suspended":   texts.Mark("Suspended. They are signed out and hidden from everyone but admins."),
	"lifted":      texts.Mark("Suspension lifted. They can sign in again."),
	"signed-out":  texts.Mark("Signed out everywhere."),

	"signed-out-else": texts.Mark("Signed out everywhere else."),
	"paused":          texts.Mark("Paused until you resume it."),
	"resumed":         texts.Mark("Resumed. Checking now."),
	"site-paused":     texts.Mark("Site paused. Everyone can see the reason."),
	"site-resumed":    texts.Mark("Site resumed."),
	"canary":          texts.Mark("Added. It is checked now and then every day."),
	"no-canary":       texts.Mark("Removed."),
	"following":       texts.Mark("You follow them now."),
	"requested":       texts.Mark("Asked. If they have an account and let you, they appear here."),
	"not-following":   texts.Mark("You do not follow them any more."),
	"blocked":         texts.Mark("Blocked. They cannot follow you, and are not told."),
	"unblocked":       texts.Mark("Unblocked. They can follow you again."),
	"reported":        texts.Mark("Reported. The admins will look at it."),
	"resolved":        texts.Mark("Resolved."),
	"allowed":         texts.Mark("They follow you now."),
	"declined":        texts.Mark("Declined. They are not told."),
	"followed":        texts.Mark("Added. The handles are being checked now."),
	"unfollowed":      texts.Mark("Deleted with all data."),
	"brought-gone":    texts.Mark("Deleted. What the sites show stays."),
	"removed":         texts.Mark("Removed."),
	"deleted":         texts.Mark("Deleted with all data."),
	"asked":           texts.Mark("We sent you an e-mail. Open the link in it to confirm the address."),
	"unsubscribed":    texts.Mark("You will get no more e-mails."),
	"retried":         texts.Mark("Trying again now."),
	"left":            texts.Mark("Your account has been deleted. Goodbye!"),
	"award":           texts.Mark("Saved as a new version. Activate it to put it into effect."),
	"same":            texts.Mark("No changes to save."),
	"activated":       texts.Mark("Activated. Changed tasks are being recounted."),
	"starter":         texts.Mark("Starter set installed. Edit its awards as you like."),
	"gone":            texts.Mark("Deleted with all its versions."),
	"recompute":       texts.Mark("Requested. It is evaluated within seconds."),
	"waits":           texts.Mark("Paused. Its events wait; none are lost."),
	"goes-on":         texts.Mark("Resumed."),
	"forgotten":       texts.Mark("No longer tracked. Stored numbers stay in the archive."),
	"linked":          texts.Mark("Linked. New posts will appear automatically."),
	"unlinked":        texts.Mark("Removed. Its posts stay."),
	"sealed":          texts.Mark("Saved."),
	"rests":           texts.Mark("Paused."),
	"works":           texts.Mark("Resumed."),
	"no-more":         texts.Mark("Deleted."),
	"replayed":        texts.Mark("Queued again."),
	"named":           texts.Mark("Saved. Existing messages are linked now."),
	"name-asked":      texts.Mark("Sent to the admins for review."),
	"unnamed":         texts.Mark("Removed. Its messages are unlinked."),
	"kicked":          texts.Mark("Update starting."),
	"harvest":         texts.Mark("Added. Its newest messages appear within a minute."),
	"looking":         texts.Mark("Thanks. The forum is being updated."),
	"underway":        texts.Mark("An update is already running."),
	"closed":          texts.Mark("This forum is closed and no longer updated."),
}
