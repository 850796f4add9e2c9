package kafka

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// Outgoing is a row of the outbox with the topic that it goes to.
type Outgoing struct {
	ID       int64
	Topic    string
	MemberID int64 // The key of the record: what is about one member stays in order.
	EventID  string
	Body     string
}

// ToSend returns the oldest rows of the outbox, of each kind as many: a topic that takes nothing holds up no other.
func ToSend(ctx context.Context, db *gorm.DB, limit int) (list []Outgoing, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT o.id, t.topic, o.member_id, o.body ->> 'id' AS event_id, CAST(o.body AS text) AS body
		FROM kafka_topics t, LATERAL (
			SELECT id, member_id, body FROM event_outbox WHERE kind = t.kind ORDER BY id LIMIT @limit) o
		ORDER BY o.id`, pg.Named("limit", limit)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("outbox of Kafka: %w", err)
	}
	return list, nil
}

// Sent deletes rows that Kafka has. They are named one by one: a row with a smaller number may show
// up later, when its transaction ends.
func Sent(ctx context.Context, db *gorm.DB, ids []int64) error {
	err := db.WithContext(ctx).Exec(`DELETE FROM event_outbox WHERE id = ANY(CAST(@ids AS bigint[]))`, pg.Named("ids", &ids)).Error
	if err != nil {
		return fmt.Errorf("outbox of Kafka: %w", err)
	}
	return nil
}

// lockSend is the class of the lock of who sends; events and forums have others.
const lockSend = 7_008

// Alone runs send while no other process does, or not at all. The lock is the session's, because no
// transaction is to be open while the network is in use; it ends with its process.
func Alone(ctx context.Context, db *pg.DB, send func() error) error {
	conn, err := db.Pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	var got bool
	if err := conn.QueryRow(ctx, `SELECT pg_try_advisory_lock($1, 0)`, lockSend).Scan(&got); err != nil || !got {
		return err
	}
	defer func() {
		if _, err := conn.Exec(context.WithoutCancel(ctx), `SELECT pg_advisory_unlock($1, 0)`, lockSend); err != nil {
			_ = conn.Conn().Close(context.WithoutCancel(ctx)) // With the session its locks go.
		}
	}()
	return send()
}
