package handlers

import (
	"slices"

	"github.com/labstack/echo/v4"

	"laurel/handlers/admin"
	"laurel/handlers/archive"
	"laurel/handlers/awards"
	"laurel/handlers/badges"
	"laurel/handlers/community"
	"laurel/handlers/follows"
	"laurel/handlers/forums"
	"laurel/handlers/members"
	"laurel/handlers/notices"
	"laurel/handlers/posts"
	"laurel/handlers/profiles"
	"laurel/handlers/pushes"
	"laurel/handlers/rankings"
	"laurel/handlers/sites"
	"laurel/handlers/web"
)

// Routes is the whole address space of the site; `laurel routes` prints it.
func (h *Handlers) Routes() []web.Route {
	b := h.Base
	return slices.Concat(
		h.own(),
		(&profiles.Handlers{Base: b, Progress: h.Progress, CoolDown: h.CoolDown}).Routes(),
		(&sites.Handlers{Base: b, Secret: h.Secret}).Routes(),
		(&pushes.Handlers{Base: b}).Routes(),
		(&awards.Handlers{Base: b}).Routes(),
		(&badges.Handlers{Base: b, Secret: h.Secret}).Routes(),
		(&posts.Handlers{Base: b, Networks: h.Networks, Posts: h.Posts, Secret: h.Secret}).Routes(),
		(&forums.Handlers{Base: b, ForumKinds: h.ForumKinds, ReadMbox: h.ReadMbox}).Routes(),
		(&archive.Handlers{Base: b}).Routes(),
		(&rankings.Handlers{Base: b}).Routes(),
		(&members.Handlers{Base: b, Mail: h.Outbox.Mail, Secret: h.Secret}).Routes(),
		(&notices.Handlers{Base: b, Outbox: h.Outbox}).Routes(),
		(&admin.Handlers{Base: b, Mail: h.Outbox.Mail, Disk: h.Disk}).Routes(),
		(&community.Handlers{Base: b}).Routes(),
		(&follows.Handlers{Base: b}).Routes(),
	)
}

// own are the addresses of no domain.
func (h *Handlers) own() []web.Route {
	return []web.Route{
		web.Get("/healthz", web.Public, h.Healthz),
		web.Get("/readyz", web.Public, h.Readyz),
		web.Get("/metrics", web.Local, h.ServeMetrics),
		web.Get("/static/*", web.Public, h.ServeStatic),
		web.Get("/api/v1/openapi.yaml", web.Public, h.OpenAPI),
	}
}

// Register makes e answer all routes.
func (h *Handlers) Register(e *echo.Echo) {
	e.Pre(posts.PlainIDs)
	h.Base.Register(e, h.Routes())
}
