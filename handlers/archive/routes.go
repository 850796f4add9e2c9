// Package archive answers for the archive: shards, their rows over time, and what
// was retrieved when.
package archive

import (
	"laurel/handlers/web"
)

// Handlers answers for the domain.
type Handlers struct{ *web.Base }

// Routes are the addresses of the archive.
func (h *Handlers) Routes() []web.Route {
	return []web.Route{
		web.Get("/archive", web.Anyone, h.Index),
		web.Get("/archive/declare", web.Admin, h.DeclareForm),
		web.Post("/archive/declare", web.Admin, h.Declare),
		web.Get("/archive/:name", web.Anyone, h.Show),
		web.Get("/archive/:name/history", web.Anyone, h.History),
		web.Get("/archive/:name/diff", web.Anyone, h.Diff),
		web.Get("/archive/:name/timemap", web.Anyone, h.TimeMap),
		web.Get("/archive/:name/declaration", web.Admin, h.EvolveForm),
		web.Post("/archive/:name/declaration", web.Admin, h.Evolve),
		web.Post("/archive/:name/retired", web.Admin, h.Retire),
		web.Get("/looks", web.Anyone, h.Retrievals),

		web.Get("/api/v1/archive", web.Anyone, h.APIList),
		web.Post("/api/v1/archive", web.Admin, h.APIDeclare),
		web.Get("/api/v1/archive/retrievals", web.Anyone, h.APIRetrievals),
		web.Post("/api/v1/archive/responses", web.Admin, h.APIStoreResponse),
		web.Post("/api/v1/archive/retractions", web.Admin, h.APIRetract),
		web.Get("/api/v1/archive/:name", web.Anyone, h.APIRows),
		web.Post("/api/v1/archive/:name", web.Admin, h.APIPush),
		web.Put("/api/v1/archive/:name", web.Admin, h.APIEvolve),
		web.Get("/api/v1/archive/:name/versions", web.Anyone, h.APIVersions),
		web.Get("/api/v1/archive/:name/history", web.Anyone, h.APIHistory),
		web.Get("/api/v1/archive/:name/set-aside", web.Anyone, h.APISetAside),
		web.Get("/api/v1/archive/:name/changes", web.Anyone, h.APIChanges),
		web.Get("/api/v1/archive/:name/diff", web.Anyone, h.APIDiff),
		web.Get("/api/v1/archive/:name/timemap", web.Anyone, h.APITimeMap),
	}
}
