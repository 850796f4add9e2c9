package notices

import (
	"context"

	"laurel/models/notices"
)

// Deliver sends without storing the outcome, as who is killed in between.
func Deliver(ctx context.Context, j *Jobs, d *notices.Delivery) error {
	_, err := j.deliver(ctx, d)
	return err
}
