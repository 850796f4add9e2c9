// Package badges answers for badges, which are awards that are carried elsewhere:
// their pages and files, the keys that check them, and the status list.
package badges

import (
	"laurel/handlers/web"
	pg "laurel/models/db"
)

// maxForm is what a form needs around a file of maxBody.
const maxForm = 64 << 10

// Handlers answers for the domain.
type Handlers struct {
	*web.Base
	Secret pg.Secret // Opens the key that signs badges.
}

// Routes are the addresses of badges: awards that are carried elsewhere.
func (h *Handlers) Routes() []web.Route {
	return []web.Route{
		web.Get("/.well-known/did.json", web.Public, h.DID),
		web.Get("/did.json", web.Public, h.DID), // Where some expect it.
		web.Get("/awards/:slug/picture.png", web.Public, h.AwardPNG),
		web.Get("/badges/verify", web.Door, h.VerifyForm),
		web.Post("/badges/verify", web.Door, h.Verify).UpTo(web.MaxBody + maxForm),
		web.Get("/badges/status/:list", web.Public, h.StatusList),
		web.Get("/badges/:id", web.Door, h.Show), // Also with .jwt, .json, .png and .svg behind it.
	}
}
