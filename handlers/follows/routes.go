// Package follows answers for whom members follow, and for what those did. Nothing here says that
// somebody hides, or that somebody blocked the viewer: what they are told is what they would be told
// of a name that nobody has.
package follows

import "laurel/handlers/web"

// Handlers answers for the domain.
type Handlers struct{ *web.Base }

// Routes are the addresses of following. They are the viewer's own, but for the buttons on a profile.
func (h *Handlers) Routes() []web.Route {
	return []web.Route{
		web.Get("/feed", web.Member, h.Feed),
		web.Get("/feed.atom", web.Door, h.Atom),
		web.Get("/following", web.Member, h.Following),
		web.Post("/following", web.Member, h.FollowNamed),
		web.Get("/following/followers", web.Member, h.Followers),
		web.Get("/following/requests", web.Member, h.Requests),
		web.Post("/following/requests/:name/allow", web.Member, h.Allow),
		web.Post("/following/requests/:name/decline", web.Member, h.Decline),
		web.Get("/following/blocked", web.Member, h.Blocked),
		web.Post("/u/:name/follow", web.Member, h.Follow),
		web.Post("/u/:name/unfollow", web.Member, h.Unfollow),
		web.Post("/u/:name/block", web.Member, h.Block),
		web.Post("/u/:name/unblock", web.Member, h.Unblock),

		web.Get("/api/v1/feed", web.Member, h.APIFeed),
		web.Get("/api/v1/following", web.Member, h.APIFollowing),
		web.Put("/api/v1/following/:name", web.Member, h.APIFollow),
		web.Delete("/api/v1/following/:name", web.Member, h.APIUnfollow),
		web.Get("/api/v1/followers", web.Member, h.APIFollowers),
		web.Get("/api/v1/follow-requests", web.Member, h.APIRequests),
		web.Put("/api/v1/follow-requests/:name", web.Member, h.APIAllow),
		web.Delete("/api/v1/follow-requests/:name", web.Member, h.APIDecline),
		web.Get("/api/v1/blocks", web.Member, h.APIBlocks),
		web.Put("/api/v1/blocks/:name", web.Member, h.APIBlock),
		web.Delete("/api/v1/blocks/:name", web.Member, h.APIUnblock),
	}
}
