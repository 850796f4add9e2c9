package notices

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/notices"
	views "laurel/views/notices"
)

const deliveriesShown = 100

// Admin is how notices go out, and which could not be delivered.
func (h *Handlers) Admin(c echo.Context) error {
	ctx, now := c.Request().Context(), h.Now()
	p := views.Admin{Frame: h.Frame(c, "Outgoing notices"), Now: now.In(h.Viewer(c).Location()),
		Mail: h.Outbox.Mail, Webhook: h.Outbox.Webhook, WebhookKey: h.Outbox.WebhookKey}
	out, err := notices.Outgoings(ctx, h.DB.DB, now)
	if err != nil {
		return err
	}
	for _, o := range out {
		p.Channels = append(p.Channels, views.Outgoing{Channel: o.Channel, Waiting: o.Waiting, Sent: o.Sent, Failed: o.Failed})
	}
	list, err := notices.TroubledDeliveries(ctx, h.DB.DB, deliveriesShown)
	if err != nil {
		return err
	}
	for _, d := range list {
		v := views.Delivery{ID: d.ID, Channel: d.Channel, Address: d.Address, Made: d.CreatedAt, Attempts: d.Attempts,
			Wrong: web.Sentence(d.Error)}
		if d.State == "waiting" {
			v.Next = d.DueAt
		}
		p.Troubled = append(p.Troubled, v)
	}
	return web.Render(c, http.StatusOK, views.AdminPage(p))
}

// RetryDelivery tries a delivery again that was given up.
func (h *Handlers) RetryDelivery(c echo.Context) error {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil {
		return pg.ErrNotFound
	}
	if err := notices.RetryDelivery(c.Request().Context(), h.DB.DB, id, h.Now()); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/admin/notices?done=retried")
}
