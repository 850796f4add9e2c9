package jobs

import (
	"context"

	"laurel/models"
)

// How many notices one transaction takes.
const noticesAtOnce = 1000

// SendNotices tells members what has happened to their awards: those whom a new
// one fits, then all whose notices are due.
func (r *Runner) SendNotices(ctx context.Context) error {
	if err := untilIdle(ctx, func() (bool, error) { return models.AnnounceAwards(ctx, r.DB.DB, noticesAtOnce, r.Now()) }); err != nil {
		return err
	}
	return untilIdle(ctx, func() (bool, error) {
		n, err := models.SettleNotices(ctx, r.DB.DB, models.Ways{}, noticesAtOnce, r.Now())
		return n > 0, err
	})
}
