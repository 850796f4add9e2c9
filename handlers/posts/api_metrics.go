package posts

import (
	"maps"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/archive"
	"laurel/models/archive/shards"
)

type apiMetrics struct {
	At      time.Time      `json:"at"`
	Until   *time.Time     `json:"until"` // Null while these are the newest.
	Seen    []time.Time    `json:"seen"`
	Metrics map[string]any `json:"metrics"`
}

// APIMetrics lists what a post's numbers were, oldest first.
func (h *Handlers) APIMetrics(c echo.Context) error {
	p, err := h.postOf(c)
	if err != nil {
		return err
	}
	limit, err := web.Limit(c)
	if err != nil {
		return err
	}
	shard, err := archive.Lookup(c.Request().Context(), h.DB.DB, "post_metrics")
	if err != nil {
		return err
	}
	list, after := "metrics "+p.String(), time.Time{}
	if err := web.DecodeCursor(c.QueryParam("cursor"), list, &after); err != nil {
		return err
	}
	q := archive.Query{Key: shards.Row{"network": p.Network, "host": p.Host, "post": p.ExternalID}, From: after, Limit: limit + 1}
	if !after.IsZero() {
		q.After = q.Key
	}
	rows, err := archive.History(c.Request().Context(), h.DB.DB, shard, q)
	if err != nil {
		return err
	}
	next := ""
	if len(rows) > limit {
		rows = rows[:limit]
		next = web.EncodeCursor(list, rows[limit-1].ValidFrom)
	}
	return web.SendList(c, rows, next, showMetrics)
}

func showMetrics(s archive.Snapshot) apiMetrics {
	maps.DeleteFunc(s.Data, func(_ string, n any) bool { return n == nil })
	return apiMetrics{At: s.ValidFrom.UTC(), Until: web.UTC(s.ValidUntil), Seen: s.Retrieved, Metrics: s.Data}
}
