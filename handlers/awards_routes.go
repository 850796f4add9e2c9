package handlers

import "slices"

// maxBulk bounds what comes in many parts: events, all awards of another Laurel.
const maxBulk = 10 << 20

type awardHandlers struct{ *Base }

// Routes are the addresses of awards and of the events that they count.
func (h *awardHandlers) Routes() []Route { return slices.Concat(h.pages(), h.api()) }

func (h *awardHandlers) pages() []Route {
	return []Route{
		Get("/u/:name/awards", Anyone, h.OfMember),
		Post("/u/:name/awards/pins", Member, h.Pin),
		Get("/awards", Anyone, h.Index),
		Get("/awards/:slug", Anyone, h.Show),
		Get("/awards/:slug/picture.svg", Public, h.Picture),
		Post("/admin/members/:name/ban", Admin, h.Ban),
		Get("/admin/awards", Admin, h.Admin),
		Get("/admin/awards/new", Admin, h.Edit),
		Post("/admin/awards/new", Admin, h.Save),
		Post("/admin/awards/starter", Admin, h.InstallStarters),
		Post("/admin/awards/import", Admin, h.Import),
		Post("/admin/awards/lint", Admin, h.Lint),
		Get("/admin/awards/:slug", Admin, h.Edit),
		Post("/admin/awards/:slug", Admin, h.Save),
		Get("/admin/awards/:slug/versions", Admin, h.Versions),
		Post("/admin/awards/:slug/activate", Admin, h.Activate),
		Post("/admin/awards/:slug/state", Admin, h.SetState),
		Post("/admin/awards/:slug/secret", Admin, h.SetSecret),
		Post("/admin/awards/:slug/delete", Admin, h.Delete),
		Get("/admin/awards/:slug/members", Admin, h.FindMember),
		Get("/admin/awards/:slug/members/:name", Admin, h.Explain),
		Post("/admin/awards/:slug/members/:name/recompute", Admin, h.Recompute),
		Post("/admin/awards/:slug/members/:name/by-hand", Admin, h.GrantOrRevoke),
		Get("/admin/events", Admin, h.Events),
		Post("/admin/events/sources/:source/pause", Admin, h.PauseSource),
		Post("/admin/events/sources/:source/resume", Admin, h.ResumeSource),
		Post("/admin/events/dead/replay", Admin, h.ReplayDead),
		Post("/admin/events/dead/:id/replay", Admin, h.ReplayDead),
	}
}

func (h *awardHandlers) api() []Route {
	return []Route{
		Get("/api/v1/awards", Anyone, h.APIList),
		Get("/api/v1/members/:name/awards", Anyone, h.APIOfMember),
		Post("/api/v1/events", Admin, h.APIAppendEvents).UpTo(maxBulk),
		Post("/api/v1/events/firehose", Admin, h.APIFirehose).UpTo(maxBulk),
		Get("/api/v1/admin/awards", Admin, h.APIListAll),
		Get("/api/v1/admin/awards/export", Admin, h.APIExport),
		Post("/api/v1/admin/awards/import", Admin, h.APIImport).UpTo(maxBulk),
		Get("/api/v1/admin/awards/:slug", Admin, h.APIShow),
		Put("/api/v1/admin/awards/:slug", Admin, h.APISave),
		Patch("/api/v1/admin/awards/:slug", Admin, h.APIUpdate),
		Delete("/api/v1/admin/awards/:slug", Admin, h.APIDelete),
		Get("/api/v1/admin/awards/:slug/versions", Admin, h.APIVersions),
		Post("/api/v1/admin/awards/:slug/dry-run", Admin, h.APIDryRun),
		Post("/api/v1/admin/awards/:slug/activate", Admin, h.APIActivate),
		Post("/api/v1/admin/awards/:slug/pause", Admin, h.APIPause),
		Post("/api/v1/admin/awards/:slug/retire", Admin, h.APIRetire),
		Post("/api/v1/admin/awards/:slug/hide", Admin, h.APIHide),
		Get("/api/v1/admin/members/:name/awards/:slug/explain", Admin, h.APIExplain),
		Post("/api/v1/admin/members/:name/awards/:slug/grant", Admin, h.APIGrant),
		Post("/api/v1/admin/members/:name/awards/:slug/revoke", Admin, h.APIRevoke),
		Post("/api/v1/admin/members/:name/ban", Admin, h.APIBan),
		Post("/api/v1/admin/members/:name/unban", Admin, h.APIUnban),
		Get("/api/v1/admin/sources", Admin, h.APISources),
		Post("/api/v1/admin/sources/:source/pause", Admin, h.APIPauseSource),
		Post("/api/v1/admin/sources/:source/resume", Admin, h.APIResumeSource),
		Get("/api/v1/admin/events/dead", Admin, h.APIDeadEvents),
		Post("/api/v1/admin/events/dead/replay", Admin, h.APIReplayAll),
		Post("/api/v1/admin/events/dead/:id/replay", Admin, h.APIReplay),
	}
}
