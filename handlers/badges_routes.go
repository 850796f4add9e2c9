package handlers

import pg "laurel/models/db"

// maxForm is what a form needs around a file of maxBody.
const maxForm = 64 << 10

type badgeHandlers struct {
	*Base
	Secret pg.Secret // Opens the key that signs badges.
}

// Routes are the addresses of badges: awards that are carried elsewhere.
func (h *badgeHandlers) Routes() []Route {
	return []Route{
		Get("/.well-known/did.json", Public, h.DID),
		Get("/did.json", Public, h.DID), // Where some look.
		Get("/awards/:slug/picture.png", Public, h.AwardPNG),
		Get("/badges/verify", Anyone, h.VerifyForm),
		Post("/badges/verify", Anyone, h.Verify).UpTo(MaxBody + maxForm),
		Get("/badges/status/:list", Public, h.StatusList),
		Get("/badges/:id", Anyone, h.Show), // Also with .jwt, .json, .png and .svg behind it.
	}
}
