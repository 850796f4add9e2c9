package handlers

import (
	"slices"

	"github.com/labstack/echo/v4"
)

// Routes is the whole address space of the site; `laurel routes` prints it.
func (h *Handlers) Routes() []Route {
	b := h.Base
	return slices.Concat(
		h.own(),
		(&profileHandlers{Base: b, Progress: h.Progress, CoolDown: h.CoolDown}).Routes(),
		(&siteHandlers{b}).Routes(),
		(&awardHandlers{b}).Routes(),
		(&badgeHandlers{Base: b, Secret: h.Secret}).Routes(),
		(&postHandlers{Base: b, Networks: h.Networks, Posts: h.Posts, Secret: h.Secret}).Routes(),
		(&forumHandlers{Base: b, ForumKinds: h.ForumKinds, ReadMbox: h.ReadMbox}).Routes(),
		(&archiveHandlers{b}).Routes(),
		(&rankingHandlers{b}).Routes(),
		(&memberHandlers{Base: b, Mail: h.Outbox.Mail}).Routes(),
		(&noticeHandlers{Base: b, Outbox: h.Outbox}).Routes(),
		(&adminHandlers{b}).Routes(),
	)
}

// own are the addresses of no domain.
func (h *Handlers) own() []Route {
	return []Route{
		Get("/healthz", Public, h.Healthz),
		Get("/readyz", Public, h.Readyz),
		Get("/metrics", Local, h.ServeMetrics),
		Get("/static/*", Public, h.ServeStatic),
		Get("/api/v1/openapi.yaml", Public, h.OpenAPI),
	}
}

// Register makes e answer all routes.
func (h *Handlers) Register(e *echo.Echo) {
	e.Pre(plainPostIDs)
	h.Base.Register(e, h.Routes())
}
