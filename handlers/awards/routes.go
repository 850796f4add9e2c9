// Package awards answers for awards: the catalogue, the editor, explanations, and
// the events that awards count.
package awards

import (
	"slices"

	"laurel/handlers/web"
	"laurel/models/awards/rules"
)

// maxBulk bounds what comes in many parts: events, all awards of another Laurel.
const maxBulk = 10 << 20

// Handlers answers for the domain.
type Handlers struct{ *web.Base }

// Routes are the addresses of awards and of the events that they count.
func (h *Handlers) Routes() []web.Route { return slices.Concat(h.pages(), h.api()) }

func (h *Handlers) pages() []web.Route {
	return []web.Route{
		web.Get("/u/:name/awards", web.Anyone, h.OfMember),
		web.Get("/u/:name/awards/:slug", web.Anyone, h.Why),
		web.Post("/u/:name/awards/pins", web.Member, h.Pin),
		web.Get("/awards", web.Anyone, h.Index),
		web.Get("/awards/:slug", web.Anyone, h.Show),
		web.Get("/awards/:slug/picture.svg", web.Public, h.Picture),
		web.Post("/admin/members/:name/ban", web.Admin, h.Ban),
		web.Get("/admin/support", web.Support, h.Support),
		web.Get("/admin/awards", web.Admin, h.Admin),
		web.Get("/admin/awards/gallery", web.Admin, h.Gallery),
		web.Get("/admin/awards/gallery/:slug/picture.svg", web.Admin, h.GalleryPicture),
		web.Get("/admin/awards/new", web.Admin, h.Edit),
		web.Post("/admin/awards/new", web.Admin, h.Save),
		web.Post("/admin/awards/starter", web.Admin, h.InstallStarters),
		web.Post("/admin/awards/import", web.Admin, h.Import),
		web.Post("/admin/awards/lint", web.Admin, h.Lint),
		web.Get("/admin/awards/:slug", web.Admin, h.Edit),
		web.Post("/admin/awards/:slug", web.Admin, h.Save),
		web.Get("/admin/awards/:slug/versions", web.Admin, h.Versions),
		web.Post("/admin/awards/:slug/activate", web.Admin, h.Activate),
		web.Post("/admin/awards/:slug/state", web.Admin, h.SetState),
		web.Post("/admin/awards/:slug/secret", web.Admin, h.SetSecret),
		web.Post("/admin/awards/:slug/delete", web.Admin, h.Delete),
		web.Get("/admin/awards/:slug/members", web.Support, h.FindMember),
		web.Get("/admin/awards/:slug/members/:name", web.Support, h.Explain),
		web.Post("/admin/awards/:slug/members/:name/recompute", web.Admin, h.Recompute),
		web.Post("/admin/awards/:slug/members/:name/by-hand", web.Support, h.GrantOrRevoke),
		web.Get("/admin/events", web.Support, h.Events),
		web.Post("/admin/events/sources/:source/pause", web.Admin, h.pauseSource(true, "waits")),
		web.Post("/admin/events/sources/:source/resume", web.Admin, h.pauseSource(false, "goes-on")),
		web.Post("/admin/events/topics", web.Admin, h.SaveTopic),
		web.Post("/admin/events/topics/:topic/remove", web.Admin, h.RemoveTopic),
		web.Post("/admin/tokens", web.Admin, h.CreateToken),
		web.Post("/admin/tokens/:id/revoke", web.Admin, h.RevokeToken),
		web.Post("/admin/events/dead/replay", web.Admin, h.ReplayDead),
		web.Post("/admin/events/dead/:id/replay", web.Admin, h.ReplayDead),
	}
}

func (h *Handlers) api() []web.Route {
	return []web.Route{
		web.Get("/api/v1/awards", web.Anyone, h.APIList),
		web.Get("/api/v1/members/:name/awards", web.Anyone, h.APIOfMember),
		web.Post("/api/v1/events", web.Pusher, h.APIAppendEvents).UpTo(maxBulk),
		web.Post("/api/v1/events/firehose", web.Admin, h.APIFirehose).UpTo(maxBulk),
		web.Get("/api/v1/admin/awards", web.Admin, h.APIListAll),
		web.Get("/api/v1/admin/awards/export", web.Admin, h.APIExport),
		web.Post("/api/v1/admin/awards/import", web.Admin, h.APIImport).UpTo(maxBulk),
		web.Get("/api/v1/admin/awards/schema", web.Admin, h.APISchema),
		web.Get("/api/v1/admin/awards/names", web.Admin, h.APINames),
		web.Post("/api/v1/admin/awards/lint", web.Admin, h.APILint),
		web.Get("/api/v1/admin/awards/:slug", web.Admin, h.APIShow),
		web.Put("/api/v1/admin/awards/:slug", web.Admin, h.APISave),
		web.Patch("/api/v1/admin/awards/:slug", web.Admin, h.APIUpdate),
		web.Delete("/api/v1/admin/awards/:slug", web.Admin, h.APIDelete),
		web.Get("/api/v1/admin/awards/:slug/versions", web.Admin, h.APIVersions),
		web.Post("/api/v1/admin/awards/:slug/dry-run", web.Admin, h.APIDryRun),
		web.Post("/api/v1/admin/awards/:slug/activate", web.Admin, h.APIActivate),
		web.Post("/api/v1/admin/awards/:slug/pause", web.Admin, h.apiSetState(rules.Paused)),
		web.Post("/api/v1/admin/awards/:slug/retire", web.Admin, h.apiSetState(rules.Retired)),
		web.Post("/api/v1/admin/awards/:slug/hide", web.Admin, h.apiSetState(rules.Hidden)),
		web.Get("/api/v1/admin/members/:name/awards/:slug/explain", web.Support, h.APIExplain),
		web.Post("/api/v1/admin/members/:name/awards/:slug/grant", web.Support, h.APIGrant),
		web.Post("/api/v1/admin/members/:name/awards/:slug/revoke", web.Support, h.APIRevoke),
		web.Post("/api/v1/admin/members/:name/ban", web.Admin, h.apiBan(true)),
		web.Post("/api/v1/admin/members/:name/unban", web.Admin, h.apiBan(false)),
		web.Get("/api/v1/admin/sources", web.Support, h.APISources),
		web.Post("/api/v1/admin/sources/:source/pause", web.Admin, h.apiPauseSource(true)),
		web.Post("/api/v1/admin/sources/:source/resume", web.Admin, h.apiPauseSource(false)),
		web.Get("/api/v1/admin/topics", web.Admin, h.APITopics),
		web.Put("/api/v1/admin/topics/:topic", web.Admin, h.APISaveTopic),
		web.Delete("/api/v1/admin/topics/:topic", web.Admin, h.APIRemoveTopic),
		web.Get("/api/v1/admin/tokens", web.Admin, h.APITokens),
		web.Post("/api/v1/admin/tokens", web.Admin, h.APICreateToken),
		web.Delete("/api/v1/admin/tokens/:id", web.Admin, h.APIRevokeToken),
		web.Get("/api/v1/admin/events/dead", web.Support, h.APIDeadEvents),
		web.Post("/api/v1/admin/events/dead/replay", web.Admin, h.APIReplay),
		web.Post("/api/v1/admin/events/dead/:id/replay", web.Admin, h.APIReplay),
	}
}
