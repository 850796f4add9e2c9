package kafka

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"laurel/models/awards/rules"
	pg "laurel/models/db"
	"laurel/models/events"
)

// A Partition of a topic.
type Partition struct {
	Topic string
	Part  int32
}

// A Move takes a consumer from one offset of a partition to another.
type Move struct {
	Partition
	From, To int64
	High     int64 // The end of the partition, as Kafka said.
}

// ErrMoved says that somebody else has read on where this consumer stood.
var ErrMoved = errors.New("another process has read on in this partition")

// Offsets returns where a consumer goes on in partitions: at 0 where it never was.
func Offsets(ctx context.Context, db *gorm.DB, consumer string, of []Partition) (map[Partition]int64, error) {
	topics, parts := make([]string, len(of)), make([]int32, len(of))
	for i, p := range of {
		topics[i], parts[i] = p.Topic, p.Part
	}
	var rows []struct {
		Partition
		Next int64
	}
	args := pg.Named("consumer", consumer, "topics", &topics, "parts", &parts)
	err := db.WithContext(ctx).Exec(`
		INSERT INTO kafka_offsets (consumer, topic, part, next, high)
		SELECT @consumer, topic, part, 0, 0 FROM unnest(CAST(@topics AS text[]), CAST(@parts AS integer[])) AS p(topic, part)
		ON CONFLICT DO NOTHING`, args).Error
	if err == nil {
		err = db.WithContext(ctx).Raw(`
			SELECT topic, part, next FROM kafka_offsets JOIN unnest(CAST(@topics AS text[]), CAST(@parts AS integer[])) AS p(topic, part)
			USING (topic, part) WHERE consumer = @consumer`, args).Scan(&rows).Error
	}
	if err != nil {
		return nil, fmt.Errorf("offsets: %w", err)
	}
	next := make(map[Partition]int64, len(rows))
	for _, r := range rows {
		next[r.Partition] = r.Next
	}
	return next, nil
}

// MoveOn moves a consumer, or returns ErrMoved if it does not stand where it thinks. It is called in the
// transaction of what was read, first: who is not to go on has done nothing yet.
func MoveOn(ctx context.Context, tx *gorm.DB, consumer string, moves []Move, now time.Time) error {
	topics, parts := make([]string, len(moves)), make([]int32, len(moves))
	froms, tos, highs := make([]int64, len(moves)), make([]int64, len(moves)), make([]int64, len(moves))
	for i, m := range moves {
		topics[i], parts[i], froms[i], tos[i], highs[i] = m.Topic, m.Part, m.From, m.To, m.High
	}
	res := tx.WithContext(ctx).Exec(queries.Must("move_on"), pg.Named("consumer", consumer, "topics", &topics, "parts", &parts,
		"froms", &froms, "tos", &tos, "highs", &highs, "now", now))
	if res.Error != nil {
		return fmt.Errorf("move offsets: %w", res.Error)
	}
	if res.RowsAffected != int64(len(moves)) {
		return ErrMoved
	}
	return nil
}

// A Record is what a partition has at an offset.
type Record struct {
	Partition
	Offset int64
	Value  []byte
}

// Take appends the events that the servers read, sets aside what is none, and moves on,
// in one transaction. A topic's events have its source.
func Take(ctx context.Context, db *gorm.DB, records []Record, sources map[string]string, moves []Move, now time.Time) error {
	var list []rules.Event
	var at []int // Where the records of list stand.
	var dead deadRecords
	for i, r := range records {
		e, reason := events.ParseRecord(r.Value, sources[r.Topic])
		if reason != "" {
			dead.add(r, sources[r.Topic], e.ID, reason)
			continue
		}
		list, at = append(list, e), append(at, i)
	}
	return db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := MoveOn(ctx, tx, Servers, moves, now); err != nil {
			return err
		}
		done, err := events.Append(ctx, tx, list, now)
		if err != nil {
			return err
		}
		for _, refused := range done.Rejected {
			r := records[at[refused.Index]]
			dead.add(r, sources[r.Topic], list[refused.Index].ID, refused.Reason)
		}
		return dead.store(ctx, tx, now)
	})
}

// Skip moves on over records that Kafka does not have any more, and says so where some were read before.
func Skip(ctx context.Context, db *gorm.DB, consumer, source string, m Move, now time.Time) error {
	return db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var dead deadRecords
		if m.From > 0 && source != "" {
			dead.add(Record{Partition: m.Partition, Offset: m.From}, source, "", fmt.Sprintf(
				"Kafka has no record %d, so records may be lost: it deleted them too early, or the topic was made anew. "+
					"Reading goes on at %d", m.From, m.To))
		}
		if err := MoveOn(ctx, tx, consumer, []Move{m}, now); err != nil {
			return err
		}
		return dead.store(ctx, tx, now)
	})
}

// deadRecords are records that cannot be taken, as columns.
type deadRecords struct {
	topics, sources, ids, bodies, reasons []string
	parts                                 []int32
	offsets                               []int64
}

// maxBody is how much of a record is kept that cannot be taken.
const maxBody = 64 << 10

func (d *deadRecords) add(r Record, source, id, reason string) {
	d.topics, d.parts, d.offsets = append(d.topics, r.Topic), append(d.parts, r.Part), append(d.offsets, r.Offset)
	d.sources, d.ids = append(d.sources, source), append(d.ids, pg.CleanText(id))
	d.bodies = append(d.bodies, pg.CleanText(string(r.Value[:min(len(r.Value), maxBody)])))
	d.reasons = append(d.reasons, pg.CleanText(reason[:min(len(reason), 2000)]))
}

func (d *deadRecords) store(ctx context.Context, tx *gorm.DB, now time.Time) error {
	if len(d.topics) == 0 {
		return nil
	}
	err := tx.WithContext(ctx).Exec(queries.Must("set_aside"), pg.Named("topics", &d.topics, "parts", &d.parts, "offsets", &d.offsets,
		"sources", &d.sources, "ids", &d.ids, "bodies", &d.bodies, "reasons", &d.reasons, "now", now)).Error
	if err != nil {
		return fmt.Errorf("set records aside: %w", err)
	}
	return nil
}
