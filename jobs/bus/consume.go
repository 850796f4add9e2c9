package bus

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"laurel/models/kafka"
)

// checkEvery is how often who reads asks whether the topics have changed and the brokers answer.
const checkEvery = 5 * time.Second

// Consume reads all topics that are mapped to sources until ctx ends, and returns before where there are none
// or the brokers are away: the next tick tries again.
func (j *Jobs) Consume(ctx context.Context) error {
	for ctx.Err() == nil {
		sources, err := kafka.Incoming(ctx, j.DB.DB)
		if err != nil || len(sources) == 0 {
			return err
		}
		if err = j.session(ctx, sources); errors.Is(err, kafka.ErrMoved) || errors.Is(err, errAgain) {
			j.Log.InfoContext(ctx, "Kafka is read again from the offsets in the database", "why", err)
			continue
		}
		if err != nil {
			return j.failed(ctx, err)
		}
	}
	return nil
}

// session reads as one of the group until something is wrong or the topics change, which is no error.
func (j *Jobs) session(ctx context.Context, sources map[string]string) error {
	r := &reader{db: j.DB.DB, consumer: kafka.Servers, at: map[kafka.Partition]int64{}}
	opts := append(reading(), kgo.ConsumerGroup(kafka.Servers), kgo.ConsumeTopics(slices.Collect(maps.Keys(sources))...),
		kgo.DisableAutoCommit(), kgo.AdjustFetchOffsetsFn(r.assign), kgo.BlockRebalanceOnPoll())
	if s := j.Brokers.session; s > 0 {
		opts = append(opts, kgo.SessionTimeout(s), kgo.HeartbeatInterval(s/10), kgo.RebalanceTimeout(2*s))
	}
	client, err := j.Brokers.client(ctx, opts...)
	if err != nil {
		return err
	}
	defer client.CloseAllowingRebalance()
	r.client = client
	if err := j.reached(ctx, 0); err != nil {
		return err
	}
	for checked := j.Now(); ctx.Err() == nil; {
		b, err := r.poll(ctx, checkEvery, sources, j.Now())
		if err == nil && len(b.moves) > 0 {
			err = kafka.Take(ctx, j.DB.DB, b.records, sources, b.moves, j.Now())
		}
		if err = errors.Join(err, j.failed(ctx, b.refused)); err != nil {
			return err
		}
		r.moved(b.moves)
		client.AllowRebalance()
		if j.Now().Sub(checked) < checkEvery {
			continue
		}
		checked = j.Now()
		if changed, err := j.check(ctx, client, sources); err != nil || changed {
			return err
		}
	}
	return nil
}

// check sees that a broker answers, and whether the topics have changed.
func (j *Jobs) check(ctx context.Context, client *kgo.Client, sources map[string]string) (changed bool, err error) {
	if err := ping(ctx, client); err != nil {
		return false, err
	}
	if err := j.reached(ctx, othersFail); err != nil {
		return false, err
	}
	newest, err := kafka.Incoming(ctx, j.DB.DB)
	return !maps.Equal(newest, sources), err
}
