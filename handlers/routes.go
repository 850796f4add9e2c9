package handlers

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
)

// Who may use an address. A handler adds what depends on the thing asked for:
// models.Member.Manages.
type role int

const (
	open   role = iota // Anybody, and it does not matter who.
	anyone             // Anybody; the page differs for those who signed in.
	member
	admin
	local // From this machine itself, or an admin.
)

// A route is one address.
type route struct {
	method, path string
	who          role
	handle       func(*Handlers, echo.Context) error
	stream       bool // The answer goes on for as long as somebody listens.
}

const (
	get    = http.MethodGet
	post   = http.MethodPost
	put    = http.MethodPut
	patch  = http.MethodPatch
	remove = http.MethodDelete
)

// routes is the whole address space of the site.
var routes = []route{
	{get, "/healthz", open, (*Handlers).Healthz, false},
	{get, "/readyz", open, (*Handlers).Readyz, false},
	{get, "/metrics", local, (*Handlers).ServeMetrics, false},
	{get, "/static/*", open, (*Handlers).ServeStatic, false},

	{get, "/", anyone, (*Handlers).Home, false},
	{get, "/sites", anyone, (*Handlers).SitesPage, false},

	// Pages of members.
	{get, "/u/:name", anyone, (*Handlers).Profile, false},
	{post, "/u/:name/retrieve", member, (*Handlers).Retrieve, false},
	{get, "/u/:name/retrieval", anyone, (*Handlers).RetrievalPart, false},
	{get, "/u/:name/retrieval/events", anyone, (*Handlers).RetrievalEvents, true},
	{get, "/u/:name/submissions", anyone, (*Handlers).Submissions, false},
	{get, "/u/:name/days", anyone, (*Handlers).Days, false},
	{get, "/u/:name/ratings", anyone, (*Handlers).Ratings, false},
	{get, "/u/:name/diff", anyone, (*Handlers).Diff, false},
	{get, "/u/:name/timemap", anyone, (*Handlers).MemberTimeMap, false},
	{get, "/u/:name/awards", anyone, (*Handlers).MemberAwards, false},
	{post, "/u/:name/awards/pins", member, (*Handlers).PinAward, false},

	// Awards.
	{get, "/awards", anyone, (*Handlers).Awards, false},
	{get, "/awards/:slug", anyone, (*Handlers).AwardPage, false},
	{get, "/awards/:slug/picture.svg", open, (*Handlers).AwardPicture, false},

	// Posts on networks. What stands behind a network is the post's id, which may hold slashes.
	{get, "/posts", anyone, (*Handlers).BestPosts, false},
	{get, "/posts/:network/*", anyone, (*Handlers).Post, false},
	{post, "/posts/:network/*", member, (*Handlers).RefreshPost, false},
	{get, "/u/:name/posts", anyone, (*Handlers).MemberPosts, false},
	{post, "/u/:name/posts", member, (*Handlers).FollowPost, false},
	{post, "/u/:name/posts/forget", member, (*Handlers).ForgetPost, false},
	{post, "/u/:name/posts/accounts", member, (*Handlers).LinkAccount, false},
	{post, "/u/:name/posts/accounts/:id/remove", member, (*Handlers).UnlinkAccount, false},
	// Forums and what was written there.
	{get, "/forums", anyone, (*Handlers).Forums, false},
	{get, "/forums/:slug", anyone, (*Handlers).Forum, false},
	{post, "/forums/:slug/detect", member, (*Handlers).DetectMessage, false},
	{get, "/forums/:slug/feed.atom", open, (*Handlers).ForumFeed, false},
	{get, "/forums/:slug/threads/:serial", anyone, (*Handlers).Thread, false},
	{get, "/messages.atom", open, (*Handlers).AboutFeed, false},
	{get, "/u/:name/messages.atom", open, (*Handlers).MemberFeed, false},
	{get, "/messages/:id", anyone, (*Handlers).Message, false},
	{get, "/u/:name/messages", anyone, (*Handlers).MemberMessages, false},

	{get, "/compare", anyone, (*Handlers).Compare, false},
	{get, "/compare/:a/:b", anyone, (*Handlers).Comparison, false},
	{get, "/compare/:a/:b/problems", anyone, (*Handlers).ComparedProblems, false},
	{get, "/problems/:site/*", anyone, (*Handlers).Problem, false},

	// Badges: awards that are carried elsewhere.
	{get, "/.well-known/did.json", open, (*Handlers).DID, false},
	{get, "/did.json", open, (*Handlers).DID, false}, // Where some look.
	{get, "/awards/:slug/picture.png", open, (*Handlers).AwardPNG, false},
	{get, "/badges/verify", anyone, (*Handlers).VerifyForm, false},
	{post, "/badges/verify", anyone, (*Handlers).VerifyBadge, false},
	{get, "/badges/status/:list", open, (*Handlers).BadgeList, false},
	{get, "/badges/:id", anyone, (*Handlers).Badge, false}, // Also with .jwt, .json, .png and .svg behind it.

	// The archive.
	{get, "/archive", anyone, (*Handlers).Archive, false},
	{get, "/archive/declare", admin, (*Handlers).DeclareForm, false},
	{post, "/archive/declare", admin, (*Handlers).Declare, false},
	{get, "/archive/:name", anyone, (*Handlers).Shard, false},
	{get, "/archive/:name/history", anyone, (*Handlers).ShardHistory, false},
	{get, "/looks", anyone, (*Handlers).Looks, false},
	{get, "/ladders", anyone, (*Handlers).Ladders, false},
	{get, "/ladders/:name", anyone, (*Handlers).Ladder, false},
	{get, "/ladders/:name/diff", anyone, (*Handlers).LadderDiff, false},
	{get, "/ladders/:name/climb", anyone, (*Handlers).LadderClimb, false},
	{get, "/ladders/:name/timemap", anyone, (*Handlers).LadderTimeMap, false},

	// The door.
	{get, "/setup", anyone, (*Handlers).SetupForm, false},
	{post, "/setup", anyone, (*Handlers).Setup, false},
	{get, "/sign-in", anyone, (*Handlers).SignInForm, false},
	{post, "/sign-in", anyone, (*Handlers).SignIn, false},
	{post, "/sign-out", anyone, (*Handlers).SignOut, false},
	{get, "/sign-up", anyone, (*Handlers).SignUpForm, false},
	{post, "/sign-up", anyone, (*Handlers).SignUp, false},

	// Where the links in e-mails lead.
	{get, "/confirm-address", anyone, (*Handlers).ConfirmForm, false},
	{post, "/confirm-address", anyone, (*Handlers).Confirm, false},
	{get, "/unsubscribe", anyone, (*Handlers).UnsubscribeForm, false},
	{post, "/unsubscribe", anyone, (*Handlers).Unsubscribe, false},

	// What is a member's own. Handlers see to it that an account is theirs.
	{get, "/settings", member, (*Handlers).Settings, false},
	{post, "/settings/handles", member, (*Handlers).SaveHandles, false},
	{post, "/settings/person", member, (*Handlers).SavePerson, false},
	{post, "/settings/password", member, (*Handlers).ChangePassword, false},
	{post, "/settings/tokens", member, (*Handlers).CreateToken, false},
	{post, "/settings/tokens/:id/revoke", member, (*Handlers).RevokeToken, false},
	{post, "/settings/notices", member, (*Handlers).ChooseNotices, false},
	{post, "/settings/address", member, (*Handlers).AskAddress, false},
	{post, "/settings/address/forget", member, (*Handlers).ForgetAddress, false},
	{get, "/settings/names", member, (*Handlers).OwnNames, false},
	{post, "/settings/names", member, (*Handlers).AddOwnName, false},
	{post, "/settings/names/:id/remove", member, (*Handlers).RemoveOwnName, false},
	{post, "/settings/leave", member, (*Handlers).Leave, false},
	{post, "/u/:name/accounts/:site/pause", member, (*Handlers).PauseAccount, false},
	{post, "/u/:name/accounts/:site/resume", member, (*Handlers).ResumeAccount, false},
	{get, "/notices", member, (*Handlers).Notices, false},
	{post, "/notices/read", member, (*Handlers).ReadNotices, false},
	{get, "/custom", member, (*Handlers).CustomList, false},
	{post, "/custom", member, (*Handlers).Follow, false},
	{get, "/custom/:name", member, (*Handlers).Custom, false},
	{post, "/custom/:name", member, (*Handlers).EditCustom, false},
	{post, "/custom/:name/delete", member, (*Handlers).Unfollow, false},

	// What is the admins'.
	{get, "/admin", admin, (*Handlers).Admin, false},
	{get, "/admin/notices", admin, (*Handlers).AdminNotices, false},
	{post, "/admin/notices/:id/retry", admin, (*Handlers).RetryDelivery, false},
	{post, "/admin/sign-up", admin, (*Handlers).SetSignUp, false},
	{post, "/admin/invitations", admin, (*Handlers).Invite, false},
	{post, "/admin/invitations/:id/revoke", admin, (*Handlers).RevokeInvitation, false},
	{post, "/admin/members/:name/role", admin, (*Handlers).SetRole, false},
	{post, "/admin/members/:name/password", admin, (*Handlers).InviteToChoose, false},
	{post, "/admin/members/:name/ban", admin, (*Handlers).BanFromAwards, false},
	{post, "/admin/members/:name/delete", admin, (*Handlers).DeleteMember, false},
	{get, "/admin/awards", admin, (*Handlers).AwardsAdmin, false},
	{get, "/admin/awards/new", admin, (*Handlers).EditAward, false},
	{post, "/admin/awards/new", admin, (*Handlers).WorkOnAward, false},
	{post, "/admin/awards/starter", admin, (*Handlers).InstallStarters, false},
	{post, "/admin/awards/import", admin, (*Handlers).ImportAward, false},
	{post, "/admin/awards/lint", admin, (*Handlers).LintAward, false},
	{get, "/admin/awards/:slug", admin, (*Handlers).EditAward, false},
	{post, "/admin/awards/:slug", admin, (*Handlers).WorkOnAward, false},
	{get, "/admin/awards/:slug/versions", admin, (*Handlers).AwardVersions, false},
	{post, "/admin/awards/:slug/activate", admin, (*Handlers).ActivateVersion, false},
	{post, "/admin/awards/:slug/state", admin, (*Handlers).MoveAward, false},
	{post, "/admin/awards/:slug/secret", admin, (*Handlers).KeepSecret, false},
	{post, "/admin/awards/:slug/delete", admin, (*Handlers).DeleteAward, false},
	{get, "/admin/awards/:slug/members", admin, (*Handlers).FindExplanation, false},
	{get, "/admin/awards/:slug/members/:name", admin, (*Handlers).ExplainAward, false},
	{post, "/admin/awards/:slug/members/:name/recompute", admin, (*Handlers).RecomputeAward, false},
	{post, "/admin/awards/:slug/members/:name/by-hand", admin, (*Handlers).AwardByHand, false},
	{get, "/admin/posts", admin, (*Handlers).AdminPosts, false},
	{post, "/admin/posts/credentials", admin, (*Handlers).AddCredential, false},
	{post, "/admin/posts/credentials/:id/pause", admin, (*Handlers).PauseCredential, false},
	{post, "/admin/posts/credentials/:id/resume", admin, (*Handlers).ResumeCredential, false},
	{post, "/admin/posts/credentials/:id/delete", admin, (*Handlers).DeleteCredential, false},
	{get, "/admin/forums", admin, (*Handlers).ForumsAdmin, false},
	{post, "/admin/forums/looks", admin, (*Handlers).AskForumLook, false},
	{post, "/admin/forums/files", admin, (*Handlers).AddMboxForum, false},
	{post, mboxPage, admin, (*Handlers).UploadMbox, true},
	{get, "/admin/forums/looks/:id", admin, (*Handlers).ForumLook, false},
	{post, "/admin/forums/looks/:id/harvest", admin, (*Handlers).HarvestLooked, false},
	{get, "/admin/forums/:slug", admin, (*Handlers).ForumAdmin, false},
	{post, "/admin/forums/:slug/gap", admin, (*Handlers).SetForumGap, false},
	{post, "/admin/forums/:slug/kick", admin, (*Handlers).KickForum, false},
	{post, "/admin/forums/:slug/state", admin, (*Handlers).MoveForum, false},
	{get, "/admin/authors", admin, (*Handlers).AuthorsAdmin, false},
	{post, "/admin/authors", admin, (*Handlers).SayAuthor, false},
	{post, "/admin/authors/suggestions", admin, (*Handlers).DecideAuthor, false},
	{post, "/admin/authors/:id/remove", admin, (*Handlers).RemoveAuthor, false},
	{post, "/admin/sites/:site/pause", admin, (*Handlers).PauseSite, false},
	{post, "/admin/sites/:site/resume", admin, (*Handlers).ResumeSite, false},
	{post, "/admin/sites/:site/words", admin, (*Handlers).KnowWord, false},
	{post, "/admin/canaries", admin, (*Handlers).SetCanary, false},
	{post, "/admin/sites/:site/canaries/remove", admin, (*Handlers).RemoveCanary, false},
	{get, "/admin/events", admin, (*Handlers).EventsAdmin, false},
	{post, "/admin/events/sources/:source/pause", admin, (*Handlers).PauseSource, false},
	{post, "/admin/events/sources/:source/resume", admin, (*Handlers).ResumeSource, false},
	{post, "/admin/events/dead/replay", admin, (*Handlers).ReplayEvents, false},
	{post, "/admin/events/dead/:id/replay", admin, (*Handlers).ReplayEvents, false},

	// The JSON interface, as openapi.yaml says.
	{get, "/api/v1/openapi.yaml", open, (*Handlers).OpenAPI, false},
	{get, "/api/v1/members", anyone, (*Handlers).APIMembers, false},
	{post, "/api/v1/members", admin, (*Handlers).APICreateMember, false},
	{get, "/api/v1/members/:name", anyone, (*Handlers).APIMember, false},
	{patch, "/api/v1/members/:name", member, (*Handlers).APIEditMember, false},
	{remove, "/api/v1/members/:name", admin, (*Handlers).APIDeleteMember, false},
	{post, "/api/v1/members/:name/retrieve", member, (*Handlers).APIRetrieve, false},
	{get, "/api/v1/members/:name/retrieval", anyone, (*Handlers).APIRetrieval, false},
	{get, "/api/v1/members/:name/submissions", anyone, (*Handlers).APIMemberSubmissions, false},
	{get, "/api/v1/members/:name/notices", member, (*Handlers).APINotices, false},
	{get, "/api/v1/members/:name/history", anyone, (*Handlers).APIHistory, false},
	{get, "/api/v1/members/:name/posts", anyone, (*Handlers).APIMemberPosts, false},
	{get, "/api/v1/members/:name/post-accounts", anyone, (*Handlers).APIPostAccounts, false},
	{post, "/api/v1/members/:name/post-accounts", member, (*Handlers).APIAddPostAccount, false},
	{remove, "/api/v1/members/:name/post-accounts/:id", member, (*Handlers).APIRemovePostAccount, false},
	{get, "/api/v1/submissions", anyone, (*Handlers).APISubmissions, false},
	{get, "/api/v1/members/:name/messages", anyone, (*Handlers).APIMemberMessages, false},
	{get, "/api/v1/members/:name/authors", member, (*Handlers).APIAuthors, false},
	{post, "/api/v1/members/:name/authors", member, (*Handlers).APIAddAuthor, false},
	{remove, "/api/v1/members/:name/authors/:id", member, (*Handlers).APIRemoveAuthor, false},
	{get, "/api/v1/authors/suggestions", admin, (*Handlers).APISuggestions, false},
	{post, "/api/v1/authors/suggestions/:id", admin, (*Handlers).APIDecideAuthor, false},
	{get, "/api/v1/authors/nobody", admin, (*Handlers).APINobody, false},
	{post, "/api/v1/authors/nobody", admin, (*Handlers).APIAddNobody, false},
	{remove, "/api/v1/authors/nobody/:id", admin, (*Handlers).APIRemoveNobody, false},
	{get, "/api/v1/messages", anyone, (*Handlers).APIMessages, false},
	{get, "/api/v1/compare/:a/:b", anyone, (*Handlers).APIComparison, false},
	{get, "/api/v1/compare/:a/:b/problems", anyone, (*Handlers).APIComparedProblems, false},
	{get, "/api/v1/forums", anyone, (*Handlers).APIForums, false},
	{post, "/api/v1/forums", admin, (*Handlers).APIAddForum, false},
	{get, "/api/v1/forums/:slug", anyone, (*Handlers).APIForum, false},
	{patch, "/api/v1/forums/:slug", admin, (*Handlers).APISetForum, false},
	{post, "/api/v1/forums/:slug/kick", admin, (*Handlers).APIKickForum, false},
	{post, "/api/v1/forums/:slug/detect", member, (*Handlers).APIDetectMessage, false},
	{post, "/api/v1/forums/:slug/hook", admin, (*Handlers).APIRenewForumHook, false},
	{post, mboxRoute, admin, (*Handlers).APIUploadMbox, true},
	{post, "/hooks/forums/:slug/:key", open, (*Handlers).ForumHook, false},
	{get, "/api/v1/problems", anyone, (*Handlers).APIProblems, false},
	{get, "/api/v1/leaderboard", anyone, (*Handlers).APILeaderboard, false},
	{get, "/api/v1/sites", anyone, (*Handlers).APISites, false},
	{patch, "/api/v1/sites/:site", admin, (*Handlers).APISetSite, false},
	{put, "/api/v1/sites/:site/canaries/:handle", admin, (*Handlers).APISetCanary, false},
	{remove, "/api/v1/sites/:site/canaries/:handle", admin, (*Handlers).APIRemoveCanary, false},
	{get, "/api/v1/posts", anyone, (*Handlers).APIPosts, false},
	{post, "/api/v1/posts", member, (*Handlers).APIAddPosts, false},
	{get, "/api/v1/posts/:network/:id", anyone, (*Handlers).APIPost, false},
	{remove, "/api/v1/posts/:network/:id", member, (*Handlers).APIForgetPost, false},
	{get, "/api/v1/posts/:network/:id/metrics", anyone, (*Handlers).APIPostMetrics, false},
	{post, "/api/v1/posts/:network/:id/refresh", member, (*Handlers).APIRefreshPost, false},
	{get, "/api/v1/archive", anyone, (*Handlers).APIShards, false},
	{post, "/api/v1/archive", admin, (*Handlers).APIDeclareShard, false},
	{get, "/api/v1/archive/retrievals", anyone, (*Handlers).APILooks, false},
	{post, "/api/v1/archive/responses", admin, (*Handlers).APIResponse, false},
	{get, "/api/v1/archive/:name", anyone, (*Handlers).APIShardRows, false},
	{post, "/api/v1/archive/:name", admin, (*Handlers).APIPush, false},
	{get, "/api/v1/archive/:name/history", anyone, (*Handlers).APIShardHistory, false},
	{get, "/api/v1/awards", anyone, (*Handlers).APIAwards, false},
	{get, "/api/v1/members/:name/awards", anyone, (*Handlers).APIMemberAwards, false},
	{post, "/api/v1/events", admin, (*Handlers).APIEvents, false},
	{post, "/api/v1/events/firehose", admin, (*Handlers).APIFirehose, false},
	{get, "/api/v1/admin/awards", admin, (*Handlers).APIAllAwards, false},
	{get, "/api/v1/admin/awards/export", admin, (*Handlers).APIExportAwards, false},
	{post, "/api/v1/admin/awards/import", admin, (*Handlers).APIImportAwards, false},
	{get, "/api/v1/admin/awards/:slug", admin, (*Handlers).APIAward, false},
	{put, "/api/v1/admin/awards/:slug", admin, (*Handlers).APISaveAward, false},
	{patch, "/api/v1/admin/awards/:slug", admin, (*Handlers).APIEditAward, false},
	{remove, "/api/v1/admin/awards/:slug", admin, (*Handlers).APIDeleteAward, false},
	{get, "/api/v1/admin/awards/:slug/versions", admin, (*Handlers).APIAwardVersions, false},
	{post, "/api/v1/admin/awards/:slug/dry-run", admin, (*Handlers).APIDryRun, false},
	{post, "/api/v1/admin/awards/:slug/activate", admin, (*Handlers).APIActivateAward, false},
	{post, "/api/v1/admin/awards/:slug/pause", admin, (*Handlers).APIPauseAward, false},
	{post, "/api/v1/admin/awards/:slug/retire", admin, (*Handlers).APIRetireAward, false},
	{post, "/api/v1/admin/awards/:slug/hide", admin, (*Handlers).APIHideAward, false},
	{get, "/api/v1/admin/members/:name/awards/:slug/explain", admin, (*Handlers).APIExplainAward, false},
	{post, "/api/v1/admin/members/:name/awards/:slug/grant", admin, (*Handlers).APIGrantAward, false},
	{post, "/api/v1/admin/members/:name/awards/:slug/revoke", admin, (*Handlers).APIRevokeAward, false},
	{post, "/api/v1/admin/members/:name/ban", admin, (*Handlers).APIBan, false},
	{post, "/api/v1/admin/members/:name/unban", admin, (*Handlers).APIUnban, false},
	{get, "/api/v1/admin/posts", admin, (*Handlers).APIPools, false},
	{get, "/api/v1/admin/credentials", admin, (*Handlers).APICredentials, false},
	{post, "/api/v1/admin/credentials", admin, (*Handlers).APISaveCredential, false},
	{patch, "/api/v1/admin/credentials/:id", admin, (*Handlers).APIEditCredential, false},
	{remove, "/api/v1/admin/credentials/:id", admin, (*Handlers).APIDeleteCredential, false},
	{get, "/api/v1/admin/sources", admin, (*Handlers).APISources, false},
	{post, "/api/v1/admin/sources/:source/pause", admin, (*Handlers).APIPauseSource, false},
	{post, "/api/v1/admin/sources/:source/resume", admin, (*Handlers).APIResumeSource, false},
	{get, "/api/v1/admin/events/dead", admin, (*Handlers).APIDeadEvents, false},
	{post, "/api/v1/admin/events/dead/replay", admin, (*Handlers).APIReplayAll, false},
	{post, "/api/v1/admin/events/dead/:id/replay", admin, (*Handlers).APIReplay, false},
}

// Register adds every route, and what happens to every request on its way.
func (h *Handlers) Register(e *echo.Echo) {
	e.HTTPErrorHandler = h.handleError
	e.IPExtractor = h.clientAddress()
	e.Pre(plainPostIDs)
	e.Use(h.log, h.headers, h.recover, h.limitBody, h.crossOrigin())
	compress := middleware.GzipWithConfig(middleware.GzipConfig{Level: 1, MinLength: 1024,
		Skipper: func(c echo.Context) bool { return c.Path() == "/static/*" || c.Path() == "/metrics" }}) // Those do it themselves.
	for _, r := range routes {
		handle := h.guard(r.who, func(c echo.Context) error { return r.handle(h, c) })
		if !r.stream {
			handle = compress(h.deadline(handle))
		}
		e.Add(r.method, r.path, handle)
		if r.method == get && !r.stream {
			e.HEAD(r.path, handle)
		}
	}
	e.RouteNotFound("/*", h.guard(anyone, notFound))
}

// notFound tells an address that does not exist from a method that it does not have.
func notFound(c echo.Context) error {
	var allowed []string
	for _, method := range []string{get, post, put, patch, remove} {
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
func (h *Handlers) guard(who role, next echo.HandlerFunc) echo.HandlerFunc {
	if who == open {
		return next
	}
	return func(c echo.Context) error {
		if err := h.loadViewer(c); err != nil {
			return err
		}
		v := h.viewer(c)
		if v != nil {
			c.Response().Header().Set("Cache-Control", "no-store") // What one member saw is not for the next at this machine.
		}
		switch {
		case who == anyone, who == local && fromHere(c.Request()), v != nil && who == member, v != nil && v.Role == "admin":
			return next(c)
		case v != nil:
			return echo.NewHTTPError(http.StatusForbidden, "this is for admins, and you are signed in as "+v.Name)
		case mayRedirect(c):
			return c.Redirect(http.StatusSeeOther, "/sign-in?next="+url.QueryEscape(c.Request().URL.RequestURI()))
		}
		return echo.ErrUnauthorized
	}
}
