package bus

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"laurel/models/kafka"
)

const (
	sendAtOnce = 500
	sendWithin = 30 * time.Second
)

// Publish sends what is in the outbox, in its order, unless another process does.
func (j *Jobs) Publish(ctx context.Context) error {
	rows, err := kafka.ToSend(ctx, j.DB.DB, 1)
	if err != nil || len(rows) == 0 {
		return err
	}
	return j.failed(ctx, kafka.Alone(ctx, j.DB, func() error {
		client, err := j.Brokers.client(ctx) // Idempotent, and all replicas acknowledge: kgo's defaults.
		if err != nil {
			return err
		}
		defer client.Close()
		if err := j.reached(ctx, 0); err != nil {
			return err
		}
		for ctx.Err() == nil {
			rows, err := kafka.ToSend(ctx, j.DB.DB, sendAtOnce)
			if err != nil || len(rows) == 0 {
				return err
			}
			records := make([]*kgo.Record, len(rows))
			ids := map[*kgo.Record]int64{}
			for i, r := range rows {
				records[i] = &kgo.Record{Topic: r.Topic, Key: strconv.AppendInt(nil, r.MemberID, 10), Value: []byte(r.Body),
					Headers: []kgo.RecordHeader{{Key: "id", Value: []byte(r.EventID)}}}
				ids[records[i]] = r.ID
			}
			sent, err := send(ctx, client, records)
			var done []int64
			for _, r := range sent {
				done = append(done, ids[r])
			}
			if err := errors.Join(kafka.Sent(ctx, j.DB.DB, done), err); err != nil {
				return err
			}
		}
		return nil
	}))
}

// send sends records and waits until Kafka has them, but not for long. It returns those that it has. After
// an error the client must be closed, for it may go on trying.
func send(ctx context.Context, client *kgo.Client, records []*kgo.Record) (sent []*kgo.Record, err error) {
	ctx, cancel := context.WithTimeout(ctx, sendWithin)
	defer cancel()
	type result struct {
		*kgo.Record
		err error
	}
	results := make(chan result, len(records))
	for _, r := range records {
		client.Produce(ctx, r, func(r *kgo.Record, err error) { results <- result{r, err} })
	}
	for range records {
		select {
		case r := <-results:
			if r.err == nil {
				sent = append(sent, r.Record)
			} else if err == nil {
				err = awayError{fmt.Errorf("send to %s: %w", r.Topic, r.err)}
			}
		case <-ctx.Done():
			return sent, awayError{ctx.Err()}
		}
	}
	return sent, err
}
