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
	"laurel/models/events"
)

// Jobs count events and grant awards.
type Jobs struct {
	DB  *pg.DB
	Now func() time.Time
	Log *slog.Logger

	ruleset awards.Ruleset // What is counted for awards.
}

// How much one transaction takes: enough that its fixed cost does not matter,
// little enough that a page waits for none.
const (
	eventsAtOnce = 1000
	itemsAtOnce  = 2000
	awardsAtOnce = 1000
)

// ApplyEvents takes in what waited for new members, and counts events until none is left. Members of different parts are
// handled at the same time.
func (j *Jobs) ApplyEvents(ctx context.Context) error {
	err := pass.UntilIdle(ctx, func() (bool, error) {
		n, err := events.Admit(ctx, j.DB.DB, j.Now())
		return n > 0, err
	})
	if err != nil {
		return err
	}
	var wg sync.WaitGroup
	errs := make(chan error, runtime.NumCPU())
	for range min(4, runtime.NumCPU()) {
		wg.Go(func() {
			errs <- pass.UntilIdle(ctx, func() (bool, error) {
				n, err := awards.Apply(ctx, j.DB.DB, &j.ruleset, eventsAtOnce, j.Now())
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

// Grant evaluates the counters of members: first of those that must be counted
// from the ledger, then of the queue.
func (j *Jobs) Grant(ctx context.Context) error {
	return pass.UntilIdle(ctx, func() (bool, error) {
		n, err := awards.Evaluate(ctx, j.DB.DB, &j.ruleset, awardsAtOnce, j.Now())
		return n > 0, err
	})
}

// Recount counts again, from the ledger, what was requested.
func (j *Jobs) Recount(ctx context.Context) error {
	return pass.UntilIdle(ctx, func() (bool, error) {
		return awards.RecountPending(ctx, j.DB.DB, &j.ruleset, itemsAtOnce, j.Now())
	})
}

// RollPartitions makes the partitions of the days ahead and drops those that are over,
// and resumes awards that an older version could not read.
func (j *Jobs) RollPartitions(ctx context.Context) error {
	return errors.Join(events.Roll(ctx, j.DB.DB, j.Now()), awards.ResumeStopped(ctx, j.DB.DB, j.Now()),
		events.ForgetWaiting(ctx, j.DB.DB, j.Now()))
}

// Check counts again, once a night, what the members have of whom something changed, and a slice of all.
func (j *Jobs) Check(ctx context.Context) error {
	c, err := awards.Nightly(ctx, j.DB.DB, j.Now())
	if c == nil || err != nil {
		return err
	}
	level := j.Log.InfoContext
	if len(c.Differences) > 0 {
		level = j.Log.ErrorContext
	}
	level(ctx, "awards checked", "members", c.Members, "items", c.Items, "left out", c.Busy, "seconds", c.Took,
		"differences", len(c.Differences))
	return nil
}
