// Package notices answers for notices and for the links in e-mails.
package notices

import (
	"laurel/handlers/web"
)

// Handlers answers for the domain.
type Handlers struct {
	*web.Base
	Outbox Outbox
}

// Routes are the addresses of notices, and where the links in e-mails lead.
func (h *Handlers) Routes() []web.Route {
	return []web.Route{
		web.Get("/confirm-address", web.Door, h.ConfirmForm),
		web.Post("/confirm-address", web.Door, h.Confirm),
		web.Get("/unsubscribe", web.Door, h.UnsubscribeForm),
		web.Post("/unsubscribe", web.Door, h.Unsubscribe),
		web.Get("/notices", web.Member, h.Index),
		web.Post("/notices/read", web.Member, h.MarkRead),
		web.Get("/admin/notices", web.Admin, h.Admin),
		web.Post("/admin/notices/:id/retry", web.Admin, h.RetryDelivery),

		web.Get("/api/v1/members/:name/notices", web.Member, h.APIList),
	}
}

// Outbox is what pages must know of how notices go further.
type Outbox struct {
	Mail       bool   // E-mails can be sent.
	Webhook    string // The host that is called; "" for none.
	WebhookKey string // With which the receiver checks who calls.
}
