// Package pass is what the passes of several jobs have in common.
package pass

import (
	"context"
	"time"
)

// UntilIdle works until there is nothing to do.
func UntilIdle(ctx context.Context, work func() (worked bool, err error)) error {
	for ctx.Err() == nil {
		if worked, err := work(); err != nil || !worked {
			return err
		}
	}
	return nil
}

// shortest keeps a clock that runs very fast from making ticks the most of the work.
const shortest = 25 * time.Millisecond

// Every is how often a job runs in real time that is to run every d on a clock that
// runs at a rate.
func Every(d time.Duration, clockRate float64) time.Duration {
	return max(time.Duration(float64(d)/max(clockRate, 1)), shortest)
}
