package posts

import (
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/posts"
)

type apiPool struct {
	Network    string        `json:"network"`
	Host       string        `json:"host"`
	Due        int           `json:"due"`
	Overdue    float64       `json:"oldest_overdue_seconds"`
	Leased     int           `json:"leased"`
	Expired    int           `json:"expired_leases"`
	Tiers      []apiTier     `json:"tiers"`
	Slowdown   float64       `json:"stretch"`
	EveryDays  float64       `json:"every_days"`
	Demand     float64       `json:"demand"`
	Supply     float64       `json:"supply"`
	MeasuredAt *time.Time    `json:"measured_at"`
	LastHour   apiPoolLately `json:"last_hour"`
}

type apiTier struct {
	Tier  string `json:"tier"`
	Posts int64  `json:"posts"`
}

type apiPoolLately struct {
	Requests int64    `json:"requests"`
	Failures int64    `json:"failures"`
	Posts    int64    `json:"posts"`
	Fill     *float64 `json:"fill"` // Null where no request went well.
}

// APIPools says how the fetches of posts keep up, by network and host.
func (h *Handlers) APIPools(c echo.Context) error {
	now := h.Now()
	pools, err := posts.Healths(c.Request().Context(), h.DB.DB, now)
	if err != nil {
		return err
	}
	return web.SendList(c, pools, "", func(p posts.Health) apiPool { return h.showPool(&p, now) })
}

func (h *Handlers) showPool(p *posts.Health, now time.Time) apiPool {
	out := apiPool{Network: p.Network, Host: p.Host, Due: p.Due, Leased: p.Leased, Expired: p.Expired, Tiers: []apiTier{},
		Slowdown: p.Slowdown, EveryDays: p.EveryDays, Demand: p.Demand, Supply: p.Supply,
		MeasuredAt: web.UTC(p.MeasuredAt), LastHour: apiPoolLately{Requests: p.Requests, Failures: p.Failed, Posts: p.Asked}}
	if p.OldestDue != nil {
		out.Overdue = max(now.Sub(*p.OldestDue).Seconds(), 0)
	}
	counts := p.ByTier()
	for i, tier := range h.Posts.Tiers {
		one := apiTier{Tier: tier.Name}
		if i < len(counts) {
			one.Posts = counts[i]
		}
		out.Tiers = append(out.Tiers, one)
	}
	n, _ := posts.NetworkNamed(h.Networks, p.Network)
	batch := n.Batch
	if p.Batch > 0 {
		batch = min(p.Batch, max(batch, 1))
	}
	if well := p.Requests - p.Failed; well > 0 && batch > 0 {
		out.LastHour.Fill = new(float64(p.Asked) / float64(well) / float64(batch))
	}
	return out
}
