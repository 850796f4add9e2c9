package jobs

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"laurel/models"
)

// How much one transaction takes: enough that its fixed cost does not matter,
// little enough that a page waits for none.
const (
	eventsAtOnce = 1000
	itemsAtOnce  = 2000
	awardsAtOnce = 1000
)

// ApplyEvents lets events count until none waits. Members of different parts are
// handled at the same time.
func (r *Runner) ApplyEvents(ctx context.Context) error {
	var wg sync.WaitGroup
	errs := make(chan error, runtime.NumCPU())
	for range min(4, runtime.NumCPU()) {
		wg.Go(func() {
			errs <- untilIdle(ctx, func() (bool, error) {
				n, err := models.ApplyEvents(ctx, r.DB.DB, &r.scheme, eventsAtOnce, r.Now())
				return n > 0, err
			})
		})
	}
	wg.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// GrantAwards brings the awards of members up to their counters: first those
// that must be counted from the ledger, then the queue.
func (r *Runner) GrantAwards(ctx context.Context) error {
	return untilIdle(ctx, func() (bool, error) {
		n, err := models.GrantAwards(ctx, r.DB.DB, &r.scheme, awardsAtOnce, r.Now())
		return n > 0, err
	})
}

// RecountAwards counts what was asked for from the ledger.
func (r *Runner) RecountAwards(ctx context.Context) error {
	return untilIdle(ctx, func() (bool, error) {
		return models.RecountAwards(ctx, r.DB.DB, &r.scheme, itemsAtOnce, r.Now())
	})
}

// TellOld tells awards of what was here before them.
func (r *Runner) TellOld(ctx context.Context) error {
	return untilIdle(ctx, func() (bool, error) { return models.TellOld(ctx, r.DB.DB, r.Now()) })
}

// RollEvents makes the days ahead and drops those that are over, and lets awards
// go on that an older program could not read.
func (r *Runner) RollEvents(ctx context.Context) error {
	return errors.Join(models.RollEvents(ctx, r.DB.DB, r.Now()), models.ResumeStopped(ctx, r.DB.DB, r.Now()))
}

// CheckAwards counts anew, once a night, what a slice of the members has.
func (r *Runner) CheckAwards(ctx context.Context) error {
	c, err := models.NightlyAwards(ctx, r.DB.DB, r.Now())
	if c == nil || err != nil {
		return err
	}
	level := r.Log.InfoContext
	if len(c.Differences) > 0 {
		level = r.Log.ErrorContext
	}
	level(ctx, "awards checked", "members", c.Members, "items", c.Items, "seconds", c.Took, "differences", len(c.Differences))
	return nil
}

// untilIdle works until there is nothing to do.
func untilIdle(ctx context.Context, work func() (bool, error)) error {
	for ctx.Err() == nil {
		if worked, err := work(); err != nil || !worked {
			return err
		}
	}
	return nil
}
