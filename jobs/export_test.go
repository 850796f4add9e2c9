package jobs

import (
	"context"

	"laurel/models"
)

// Deliver sends without storing the outcome, as who is killed in between.
func Deliver(r *Runner, ctx context.Context, d *models.Delivery) error {
	_, err := r.deliver(ctx, d)
	return err
}
