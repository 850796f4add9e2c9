// Package community answers for what the community says of itself, and for the search.
package community

import (
	"laurel/handlers/web"
	"laurel/models/community"
)

// Handlers answers for the domain.
type Handlers struct{ *web.Base }

// Routes are the addresses of the community's own pages and of the search.
func (h *Handlers) Routes() []web.Route {
	return []web.Route{
		web.Get("/api/v1/leaderboard", web.Anyone, h.APILeaderboard),
		web.Post("/api/v1/reports", web.Member, h.APIReport),
		web.Get("/leaderboard", web.Anyone, h.Leaderboard),
		web.Get("/report", web.Anyone, h.Report),
		web.Post("/report", web.Anyone, h.SendReport),
		web.Get("/search", web.Anyone, h.Search),
		web.Post("/language", web.Door, h.ChooseLanguage),
		web.Get("/about", web.Anyone, h.About),
		web.Get("/privacy", web.Door, h.Privacy),
		web.Get("/logo.png", web.Door, h.Logo),
		web.Get("/admin/community", web.Admin, h.Edit),
		web.Post("/admin/community", web.Admin, h.Save),
		web.Post("/admin/community/logo", web.Admin, h.SetLogo).UpTo(community.LogoMaxBytes + 64<<10),
		web.Post("/admin/community/logo/delete", web.Admin, h.RemoveLogo),
	}
}
