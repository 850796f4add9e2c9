package notices

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// TroubledDeliveries returns at most limit deliveries that failed for now or for
// good, newest first.
func TroubledDeliveries(ctx context.Context, db *gorm.DB, limit int) ([]Delivery, error) {
	return gorm.G[Delivery](db).Where("state = 'failed' OR state = 'waiting' AND error <> ''").Order("id DESC").Limit(limit).Find(ctx)
}

// Outgoing is how much is on its way, by channel.
type Outgoing struct {
	Channel string
	Waiting int
	Sent    int // Within a day.
	Failed  int // Within a day.
}

// Outgoings counts deliveries.
func Outgoings(ctx context.Context, db *gorm.DB, now time.Time) (list []Outgoing, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT channel, count(*) FILTER (WHERE state = 'waiting') AS waiting, count(*) FILTER (WHERE state = 'sent') AS sent,
			count(*) FILTER (WHERE state = 'failed') AS failed
		FROM notice_deliveries WHERE state = 'waiting' OR ended_at > @since GROUP BY channel ORDER BY channel`,
		pg.Named("since", now.AddDate(0, 0, -1))).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("count deliveries: %w", err)
	}
	return list, nil
}

// RetryDelivery lets a delivery that was given up, or waits, be tried at once.
func RetryDelivery(ctx context.Context, db *gorm.DB, id int64, now time.Time) error {
	res := db.WithContext(ctx).Exec(`UPDATE notice_deliveries SET state = 'waiting', attempts = 0, due_at = @now, ended_at = NULL
		WHERE id = @id AND state IN ('failed', 'waiting')`, pg.Named("id", id, "now", now))
	if err := pg.Touched(res, pg.ErrNotFound); err != nil {
		return fmt.Errorf("retry delivery %d: %w", id, err)
	}
	return pg.Wake(ctx, db, WakeNotices)
}
