package handlers

type archiveHandlers struct{ *Base }

// Routes are the addresses of the archive.
func (h *archiveHandlers) Routes() []Route {
	return []Route{
		Get("/archive", Anyone, h.Archive),
		Get("/archive/declare", Admin, h.DeclareForm),
		Post("/archive/declare", Admin, h.Declare),
		Get("/archive/:name", Anyone, h.Shard),
		Get("/archive/:name/history", Anyone, h.ShardHistory),
		Get("/looks", Anyone, h.Looks),

		Get("/api/v1/archive", Anyone, h.APIShards),
		Post("/api/v1/archive", Admin, h.APIDeclareShard),
		Get("/api/v1/archive/retrievals", Anyone, h.APILooks),
		Post("/api/v1/archive/responses", Admin, h.APIResponse),
		Get("/api/v1/archive/:name", Anyone, h.APIShardRows),
		Post("/api/v1/archive/:name", Admin, h.APIPush),
		Get("/api/v1/archive/:name/history", Anyone, h.APIShardHistory),
	}
}
