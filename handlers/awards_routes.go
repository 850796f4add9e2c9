package handlers

import "slices"

// maxBulk bounds what comes in many parts: events, all awards of another Laurel.
const maxBulk = 10 << 20

type awardHandlers struct{ *Base }

// Routes are the addresses of awards and of the events that they count.
func (h *awardHandlers) Routes() []Route { return slices.Concat(h.pages(), h.api()) }

func (h *awardHandlers) pages() []Route {
	return []Route{
		Get("/u/:name/awards", Anyone, h.MemberAwards),
		Post("/u/:name/awards/pins", Member, h.PinAward),
		Get("/awards", Anyone, h.Awards),
		Get("/awards/:slug", Anyone, h.AwardPage),
		Get("/awards/:slug/picture.svg", Public, h.AwardPicture),
		Post("/admin/members/:name/ban", Admin, h.BanFromAwards),
		Get("/admin/awards", Admin, h.AwardsAdmin),
		Get("/admin/awards/new", Admin, h.EditAward),
		Post("/admin/awards/new", Admin, h.WorkOnAward),
		Post("/admin/awards/starter", Admin, h.InstallStarters),
		Post("/admin/awards/import", Admin, h.ImportAward),
		Post("/admin/awards/lint", Admin, h.LintAward),
		Get("/admin/awards/:slug", Admin, h.EditAward),
		Post("/admin/awards/:slug", Admin, h.WorkOnAward),
		Get("/admin/awards/:slug/versions", Admin, h.AwardVersions),
		Post("/admin/awards/:slug/activate", Admin, h.ActivateVersion),
		Post("/admin/awards/:slug/state", Admin, h.MoveAward),
		Post("/admin/awards/:slug/secret", Admin, h.KeepSecret),
		Post("/admin/awards/:slug/delete", Admin, h.DeleteAward),
		Get("/admin/awards/:slug/members", Admin, h.FindExplanation),
		Get("/admin/awards/:slug/members/:name", Admin, h.ExplainAward),
		Post("/admin/awards/:slug/members/:name/recompute", Admin, h.RecomputeAward),
		Post("/admin/awards/:slug/members/:name/by-hand", Admin, h.AwardByHand),
		Get("/admin/events", Admin, h.EventsAdmin),
		Post("/admin/events/sources/:source/pause", Admin, h.PauseSource),
		Post("/admin/events/sources/:source/resume", Admin, h.ResumeSource),
		Post("/admin/events/dead/replay", Admin, h.ReplayEvents),
		Post("/admin/events/dead/:id/replay", Admin, h.ReplayEvents),
	}
}

func (h *awardHandlers) api() []Route {
	return []Route{
		Get("/api/v1/awards", Anyone, h.APIAwards),
		Get("/api/v1/members/:name/awards", Anyone, h.APIMemberAwards),
		Post("/api/v1/events", Admin, h.APIEvents).UpTo(maxBulk),
		Post("/api/v1/events/firehose", Admin, h.APIFirehose).UpTo(maxBulk),
		Get("/api/v1/admin/awards", Admin, h.APIAllAwards),
		Get("/api/v1/admin/awards/export", Admin, h.APIExportAwards),
		Post("/api/v1/admin/awards/import", Admin, h.APIImportAwards).UpTo(maxBulk),
		Get("/api/v1/admin/awards/:slug", Admin, h.APIAward),
		Put("/api/v1/admin/awards/:slug", Admin, h.APISaveAward),
		Patch("/api/v1/admin/awards/:slug", Admin, h.APIEditAward),
		Delete("/api/v1/admin/awards/:slug", Admin, h.APIDeleteAward),
		Get("/api/v1/admin/awards/:slug/versions", Admin, h.APIAwardVersions),
		Post("/api/v1/admin/awards/:slug/dry-run", Admin, h.APIDryRun),
		Post("/api/v1/admin/awards/:slug/activate", Admin, h.APIActivateAward),
		Post("/api/v1/admin/awards/:slug/pause", Admin, h.APIPauseAward),
		Post("/api/v1/admin/awards/:slug/retire", Admin, h.APIRetireAward),
		Post("/api/v1/admin/awards/:slug/hide", Admin, h.APIHideAward),
		Get("/api/v1/admin/members/:name/awards/:slug/explain", Admin, h.APIExplainAward),
		Post("/api/v1/admin/members/:name/awards/:slug/grant", Admin, h.APIGrantAward),
		Post("/api/v1/admin/members/:name/awards/:slug/revoke", Admin, h.APIRevokeAward),
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
