// Package rankings answers for rankings, which are called ladders in addresses.
package rankings

import (
	"laurel/handlers/web"
)

// Handlers answers for the domain.
type Handlers struct{ *web.Base }

// Routes are the addresses of rankings.
func (h *Handlers) Routes() []web.Route {
	return []web.Route{
		web.Get("/ladders", web.Anyone, h.Index),
		web.Get("/ladders/:name", web.Anyone, h.Show),
		web.Get("/ladders/:name/diff", web.Anyone, h.Diff),
		web.Get("/ladders/:name/climb", web.Anyone, h.RankHistory),
		web.Get("/ladders/:name/timemap", web.Anyone, h.TimeMap),
	}
}
