package bus

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"gorm.io/gorm"

	"laurel/models/kafka"
)

// A reader reads partitions from where PostgreSQL says, and knows where it stands.
type reader struct {
	db       *gorm.DB
	consumer string
	client   *kgo.Client

	mu sync.Mutex // Kafka's group assigns partitions while others are read.
	at map[kafka.Partition]int64
}

// How much is held at a time.
const (
	recordsAtOnce = 2000     // Of one transaction.
	bytesAtOnce   = 4 << 20  // Of one answer of a broker.
	bytesOfPart   = 1 << 20  // Of those, of one partition.
	bytesAtMost   = 64 << 20 // An answer that is larger is refused.
)

// reading are the options of all who read. Kafka's own offsets are never used. A partition whose next record
// is gone is an error, so that the loss can be said; markers of transactions move the offset, too.
func reading() []kgo.Opt {
	return []kgo.Opt{kgo.FetchMaxBytes(bytesAtOnce), kgo.FetchMaxPartitionBytes(bytesOfPart), kgo.BrokerMaxReadBytes(bytesAtMost),
		kgo.MaxConcurrentFetches(2), kgo.ConsumeResetOffset(kgo.NoResetOffset()), kgo.FetchIsolationLevel(kgo.ReadCommitted()),
		kgo.KeepControlRecords()}
}

// assign says where to begin in partitions that this process got.
func (r *reader) assign(ctx context.Context, parts map[string]map[int32]kgo.Offset) (map[string]map[int32]kgo.Offset, error) {
	var list []kafka.Partition
	for topic, ids := range parts {
		for id := range ids {
			list = append(list, kafka.Partition{Topic: topic, Part: id})
		}
	}
	next, err := kafka.Offsets(ctx, r.db, r.consumer, list)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for p, at := range next {
		r.at[p] = at
		parts[p.Topic][p.Part] = kgo.NewOffset().At(at)
	}
	return parts, nil
}

// A batch is what was read at once.
type batch struct {
	records []kafka.Record
	moves   []kafka.Move
	refused error // Why a topic cannot be read while the others can.
}

// errAgain ends a session that must begin anew at once.
var errAgain = errors.New("read again from the offsets in the database")

// poll waits a moment for records. source tells of a topic whose events it has.
func (r *reader) poll(ctx context.Context, wait time.Duration, sources map[string]string, now time.Time) (b batch, err error) {
	limited, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	fetches := r.client.PollRecords(limited, recordsAtOnce)
	for _, e := range fetches.Errors() {
		switch {
		case errors.Is(e.Err, context.DeadlineExceeded), errors.Is(e.Err, kerr.UnknownTopicOrPartition): // A topic may be made later.
		case errors.Is(e.Err, kerr.OffsetOutOfRange):
			return b, r.skip(ctx, kafka.Partition{Topic: e.Topic, Part: e.Partition}, sources[e.Topic], now)
		case errors.Is(e.Err, kerr.TopicAuthorizationFailed), errors.Is(e.Err, kerr.InvalidTopicException):
			b.refused = awayError{fmt.Errorf("topic %s: %w", e.Topic, e.Err)}
		default:
			return b, awayError{e.Err}
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	fetches.EachPartition(func(f kgo.FetchTopicPartition) {
		p := kafka.Partition{Topic: f.Topic, Part: f.Partition}
		m := kafka.Move{Partition: p, From: r.at[p], To: r.at[p], High: f.HighWatermark}
		for _, rec := range f.Records {
			if rec.Offset < m.To {
				continue // It was read while the group assigned the partition anew.
			}
			m.To = rec.Offset + 1
			if !rec.Attrs.IsControl() {
				b.records = append(b.records, kafka.Record{Partition: p, Offset: rec.Offset, Value: rec.Value})
			}
		}
		if m.To > m.From {
			b.moves = append(b.moves, m)
		}
	})
	return b, nil
}

// moved notes what the database has.
func (r *reader) moved(moves []kafka.Move) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range moves {
		if r.at[m.Partition] == m.From {
			r.at[m.Partition] = m.To
		}
	}
}

// skip moves to the first record that Kafka still has.
func (r *reader) skip(ctx context.Context, p kafka.Partition, source string, now time.Time) error {
	starts, err := kadm.NewClient(r.client).ListStartOffsets(ctx, p.Topic)
	if err != nil {
		return awayError{err}
	}
	start, ok := starts.Lookup(p.Topic, p.Part)
	if !ok || start.Err != nil {
		return awayError{fmt.Errorf("first offset of %s/%d: %w", p.Topic, p.Part, start.Err)}
	}
	r.mu.Lock()
	m := kafka.Move{Partition: p, From: r.at[p], To: start.Offset, High: start.Offset}
	r.mu.Unlock()
	if err := kafka.Skip(ctx, r.db, r.consumer, source, m, now); err != nil {
		return err
	}
	return errAgain
}
