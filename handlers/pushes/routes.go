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
		web.Get("/u/:name/bring", web.Member, h.Bring),
		web.Post("/u/:name/bring", web.Member, h.Preview).UpTo(maxBody + maxForm),
		web.Post("/u/:name/bring/store", web.Member, h.StoreFile),
		web.Post("/u/:name/bring/delete", web.Member, h.DeleteBrought),
		web.Get("/scripts/leetcode.user.js", web.Public, h.Script),

		web.Post("/api/v1/members/:name/submissions", web.Member, h.APIPush).UpTo(maxBody),
		web.Delete("/api/v1/members/:name/submissions", web.Member, h.APIDelete),
	}
}
