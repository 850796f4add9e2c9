package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
	"gorm.io/gorm"

	"laurel/models/awards/firehose"
	"laurel/models/awards/ingest"
	"laurel/models/awards/rules"
	"laurel/models/events"
	"laurel/models/kafka"
)

// An Ingest reads a topic of analytics through the filter of the firehose.
type Ingest struct {
	From   string // A topic.
	To     string // The topic that gets what awards can want; "": they are appended.
	Source string // Of lines that name none.
	Follow bool   // Go on until ctx ends, not only to where the topic ends now.
}

// consumer is the name under which offsets are kept. An ingestion to another topic is another one.
func (i *Ingest) consumer() string {
	if i.To != "" {
		return "ingest:" + i.To
	}
	return "ingest"
}

// renewEvery is how often a stream that is followed asks which awards run.
const renewEvery = 10 * time.Second

// Ingest reads on where the last one ended, however it ended. What goes into the database goes there
// once; what goes to a topic gets there at least once, with the same id.
func (j *Jobs) Ingest(ctx context.Context, of Ingest) (in ingest.Result, err error) {
	r := &reader{db: j.DB.DB, consumer: of.consumer(), at: map[kafka.Partition]int64{}}
	opts := append(reading(), kgo.ProducerBatchMaxBytes(1<<20))
	if r.client, err = j.Brokers.client(ctx, opts...); err != nil {
		return in, err
	}
	defer r.client.Close()
	ends, err := r.whole(ctx, of.From)
	if err != nil {
		return in, err
	}
	s := &ingestion{Ingest: of, Jobs: j, reader: r}
	filter, err := ingest.Filter(ctx, j.DB.DB, of.Source)
	if err != nil {
		return in, err
	}
	s.stream = filter.Stream(func(list []rules.Event) error {
		s.kept = append(s.kept, slices.Clone(list)...)
		return nil
	})
	err = s.run(ctx, ends)
	if ctx.Err() != nil && of.Follow {
		err = nil // It was interrupted, as it is meant to be.
	}
	s.in.Counts = s.stream.Counts
	s.in.Rejects = append(s.stream.Rejects, s.in.Rejects...)
	return s.in, err
}

// whole makes the client read all partitions of a topic, and returns where they end.
func (r *reader) whole(ctx context.Context, topic string) (ends map[kafka.Partition]int64, err error) {
	listed, err := kadm.NewClient(r.client).ListEndOffsets(ctx, topic)
	if err = errors.Join(err, listed.Error()); err != nil {
		return nil, fmt.Errorf("topic %s: %w", topic, err)
	}
	ends = map[kafka.Partition]int64{}
	parts := map[string]map[int32]kgo.Offset{topic: {}}
	listed.Each(func(o kadm.ListedOffset) {
		ends[kafka.Partition{Topic: topic, Part: o.Partition}] = o.Offset
		parts[topic][o.Partition] = kgo.NewOffset()
	})
	if parts, err = r.assign(ctx, parts); err != nil {
		return nil, err
	}
	r.client.AddConsumePartitions(parts)
	return ends, nil
}

// ingestion is one that runs.
type ingestion struct {
	Ingest
	*Jobs
	reader *reader
	stream *firehose.Stream
	kept   []rules.Event // Of the batch.
	in     ingest.Result
}

func (s *ingestion) run(ctx context.Context, ends map[kafka.Partition]int64) error {
	for renewed := s.Now(); ctx.Err() == nil && (s.Follow || s.reader.before(ends)); {
		if s.Follow && s.Now().Sub(renewed) > renewEvery {
			filter, err := ingest.Filter(ctx, s.DB.DB, s.Source)
			if err != nil {
				return err
			}
			s.stream.Renew(filter)
			renewed = s.Now()
		}
		b, err := s.reader.poll(ctx, checkEvery, nil, s.Now())
		if errors.Is(err, errAgain) {
			return fmt.Errorf("the topic no longer has the next records; start again to read on where it begins now: %w", err)
		}
		if err == nil {
			err = b.refused
		}
		if err == nil && len(b.moves) > 0 {
			err = s.take(ctx, b)
		} else if err == nil {
			err = ping(ctx, s.reader.client)
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// before says whether there is more to read.
func (r *reader) before(ends map[kafka.Partition]int64) bool {
	for p, end := range ends {
		if r.at[p] < end {
			return true
		}
	}
	return false
}

// take filters a batch, hands on what is wanted and moves on.
func (s *ingestion) take(ctx context.Context, b batch) error {
	s.kept = s.kept[:0]
	for _, r := range b.records {
		if err := s.stream.Take(r.Value); err != nil {
			return err
		}
	}
	if err := s.stream.Flush(); err != nil {
		return err
	}
	var done events.Appended
	if s.To != "" {
		if err := s.sendOn(ctx); err != nil {
			return err
		}
	}
	err := s.DB.WithContext(ctx).Transaction(func(tx *gorm.DB) (err error) {
		if err := kafka.MoveOn(ctx, tx, s.consumer(), b.moves, s.Now()); err != nil {
			return err
		}
		if s.To == "" {
			done, err = events.Append(ctx, tx, s.kept, s.Now())
		}
		return err
	})
	if err != nil {
		return err
	}
	s.in.Add(s.kept, done)
	s.reader.moved(b.moves)
	return nil
}

// sendOn sends what is wanted to the other topic.
func (s *ingestion) sendOn(ctx context.Context) error {
	records := make([]*kgo.Record, len(s.kept))
	for i := range s.kept {
		value, err := json.Marshal(&s.kept[i])
		if err != nil {
			return err
		}
		records[i] = &kgo.Record{Topic: s.To, Key: []byte(s.kept[i].Member), Value: value}
	}
	_, err := send(ctx, s.reader.client, records)
	return err
}
