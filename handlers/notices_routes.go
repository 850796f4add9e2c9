package handlers

type noticeHandlers struct {
	*Base
	Outbox Outbox
}

// Routes are the addresses of notices, and where the links in e-mails lead.
func (h *noticeHandlers) Routes() []Route {
	return []Route{
		Get("/confirm-address", Anyone, h.ConfirmForm),
		Post("/confirm-address", Anyone, h.Confirm),
		Get("/unsubscribe", Anyone, h.UnsubscribeForm),
		Post("/unsubscribe", Anyone, h.Unsubscribe),
		Get("/notices", Member, h.Index),
		Post("/notices/read", Member, h.MarkRead),
		Get("/admin/notices", Admin, h.Admin),
		Post("/admin/notices/:id/retry", Admin, h.RetryDelivery),

		Get("/api/v1/members/:name/notices", Member, h.APIList),
	}
}

// Outbox is what pages must know of how notices go further.
type Outbox struct {
	Mail       bool   // E-mails can be sent.
	Webhook    string // The host that is called; "" for none.
	WebhookKey string // With which the receiver checks who calls.
}
