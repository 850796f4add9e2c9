// Package pushes answers for submissions that members bring themselves: by a script, or from
// a file.
package pushes

import (
	"laurel/handlers/web"
)

// Handlers answers for the domain.
type Handlers struct{ *web.Base }

// Routes are the addresses of what members bring.
func (h *Handlers) Routes() []web.Route {
	return []web.Route{
		web.Post("/api/v1/members/:name/submissions", web.Member, h.APIPush).UpTo(maxBody),
		web.Delete("/api/v1/members/:name/submissions", web.Member, h.APIDelete),
	}
}
