// Package metrics counts what runs, for Prometheus.
package metrics

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	pg "laurel/models/db"
	"laurel/models/retrieval"
)

// New returns what Prometheus may know: of this process, of each judge
// site, and of each pool of posts. All but the first is read from the database when asked for, so every
// process reports the same, whichever of them does the work.
func New(db *pg.DB, now func() time.Time, log *slog.Logger) http.Handler {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		&siteMetrics{db, now, log}, &poolMetrics{db, now, log}, &forumMetrics{db, now, log}, &kafkaMetrics{db, log})
	return promhttp.HandlerFor(r, promhttp.HandlerOpts{})
}

type siteMetrics struct {
	db  *pg.DB
	now func() time.Time
	log *slog.Logger
}

func siteGauge(name, help string) *prometheus.Desc {
	return prometheus.NewDesc("laurel_site_"+name, help, []string{"site"}, nil)
}

var (
	siteAccounts   = siteGauge("accounts", "Accounts on the site.")
	siteQueue      = siteGauge("queue", "Accounts that are due or requested.")
	siteOldest     = siteGauge("oldest_due_seconds", "How long the longest-waiting account has been due.")
	siteSuccess    = siteGauge("last_success_timestamp_seconds", "When the site last answered.")
	siteFailing    = siteGauge("failing", "1 if the newest retrieval from the site failed.")
	siteRequests   = siteGauge("requests", "Requests to the site in the last full hour and the current one.")
	siteRetrievals = siteGauge("retrievals", "Retrievals in the last full hour and the current one.")
	siteCircuit    = siteGauge("circuit", "0: closed, requests are sent; 1: half open; 2: open; 3: paused by an admin.")
	siteAlarms     = prometheus.NewDesc("laurel_site_alarms", "Open alarms of the site, by kind.", []string{"site", "kind"}, nil)
	siteFailures   = siteGauge("failures", "Failed retrievals in the last full hour and the current one.")
)

// Describe implements prometheus.Collector.
func (m *siteMetrics) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{siteAccounts, siteQueue, siteOldest, siteSuccess, siteFailing, siteRequests, siteRetrievals,
		siteFailures, siteCircuit, siteAlarms} {
		out <- d
	}
}

// Collect implements prometheus.Collector. A database that does not answer
// leaves the sites out; /readyz says so, too.
func (m *siteMetrics) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	now := m.now()
	healths, err := retrieval.SiteHealths(ctx, m.db.DB, now)
	if err != nil {
		m.log.WarnContext(ctx, "metrics without sites", "err", err)
		return
	}
	m.alarms(ctx, out, now)
	for _, h := range healths {
		send := func(d *prometheus.Desc, v float64) {
			out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, h.Site)
		}
		send(siteAccounts, float64(h.Accounts))
		send(siteQueue, float64(h.Queue))
		send(siteRequests, float64(h.Requests))
		send(siteRetrievals, float64(h.Retrievals))
		send(siteFailures, float64(h.Failures))
		failing, oldest := 0.0, 0.0
		if h.FailingSince != nil {
			failing = 1
		}
		if h.OldestDue != nil {
			oldest = now.Sub(*h.OldestDue).Seconds()
		}
		send(siteFailing, failing)
		send(siteOldest, oldest)
		if h.LastSuccess != nil {
			send(siteSuccess, float64(h.LastSuccess.Unix()))
		}
	}
}

// alarms are the circuits of sites that are not asked, and what is amiss.
func (m *siteMetrics) alarms(ctx context.Context, out chan<- prometheus.Metric, now time.Time) {
	circuits, err := retrieval.Circuits(ctx, m.db.DB)
	if err != nil {
		m.log.WarnContext(ctx, "metrics without circuits", "err", err)
	}
	for _, c := range circuits {
		v := map[string]float64{retrieval.CircuitHalfOpen: 1, retrieval.CircuitOpen: 2}[c.State]
		if c.PausedAt != nil {
			v = 3
		}
		out <- prometheus.MustNewConstMetric(siteCircuit, prometheus.GaugeValue, v, c.Site)
	}
	alarms, err := retrieval.Alarms(ctx, m.db.DB, now)
	if err != nil {
		m.log.WarnContext(ctx, "metrics without alarms", "err", err)
	}
	open := map[[2]string]float64{}
	for _, a := range alarms {
		if a.ClosedAt == nil {
			open[[2]string{a.Site, a.Kind}]++
		}
	}
	for of, n := range open {
		out <- prometheus.MustNewConstMetric(siteAlarms, prometheus.GaugeValue, n, of[0], of[1])
	}
}
