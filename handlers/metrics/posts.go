package metrics

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	pg "laurel/models/db"
	"laurel/models/posts"
)

// poolMetrics say how the fetches of each network keep up.
type poolMetrics struct {
	db  *pg.DB
	now func() time.Time
	log *slog.Logger
}

func poolGauge(name, help string) *prometheus.Desc {
	return prometheus.NewDesc("laurel_posts_"+name, help, []string{"network", "host"}, nil)
}

var (
	poolDue      = poolGauge("due", "Posts that are due and not leased; counted up to 100,000.")
	poolOldest   = poolGauge("oldest_due_seconds", "How long the longest-waiting post has been due.")
	poolLeased   = poolGauge("leased", "Posts that a worker has leased.")
	poolExpired  = poolGauge("expired", "Posts with an expired lease, because a worker died.")
	poolSlowdown = poolGauge("stretch", "Factor by which update intervals are longer than configured, because of quota or budget.")
	poolRequests = poolGauge("requests", "Requests of the last hour.")
	poolFailures = poolGauge("failures", "Failed requests of the last hour.")
	poolAsked    = poolGauge("asked", "Posts in successful requests of the last hour.")
)

// Describe implements prometheus.Collector.
func (m *poolMetrics) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{poolDue, poolOldest, poolLeased, poolExpired, poolSlowdown, poolRequests,
		poolFailures, poolAsked} {
		out <- d
	}
}

// Collect implements prometheus.Collector. A database that does not answer leaves
// the pools out.
func (m *poolMetrics) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	now := m.now()
	pools, err := posts.Healths(ctx, m.db.DB, now)
	if err != nil {
		m.log.WarnContext(ctx, "metrics without posts", "err", err)
		return
	}
	for i := range pools {
		p := &pools[i]
		oldest := 0.0
		if p.OldestDue != nil {
			oldest = max(now.Sub(*p.OldestDue).Seconds(), 0)
		}
		for d, v := range map[*prometheus.Desc]float64{
			poolDue: float64(p.Due), poolOldest: oldest, poolLeased: float64(p.Leased), poolExpired: float64(p.Expired),
			poolSlowdown: p.Slowdown, poolRequests: float64(p.Requests), poolFailures: float64(p.Failed), poolAsked: float64(p.Asked),
		} {
			out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, p.Network, p.Host)
		}
	}
}
