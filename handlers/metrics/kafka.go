package metrics

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	pg "laurel/models/db"
	"laurel/models/kafka"
)

// kafkaMetrics say how Kafka is kept up with. There are none where it was never used.
type kafkaMetrics struct {
	db  *pg.DB
	log *slog.Logger
}

var (
	kafkaLag = prometheus.NewDesc("laurel_kafka_lag", "Records of the topic that are yet to be read, as last seen.",
		[]string{"topic"}, nil)
	kafkaFailing = prometheus.NewDesc("laurel_kafka_failing", "1 if the brokers do not answer.", nil, nil)
	kafkaOutbox  = prometheus.NewDesc("laurel_kafka_outbox", "Records to be sent; counted up to 10,000.", nil, nil)
)

// Describe implements prometheus.Collector.
func (m *kafkaMetrics) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{kafkaLag, kafkaFailing, kafkaOutbox} {
		out <- d
	}
}

// Collect implements prometheus.Collector. A database that does not answer leaves Kafka out.
func (m *kafkaMetrics) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	state, err := kafka.Now(ctx, m.db.DB)
	if err == nil && state == nil {
		return
	}
	topics, again := kafka.Topics(ctx, m.db.DB)
	if err != nil || again != nil {
		m.log.WarnContext(ctx, "metrics without Kafka", "err", err)
		return
	}
	failing := 0.0
	if state.FailingSince != nil {
		failing = 1
	}
	out <- prometheus.MustNewConstMetric(kafkaFailing, prometheus.GaugeValue, failing)
	out <- prometheus.MustNewConstMetric(kafkaOutbox, prometheus.GaugeValue, float64(state.Outbox))
	for _, t := range topics {
		if t.Source != "" {
			out <- prometheus.MustNewConstMetric(kafkaLag, prometheus.GaugeValue, float64(t.Lag), t.Topic.Topic)
		}
	}
}
