package jobs

import (
	"context"
	"time"

	"laurel/jobs/polite"
	"laurel/models"
	pg "laurel/models/db"
)

// Turns are the client's turns, kept by the database.
type Turns struct {
	DB  *pg.DB
	Now func() time.Time
}

// Take implements polite.Turns.
func (t Turns) Take(ctx context.Context, ask polite.Ask) (bool, time.Time, error) {
	turn, err := models.TakeTurn(ctx, t.DB.DB, models.Ask(ask), t.Now())
	return turn.Taken, turn.At, err
}

// Renew implements polite.Turns.
func (t Turns) Renew(ctx context.Context, keys []string, holder string, hold time.Duration) error {
	return models.RenewTurn(ctx, t.DB.DB, keys, holder, hold, t.Now())
}

// End implements polite.Turns.
func (t Turns) End(ctx context.Context, keys []string, holder string, next time.Time) error {
	return models.EndTurn(ctx, t.DB.DB, keys, holder, next)
}
