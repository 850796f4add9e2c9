package handlers

type siteHandlers struct{ *Base }

// Routes are the addresses of the judge sites.
func (h *siteHandlers) Routes() []Route {
	return []Route{
		Get("/sites", Anyone, h.Index),
		Post("/admin/sites/:site/pause", Admin, h.Pause),
		Post("/admin/sites/:site/resume", Admin, h.Resume),
		Post("/admin/sites/:site/words", Admin, h.AcknowledgeTerm),
		Post("/admin/canaries", Admin, h.SetCanary),
		Post("/admin/sites/:site/canaries/remove", Admin, h.RemoveCanary),

		Get("/api/v1/sites", Anyone, h.APIList),
		Patch("/api/v1/sites/:site", Admin, h.APIUpdate),
		Put("/api/v1/sites/:site/canaries/:handle", Admin, h.APISetCanary),
		Delete("/api/v1/sites/:site/canaries/:handle", Admin, h.APIRemoveCanary),
	}
}
