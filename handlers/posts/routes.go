// Package posts answers for posts on networks, the accounts that write them, and
// the credentials to ask with.
package posts

import (
	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/posts"
)

// maxPosts bounds a list of posts to follow: 100,000 with long links.
const maxPosts = 16 << 20

// Handlers answers for the domain.
type Handlers struct {
	*web.Base
	Networks []posts.Network // The post networks that can be read, by name.
	Posts    Pages
	Secret   pg.Secret // Seals credentials.
}

// Routes are the addresses of posts on networks. What is behind a network is
// the post's id, which may hold slashes.
func (h *Handlers) Routes() []web.Route {
	return []web.Route{
		web.Get("/posts", web.Anyone, h.Index),
		web.Get("/posts/:network/*", web.Anyone, h.Show),
		web.Post("/posts/:network/*", web.Member, h.Refresh),
		web.Get("/u/:name/posts", web.Anyone, h.OfMember),
		web.Post("/u/:name/posts", web.Member, h.Follow),
		web.Post("/u/:name/posts/forget", web.Member, h.Forget),
		web.Post("/u/:name/posts/accounts", web.Member, h.LinkAccount),
		web.Post("/u/:name/posts/accounts/:id/remove", web.Member, h.UnlinkAccount),
		web.Get("/admin/posts", web.Admin, h.Admin),
		web.Post("/admin/posts/credentials", web.Admin, h.AddCredential),
		web.Post("/admin/posts/credentials/:id/pause", web.Admin, h.PauseCredential),
		web.Post("/admin/posts/credentials/:id/resume", web.Admin, h.ResumeCredential),
		web.Post("/admin/posts/credentials/:id/delete", web.Admin, h.DeleteCredential),

		web.Get("/api/v1/members/:name/posts", web.Anyone, h.APIOfMember),
		web.Get("/api/v1/members/:name/post-accounts", web.Anyone, h.APIAccounts),
		web.Post("/api/v1/members/:name/post-accounts", web.Member, h.APIAddAccount),
		web.Delete("/api/v1/members/:name/post-accounts/:id", web.Member, h.APIRemoveAccount),
		web.Get("/api/v1/posts", web.Anyone, h.APIList),
		web.Post("/api/v1/posts", web.Member, h.APIAdd).UpTo(maxPosts),
		web.Get("/api/v1/posts/:network/:id", web.Anyone, h.APIShow),
		web.Delete("/api/v1/posts/:network/:id", web.Member, h.APIForget),
		web.Get("/api/v1/posts/:network/:id/metrics", web.Anyone, h.APIMetrics),
		web.Post("/api/v1/posts/:network/:id/refresh", web.Member, h.APIRefresh),
		web.Get("/api/v1/admin/posts", web.Admin, h.APIPools),
		web.Get("/api/v1/admin/credentials", web.Admin, h.APICredentials),
		web.Post("/api/v1/admin/credentials", web.Admin, h.APISaveCredential),
		web.Patch("/api/v1/admin/credentials/:id", web.Admin, h.APIEditCredential),
		web.Delete("/api/v1/admin/credentials/:id", web.Admin, h.APIDeleteCredential),
	}
}
