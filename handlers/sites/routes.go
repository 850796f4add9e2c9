// Package sites answers for the judge sites: how they are, and their canaries.
package sites

import (
	"laurel/handlers/web"
	pg "laurel/models/db"
)

// Handlers answers for the domain.
type Handlers struct {
	*web.Base
	Secret pg.Secret // Seals the tokens of hosts.
}

// Routes are the addresses of the judge sites.
func (h *Handlers) Routes() []web.Route {
	return []web.Route{
		web.Get("/sites", web.Anyone, h.Index),
		web.Get("/admin/sites", web.Admin, h.Outside),
		web.Post("/admin/sites", web.Admin, h.Declare),
		web.Post("/admin/sites/hosts", web.Admin, h.DeclareHost),
		web.Post("/admin/sites/:site/delete", web.Admin, h.Remove),
		web.Post("/admin/sites/:site/pause", web.Admin, h.Pause),
		web.Post("/admin/sites/:site/resume", web.Admin, h.Resume),
		web.Post("/admin/sites/:site/stream", web.Admin, h.SetStream),
		web.Post("/admin/sites/:site/words", web.Admin, h.AcknowledgeTerm),
		web.Post("/admin/canaries", web.Admin, h.SetCanary),
		web.Post("/admin/sites/:site/canaries/remove", web.Admin, h.RemoveCanary),

		web.Get("/api/v1/sites", web.Anyone, h.APIList),
		web.Patch("/api/v1/sites/:site", web.Admin, h.APIUpdate),
		web.Put("/api/v1/admin/sites/:site", web.Admin, h.APIDeclare),
		web.Delete("/api/v1/admin/sites/:site", web.Admin, h.APIRemove),
		web.Put("/api/v1/sites/:site/canaries/:handle", web.Admin, h.APISetCanary),
		web.Delete("/api/v1/sites/:site/canaries/:handle", web.Admin, h.APIRemoveCanary),
	}
}
