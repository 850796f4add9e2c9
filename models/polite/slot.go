package polite

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A Slot is the answer to TakeSlot.
type Slot struct {
	Taken bool
	// At is when to try again where the slot was not taken: the moment the gap
	// ends, or now where another holder has yet to finish.
	At time.Time
}

// A SlotRequest is who wants to send a request to whom.
type SlotRequest struct {
	Keys   []string // A host, a source: all are taken or none.
	Holder string
	Gap    time.Duration // To the next slot.
	Hold   time.Duration // After which a holder that died is passed over.
	// Urgent, where not 0, is how long others who are not urgent let this one go
	// first after it had to wait: until it surely asks again.
	Urgent time.Duration
}

// TakeSlot takes a slot for all processes together: it is free where the gap
// after the last request is over, nobody else is asking, and nobody more urgent
// waits. The holder gives it back with EndSlot. One statement.
func TakeSlot(ctx context.Context, db *gorm.DB, r SlotRequest, now time.Time) (Slot, error) {
	list, err := json.Marshal(r.Keys)
	if err != nil {
		return Slot{}, err
	}
	args := pg.Named("keys", string(list), "n", len(r.Keys), "holder", r.Holder, "now", now, "next", now.Add(r.Gap),
		"until", now.Add(r.Hold), "urgent", r.Urgent > 0, "window", fmt.Sprintf("%d microseconds", r.Urgent.Microseconds()))
	for {
		var got struct {
			Known int
			Free  bool
			At    time.Time
		}
		err = db.WithContext(ctx).Raw(queries.Must("take_slot"), args).Scan(&got).Error
		if err != nil {
			return Slot{}, fmt.Errorf("take slot at %v: %w", r.Keys, err)
		}
		if got.Known == len(r.Keys) {
			return Slot{Taken: got.Free, At: got.At}, nil
		}
		err = db.WithContext(ctx).Exec(`
			INSERT INTO request_slots (key, next_at)
			SELECT key, CAST(@now AS timestamptz) FROM jsonb_array_elements_text(CAST(@keys AS jsonb)) AS key ORDER BY key
			ON CONFLICT DO NOTHING`, pg.Named("keys", string(list), "now", now)).Error
		if err != nil {
			return Slot{}, fmt.Errorf("first slot at %v: %w", r.Keys, err)
		}
	}
}

// RenewSlot keeps a slot whose request goes on.
func RenewSlot(ctx context.Context, db *gorm.DB, keys []string, holder string, hold time.Duration, now time.Time) error {
	return change(ctx, db, `held_until = @until`, keys, pg.Named("holder", holder, "until", now.Add(hold)))
}

// EndSlot gives the slot back. The next one is not before next: the gap after
// the answer began, or the moment the host asked us to wait for.
func EndSlot(ctx context.Context, db *gorm.DB, keys []string, holder string, next time.Time) error {
	return change(ctx, db, `holder = '', held_until = NULL, next_at = greatest(next_at, CAST(@next AS timestamptz))`,
		keys, pg.Named("holder", holder, "next", next))
}

// change sets columns of the slots that a holder has.
func change(ctx context.Context, db *gorm.DB, set string, keys []string, args map[string]any) error {
	list, err := json.Marshal(keys)
	if err != nil {
		return err
	}
	args["keys"] = string(list)
	err = db.WithContext(ctx).Exec(`
		UPDATE request_slots SET `+set+`
		FROM (SELECT key AS k FROM request_slots
			WHERE key IN (SELECT jsonb_array_elements_text(CAST(@keys AS jsonb))) AND holder = @holder ORDER BY key FOR UPDATE) ours
		WHERE key = ours.k`, args).Error
	if err != nil {
		return fmt.Errorf("change slot at %v: %w", keys, err)
	}
	return nil
}
