package handlers

type archiveHandlers struct{ *Base }

// Routes are the addresses of the archive.
func (h *archiveHandlers) Routes() []Route {
	return []Route{
		Get("/archive", Anyone, h.Index),
		Get("/archive/declare", Admin, h.DeclareForm),
		Post("/archive/declare", Admin, h.Declare),
		Get("/archive/:name", Anyone, h.Show),
		Get("/archive/:name/history", Anyone, h.History),
		Get("/looks", Anyone, h.Retrievals),

		Get("/api/v1/archive", Anyone, h.APIList),
		Post("/api/v1/archive", Admin, h.APIDeclare),
		Get("/api/v1/archive/retrievals", Anyone, h.APIRetrievals),
		Post("/api/v1/archive/responses", Admin, h.APIStoreResponse),
		Get("/api/v1/archive/:name", Anyone, h.APIRows),
		Post("/api/v1/archive/:name", Admin, h.APIPush),
		Get("/api/v1/archive/:name/history", Anyone, h.APIHistory),
	}
}
