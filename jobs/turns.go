package jobs

import (
	"context"
	"time"

	"laurel/jobs/polite"
	pg "laurel/models/db"
	requestslots "laurel/models/polite"
)

// Turns are the client's turns, kept by the database.
type Turns struct {
	DB  *pg.DB
	Now func() time.Time
}

// Take implements polite.Turns.
func (t Turns) Take(ctx context.Context, ask polite.Ask) (bool, time.Time, error) {
	turn, err := requestslots.TakeSlot(ctx, t.DB.DB, requestslots.Ask(ask), t.Now())
	return turn.Taken, turn.At, err
}

// Renew implements polite.Turns.
func (t Turns) Renew(ctx context.Context, keys []string, holder string, hold time.Duration) error {
	return requestslots.RenewSlot(ctx, t.DB.DB, keys, holder, hold, t.Now())
}

// End implements polite.Turns.
func (t Turns) End(ctx context.Context, keys []string, holder string, next time.Time) error {
	return requestslots.EndSlot(ctx, t.DB.DB, keys, holder, next)
}
