// Package awards counts events, grants awards and checks them.
package awards

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"sync"
	"time"

	"laurel/jobs/pass"
	"laurel/models/awards"
	pg "laurel/models/db"
)

// Jobs count events and grant awards.
type Jobs struct {
	DB  *pg.DB
	Now func() time.Time
	Log *slog.Logger

	scheme awards.Scheme // What is counted for awards.
}

// How much one transaction takes: enough that its fixed cost does not matter,
// little enough that a page waits for none.
const (
	eventsAtOnce = 1000
	itemsAtOnce  = 2000
	awardsAtOnce = 1000
)

// ApplyEvents lets events count until none waits. Members of different parts are
// handled at the same time.
func (j *Jobs) ApplyEvents(ctx context.Context) error {
	var wg sync.WaitGroup
	errs := make(chan error, runtime.NumCPU())
	for range min(4, runtime.NumCPU()) {
		wg.Go(func() {
			errs <- pass.UntilIdle(ctx, func() (bool, error) {
				n, err := awards.Apply(ctx, j.DB.DB, &j.scheme, eventsAtOnce, j.Now())
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
func (j *Jobs) GrantAwards(ctx context.Context) error {
	return pass.UntilIdle(ctx, func() (bool, error) {
		n, err := awards.Grant(ctx, j.DB.DB, &j.scheme, awardsAtOnce, j.Now())
		return n > 0, err
	})
}

// RecountAwards counts what was asked for from the ledger.
func (j *Jobs) RecountAwards(ctx context.Context) error {
	return pass.UntilIdle(ctx, func() (bool, error) {
		return awards.Recounts(ctx, j.DB.DB, &j.scheme, itemsAtOnce, j.Now())
	})
}

// TellOld tells awards of what was here before them.
func (j *Jobs) TellOld(ctx context.Context) error {
	return pass.UntilIdle(ctx, func() (bool, error) { return awards.TellOld(ctx, j.DB.DB, j.Now()) })
}

// RollEvents makes the days ahead and drops those that are over, and lets awards
// go on that an older program could not read.
func (j *Jobs) RollEvents(ctx context.Context) error {
	return errors.Join(awards.Roll(ctx, j.DB.DB, j.Now()), awards.ResumeStopped(ctx, j.DB.DB, j.Now()))
}

// CheckAwards counts anew, once a night, what a slice of the members has.
func (j *Jobs) CheckAwards(ctx context.Context) error {
	c, err := awards.Nightly(ctx, j.DB.DB, j.Now())
	if c == nil || err != nil {
		return err
	}
	level := j.Log.InfoContext
	if len(c.Differences) > 0 {
		level = j.Log.ErrorContext
	}
	level(ctx, "awards checked", "members", c.Members, "items", c.Items, "seconds", c.Took, "differences", len(c.Differences))
	return nil
}
