package notices

import (
	"context"

	"laurel/models"
)

// Deliver sends without storing the outcome, as who is killed in between.
func Deliver(ctx context.Context, j *Jobs, d *models.Delivery) error {
	_, err := j.deliver(ctx, d)
	return err
}
