package jobs

import (
	"context"
	"time"

	"laurel/jobs/polite"
	pg "laurel/models/db"
	slots "laurel/models/polite"
)

// Slots are the request slots, kept by the database.
type Slots struct {
	DB  *pg.DB
	Now func() time.Time
}

// Take implements polite.Slots.
func (s Slots) Take(ctx context.Context, r polite.SlotRequest) (bool, time.Time, error) {
	slot, err := slots.TakeSlot(ctx, s.DB.DB, slots.SlotRequest(r), s.Now())
	return slot.Taken, slot.At, err
}

// Renew implements polite.Slots.
func (s Slots) Renew(ctx context.Context, keys []string, holder string, hold time.Duration) error {
	return slots.RenewSlot(ctx, s.DB.DB, keys, holder, hold, s.Now())
}

// End implements polite.Slots.
func (s Slots) End(ctx context.Context, keys []string, holder string, next time.Time) error {
	return slots.EndSlot(ctx, s.DB.DB, keys, holder, next)
}
