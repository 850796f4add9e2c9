package handlers

import (
	pg "laurel/models/db"
	"laurel/models/posts"
)

// maxPosts bounds a list of posts to follow: 100,000 with long links.
const maxPosts = 16 << 20

type postHandlers struct {
	*Base
	Networks []posts.Network // The post networks that can be read, by name.
	Posts    PostPages
	Secret   pg.Secret // Seals credentials.
}

// Routes are the addresses of posts on networks. What stands behind a network is the post's id, which may hold slashes.
func (h *postHandlers) Routes() []Route {
	return []Route{
		Get("/posts", Anyone, h.Index),
		Get("/posts/:network/*", Anyone, h.Show),
		Post("/posts/:network/*", Member, h.Refresh),
		Get("/u/:name/posts", Anyone, h.OfMember),
		Post("/u/:name/posts", Member, h.Follow),
		Post("/u/:name/posts/forget", Member, h.Forget),
		Post("/u/:name/posts/accounts", Member, h.LinkAccount),
		Post("/u/:name/posts/accounts/:id/remove", Member, h.UnlinkAccount),
		Get("/admin/posts", Admin, h.Admin),
		Post("/admin/posts/credentials", Admin, h.AddCredential),
		Post("/admin/posts/credentials/:id/pause", Admin, h.PauseCredential),
		Post("/admin/posts/credentials/:id/resume", Admin, h.ResumeCredential),
		Post("/admin/posts/credentials/:id/delete", Admin, h.DeleteCredential),

		Get("/api/v1/members/:name/posts", Anyone, h.APIOfMember),
		Get("/api/v1/members/:name/post-accounts", Anyone, h.APIAccounts),
		Post("/api/v1/members/:name/post-accounts", Member, h.APIAddAccount),
		Delete("/api/v1/members/:name/post-accounts/:id", Member, h.APIRemoveAccount),
		Get("/api/v1/posts", Anyone, h.APIList),
		Post("/api/v1/posts", Member, h.APIAdd).UpTo(maxPosts),
		Get("/api/v1/posts/:network/:id", Anyone, h.APIShow),
		Delete("/api/v1/posts/:network/:id", Member, h.APIForget),
		Get("/api/v1/posts/:network/:id/metrics", Anyone, h.APIMetrics),
		Post("/api/v1/posts/:network/:id/refresh", Member, h.APIRefresh),
		Get("/api/v1/admin/posts", Admin, h.APIPools),
		Get("/api/v1/admin/credentials", Admin, h.APICredentials),
		Post("/api/v1/admin/credentials", Admin, h.APISaveCredential),
		Patch("/api/v1/admin/credentials/:id", Admin, h.APIEditCredential),
		Delete("/api/v1/admin/credentials/:id", Admin, h.APIDeleteCredential),
	}
}
