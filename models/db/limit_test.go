package db_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	pg "laurel/models/db"
	"laurel/models/modelstest"
)

var three = pg.Limit{Burst: 3, Per: time.Minute}

func TestLimit(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	for i, step := range []struct {
		at   time.Duration
		wait time.Duration // 0: the token is there.
	}{
		{0, 0}, {0, 0}, {0, 0},
		{0, 20 * time.Second}, // A token comes every 20 seconds.
		{5 * time.Second, 15 * time.Second},
		{5 * time.Second, 15 * time.Second}, // Asking on makes no difference.
		{20 * time.Second, 0},
		{20 * time.Second, 20 * time.Second},
		{10 * time.Second, 20 * time.Second}, // A clock that goes back gives nothing and takes nothing.
		{time.Hour, 0}, {time.Hour, 0}, {time.Hour, 0},
		{time.Hour, 20 * time.Second}, // It never holds more than the burst.
	} {
		err := three.Take(ctx, tx, "door", "knocks", modelstest.Noon.Add(step.at))
		limit, limited := errors.AsType[*pg.Error](err)
		switch {
		case err != nil && !limited:
			t.Fatal(err)
		case limited != (step.wait > 0):
			t.Errorf("step %d at %s: limited = %t, want %t", i, step.at, limited, step.wait > 0)
		case limited && limit.After != step.wait:
			t.Errorf("step %d at %s: wait %s, want %s", i, step.at, limit.After, step.wait)
		}
	}
	if err := three.Take(ctx, tx, "another door", "knocks", modelstest.Noon); err != nil {
		t.Errorf("another key is limited too: %v", err)
	}
}

func TestLimitGiveBack(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	for range 10 {
		if err := three.Take(ctx, tx, "door", "knocks", modelstest.Noon); err != nil {
			t.Fatal(err)
		}
		if err := three.GiveBack(ctx, tx, "door"); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLimitIsSharedByAllProcesses(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), modelstest.DB(t)
	var passed atomic.Int32
	var wg sync.WaitGroup
	for range 40 {
		wg.Go(func() {
			err := three.Take(ctx, db, "door", "knocks", modelstest.Noon)
			if err == nil {
				passed.Add(1)
			} else if _, limited := errors.AsType[*pg.Error](err); !limited {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := passed.Load(); got != 3 {
		t.Errorf("%d of 40 at once passed, want 3", got)
	}
}
