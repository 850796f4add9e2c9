package bus

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"gorm.io/gorm"

	"laurel/jobs/bench"
	"laurel/models/awards/rules"
	"laurel/models/events"
	"laurel/models/kafka"
	"laurel/models/modelstest"
)

const (
	benchEvents  = 200_000
	benchMembers = 5_000
	benchBatch   = 1000
)

// BenchmarkKafka prints how many events a core takes in by Kafka a second, with its backends and without
// the broker, which is a process of its own, against the same lines parsed and appended.
func BenchmarkKafka(b *testing.B) {
	if os.Getenv("LAUREL_BENCH") == "" {
		b.Skip("make bench")
	}
	db := modelstest.Open(b)
	if err := db.Exec(`INSERT INTO members (name, display_name, created_at) SELECT 'm' || n, '', @now FROM generate_series(0, @n) n`,
		map[string]any{"n": benchMembers, "now": modelstest.Noon}).Error; err != nil {
		b.Fatal(err)
	}
	list := stream(random(b), benchEvents, benchMembers)
	all := lines(b, list)
	brokers, err := Settings(brokerProcess(b), "", "")
	if err != nil {
		b.Fatal(err)
	}
	client, err := brokers.client(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	for i, line := range all {
		client.Produce(b.Context(), &kgo.Record{Topic: list[i].Source, Value: []byte(line)}, nil)
	}
	if err := client.Flush(b.Context()); err != nil {
		b.Fatal(err)
	}
	client.Close()
	appended := perCore(b, db.DB, func() {
		for start := 0; start < len(all); start += benchBatch {
			batch := make([]rules.Event, 0, benchBatch)
			for _, line := range all[start:min(start+benchBatch, len(all))] {
				e, mistakes := rules.ParseEvent([]byte(line))
				if len(mistakes) > 0 {
					b.Fatal(mistakes)
				}
				batch = append(batch, e)
			}
			if _, err := events.Append(b.Context(), db.DB, batch, modelstest.Noon); err != nil {
				b.Fatal(err)
			}
		}
	})
	if err := db.Exec(`TRUNCATE events`).Error; err != nil {
		b.Fatal(err)
	}
	mapped(b, db.DB, kafka.Topic{Topic: "photo", Source: "photo"}, kafka.Topic{Topic: "reviews", Source: "reviews"}, kafka.Topic{Topic: "navi", Source: "navi"})
	j := &Jobs{DB: db, Now: time.Now, Log: slog.New(slog.DiscardHandler), Brokers: brokers}
	door := perCore(b, db.DB, func() {
		ctx, cancel := context.WithCancel(b.Context())
		defer cancel()
		go func() {
			defer cancel()
			for n := 0; n < len(all) && ctx.Err() == nil; <-time.After(100 * time.Millisecond) {
				_ = db.WithContext(ctx).Raw(`SELECT coalesce(sum(next), 0) FROM kafka_offsets`).Scan(&n).Error
			}
		}()
		if err := j.Consume(ctx); err != nil && ctx.Err() == nil {
			b.Fatal(err)
		}
	})
	bench.Ratio("events by Kafka, against parsing and appending them", door/1000, appended/1000, "k/core-s",
		fmt.Sprintf("%d events, 3 topics, 12 partitions, batches of up to %d and of %d", benchEvents, recordsAtOnce, benchBatch))
}

// perCore is how many events a core handles a second.
func perCore(b *testing.B, db *gorm.DB, work func()) float64 {
	b.Helper()
	used := func() time.Duration {
		var pids []int
		if err := db.Raw(`SELECT pid FROM pg_stat_activity WHERE datname = current_database()`).Scan(&pids).Error; err != nil {
			b.Fatal(err)
		}
		return bench.CPU() + bench.BackendCPU(pids)
	}
	before := used()
	work()
	return benchEvents / (used() - before).Seconds()
}

// brokerProcess starts a broker whose time is not ours, and returns its address.
func brokerProcess(b *testing.B) string {
	b.Helper()
	cmd := exec.CommandContext(b.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), envWork+"=broker")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { kill(cmd) })
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	return strings.TrimSpace(address)
}

func serveForever() {
	c := kfake.MustCluster(kfake.NumBrokers(1), kfake.SeedTopics(4, "photo", "reviews", "navi"))
	fmt.Println(c.ListenAddrs()[0])
	select {}
}
