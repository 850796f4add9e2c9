package kafka

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A State says how Kafka does.
type State struct {
	FailingSince *time.Time // Nil while the brokers answer.
	Error        string     // Why they do not.
	Outbox       int        // What is yet to be sent, at most OutboxAtMost.
}

// OutboxAtMost is how far the outbox is counted.
const OutboxAtMost = 10_000

// Now returns how Kafka does; nil where it was never used.
func Now(ctx context.Context, db *gorm.DB) (*State, error) {
	var list []State
	err := db.WithContext(ctx).Raw(`
		SELECT failing_since, error, (
			SELECT count(*) FROM (SELECT FROM event_outbox WHERE kind IN (SELECT kind FROM kafka_topics) LIMIT @most) o
		) AS outbox FROM kafka_state`,
		pg.Named("most", OutboxAtMost)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("state of Kafka: %w", err)
	}
	if len(list) == 0 {
		return nil, nil
	}
	return &list[0], nil
}

// Failed notes that no broker answers. It reports whether that is new.
func Failed(ctx context.Context, db *gorm.DB, why string, now time.Time) (isNew bool, err error) {
	err = db.WithContext(ctx).Raw(`
		INSERT INTO kafka_state AS s (failing_since, failed_at, error) VALUES (@now, @now, @why)
		ON CONFLICT (id) DO UPDATE SET failing_since = coalesce(s.failing_since, EXCLUDED.failing_since), failed_at = EXCLUDED.failed_at,
			error = EXCLUDED.error
		RETURNING failing_since = CAST(@now AS timestamptz)`, pg.Named("now", now, "why", pg.CleanText(why))).Scan(&isNew).Error
	if err != nil {
		return false, fmt.Errorf("state of Kafka: %w", err)
	}
	return isNew, nil
}

// Reached notes that a broker answers, unless another process failed since.
func Reached(ctx context.Context, db *gorm.DB, since time.Time) error {
	err := db.WithContext(ctx).Exec(`
		INSERT INTO kafka_state AS s (failing_since) VALUES (NULL)
		ON CONFLICT (id) DO UPDATE SET failing_since = NULL, failed_at = NULL, error = ''
		WHERE s.failing_since IS NOT NULL AND s.failed_at <= @since`, pg.Named("since", since)).Error
	if err != nil {
		return fmt.Errorf("state of Kafka: %w", err)
	}
	return nil
}
