// Package kafka is what the database knows of Kafka: which topics are read and
// written, how far each partition is read, and what is yet to be sent. Nothing in
// it speaks with a broker; jobs/bus does.
package kafka

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/events"
)

// Who is woken on ChannelAsked.
const (
	WakeTopics = "read Kafka"    // The topics have changed.
	WakeOutbox = "send to Kafka" // There is something to send; migrations know it, too.
)

// Kinds of what is sent.
const (
	Grants  = "grant"
	Notices = "notice"
)

// A Topic is read as events of a source, or grants or notices are sent to it.
type Topic struct {
	Topic  string
	Source string // Of what is read; "" of a topic that is sent to.
	Kind   string // Grants or Notices; "" of a topic that is read.
}

// Shown is a topic with how far it is read.
type Shown struct {
	Topic
	Partitions int        // That were ever read.
	Lag        int64      // Records that are yet to be read, as last seen.
	ReadAt     *time.Time // When something was last read.
}

// Servers is the consumer that all servers are together, also the name of their group.
const Servers = "laurel"

// Topics returns all topics by name.
func Topics(ctx context.Context, db *gorm.DB) (list []Shown, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT t.topic, coalesce(t.source, '') AS source, coalesce(t.kind, '') AS kind, count(o.topic) AS partitions,
			CAST(coalesce(sum(greatest(o.high - o.next, 0)), 0) AS bigint) AS lag, max(o.read_at) AS read_at
		FROM kafka_topics t LEFT JOIN kafka_offsets o ON o.consumer = @consumer AND o.topic = t.topic AND t.kind IS NULL
		GROUP BY t.topic ORDER BY t.topic`, pg.Named("consumer", Servers)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("topics: %w", err)
	}
	return list, nil
}

// Incoming returns the sources of the topics that are read, by topic.
func Incoming(ctx context.Context, db *gorm.DB) (map[string]string, error) {
	var list []Topic
	err := db.WithContext(ctx).Raw(`SELECT topic, source FROM kafka_topics WHERE source IS NOT NULL`).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("topics: %w", err)
	}
	sources := make(map[string]string, len(list))
	for _, t := range list {
		sources[t.Topic] = t.Source
	}
	return sources, nil
}

var (
	topicNames  = regexp.MustCompile(`^[A-Za-z0-9._-]{1,249}$`)
	sourceNames = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
)

// ValidTopic says whether Kafka allows a topic of this name.
func ValidTopic(name string) bool { return topicNames.MatchString(name) && name != "." && name != ".." }

func (t *Topic) check() error {
	switch {
	case !ValidTopic(t.Topic):
		return &pg.InputError{Field: "topic", Message: "a topic's name is letters, digits, ., _ and -, at most 249"}
	case (t.Source == "") == (t.Kind == ""):
		return &pg.InputError{Field: "source", Message: "name a source to read the topic, or a kind to send to it"}
	case t.Source != "" && !sourceNames.MatchString(t.Source):
		return &pg.InputError{Field: "source", Message: "this must be letters, digits, _ and - only, at most 64"}
	case t.Kind != "" && t.Kind != Grants && t.Kind != Notices:
		return &pg.InputError{Field: "kind", Message: "this must be grant or notice"}
	}
	return nil
}

// SaveTopic maps a topic. A source that is new is made: it is listed before its first event.
func SaveTopic(ctx context.Context, db *gorm.DB, t Topic, now time.Time) error {
	if err := t.check(); err != nil {
		return err
	}
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if t.Source != "" {
			if err := events.KnowSource(ctx, tx, t.Source, now); err != nil {
				return err
			}
		}
		err := tx.Exec(`
			INSERT INTO kafka_topics (topic, source, kind, created_at) VALUES (@topic, nullif(@source, ''), nullif(@kind, ''), @now)
			ON CONFLICT (topic) DO UPDATE SET source = EXCLUDED.source, kind = EXCLUDED.kind`,
			pg.Named("topic", t.Topic, "source", t.Source, "kind", t.Kind, "now", now)).Error
		if errors.Is(err, gorm.ErrDuplicatedKey) {
			return &pg.InputError{Field: "kind", Message: "these are sent to another topic already; remove that one first"}
		}
		if err == nil { // The topic may have received what nobody receives now.
			err = tx.Exec(`DELETE FROM event_outbox WHERE kind NOT IN (SELECT kind FROM kafka_topics WHERE kind IS NOT NULL)`).Error
		}
		if err != nil {
			return err
		}
		return pg.Wake(ctx, tx, WakeTopics)
	})
	if err != nil {
		return fmt.Errorf("topic %q: %w", t.Topic, err)
	}
	return nil
}

// RemoveTopic forgets a topic, how far it was read, and what was yet to be sent to it.
func RemoveTopic(ctx context.Context, db *gorm.DB, topic string) error {
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var kinds []string
		err := tx.Raw(`DELETE FROM kafka_topics WHERE topic = @topic RETURNING coalesce(kind, '')`,
			pg.Named("topic", topic)).Scan(&kinds).Error
		if err == nil && len(kinds) == 0 {
			return pg.ErrNotFound
		}
		if err != nil {
			return err
		}
		if err := tx.Exec(`DELETE FROM event_outbox WHERE kind = @kind`, pg.Named("kind", kinds[0])).Error; err != nil {
			return err
		}
		if err := tx.Exec(`DELETE FROM kafka_offsets WHERE consumer = @consumer AND topic = @topic`,
			pg.Named("consumer", Servers, "topic", topic)).Error; err != nil {
			return err
		}
		return pg.Wake(ctx, tx, WakeTopics)
	})
	if err != nil {
		return fmt.Errorf("topic %q: %w", topic, err)
	}
	return nil
}
