package metrics

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	pg "laurel/models/db"
	"laurel/models/forums"
)

// forumMetrics are what Prometheus may know of each forum.
type forumMetrics struct {
	db  *pg.DB
	now func() time.Time
	log *slog.Logger
}

func forumMetric(name, help string) *prometheus.Desc {
	return prometheus.NewDesc("laurel_forum_"+name, help, []string{"forum"}, nil)
}

var (
	forumMessages    = forumMetric("messages", "Messages that are stored.")
	forumDuplicates  = forumMetric("duplicates_total", "Messages found again at a second address.")
	forumRequests    = forumMetric("requests_total", "Requests to the archive.")
	forumNotModified = forumMetric("not_modified_total", "Requests that were answered with 304.")
	forumCovered     = forumMetric("last_ok_seconds", "Seconds since a run last reached covered ground; absent before the first.")
	forumGaps        = forumMetric("gaps", "Messages that the archive lists but could not deliver.")
	forumFailing     = forumMetric("failing", "1 if the newest run did not reach covered ground.")
	forumDescs       = []*prometheus.Desc{forumMessages, forumDuplicates, forumRequests, forumNotModified, forumCovered, forumGaps,
		forumFailing}
)

// Describe implements prometheus.Collector.
func (m *forumMetrics) Describe(out chan<- *prometheus.Desc) {
	for _, d := range forumDescs {
		out <- d
	}
}

// Collect implements prometheus.Collector. A database that does not answer leaves
// the forums out; /readyz says so, too.
func (m *forumMetrics) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	all, err := forums.Healths(ctx, m.db.DB)
	if err != nil {
		m.log.WarnContext(ctx, "metrics without forums", "err", err)
		return
	}
	for _, f := range all {
		send := func(d *prometheus.Desc, kind prometheus.ValueType, v float64) {
			out <- prometheus.MustNewConstMetric(d, kind, v, f.Slug)
		}
		send(forumMessages, prometheus.GaugeValue, float64(f.Messages))
		send(forumDuplicates, prometheus.CounterValue, float64(f.Duplicates))
		send(forumRequests, prometheus.CounterValue, float64(f.Requests))
		send(forumNotModified, prometheus.CounterValue, float64(f.NotModified))
		send(forumGaps, prometheus.GaugeValue, float64(f.Gaps))
		failing := 0.0
		if f.Outcome != "" && f.Outcome != pg.OutcomeOK {
			failing = 1
		}
		send(forumFailing, prometheus.GaugeValue, failing)
		if f.CoveredAt != nil {
			send(forumCovered, prometheus.GaugeValue, m.now().Sub(*f.CoveredAt).Seconds())
		}
	}
}
