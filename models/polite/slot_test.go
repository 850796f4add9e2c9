package polite_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laurel/models/modelstest"
	"laurel/models/polite"
)

func TestTurns(t *testing.T) {
	t.Parallel()
	tx, now := modelstest.Tx(t), modelstest.Noon
	take := func(at time.Duration, holder string, keys ...string) polite.Slot {
		t.Helper()
		turn, err := polite.TakeSlot(t.Context(), tx, polite.Ask{Keys: keys, Holder: holder, Gap: 2 * time.Second, Hold: 30 * time.Second}, now.Add(at))
		if err != nil {
			t.Fatal(err)
		}
		return turn
	}
	end := func(at time.Duration, holder string, keys ...string) {
		t.Helper()
		if err := polite.EndSlot(t.Context(), tx, keys, holder, now.Add(at)); err != nil {
			t.Fatal(err)
		}
	}
	if !take(0, "a", "host:x", "source:s").Taken {
		t.Error("the first turn was not given")
	}
	if turn := take(5*time.Second, "b", "host:x", "source:s"); turn.Taken {
		t.Error("a turn was given while another holder is asking")
	}
	if take(5*time.Second, "b", "host:y", "source:s").Taken || take(5*time.Second, "b", "host:x", "source:r").Taken {
		t.Error("a turn was given though one of its keys is taken")
	}
	if !take(5*time.Second, "c", "host:y", "source:r").Taken {
		t.Error("other hosts and sources must not wait; a refused turn must take nothing")
	}
	end(6*time.Second, "b", "host:x", "source:s") // Not b's to give back.
	if take(7*time.Second, "b", "host:x", "source:s").Taken {
		t.Error("a turn was given back by somebody who does not hold it")
	}
	end(9*time.Second, "a", "host:x", "source:s")
	if turn := take(8*time.Second, "b", "host:x", "source:s"); turn.Taken || !turn.At.Equal(now.Add(9*time.Second)) {
		t.Errorf("turn before the gap is over: %+v, want none before second 9", turn)
	}
	if !take(9*time.Second, "b", "host:x", "source:s").Taken {
		t.Error("no turn after the gap")
	}
	renew := func(at time.Duration, holder string) {
		t.Helper()
		if err := polite.RenewSlot(t.Context(), tx, []string{"host:x", "source:s"}, holder, 30*time.Second, now.Add(at)); err != nil {
			t.Fatal(err)
		}
	}
	renew(35*time.Second, "b")
	renew(60*time.Second, "z") // Not z's to renew.
	if take(45*time.Second, "d", "host:x", "source:s").Taken {
		t.Error("a holder that renewed its turn was passed over")
	}
	if !take(66*time.Second, "d", "host:x", "source:s").Taken {
		t.Error("a holder that died must be passed over")
	}
}

// Who waits urgently goes first, in whatever process, and holds nobody up after that.
func TestUrgentTurnsComeFirst(t *testing.T) {
	t.Parallel()
	tx, now := modelstest.Tx(t), modelstest.Noon
	take := func(at time.Duration, holder string, urgent time.Duration) polite.Slot {
		t.Helper()
		ask := polite.Ask{Keys: []string{"source:s"}, Holder: holder, Gap: 2 * time.Second, Hold: time.Second, Urgent: urgent}
		turn, err := polite.TakeSlot(t.Context(), tx, ask, now.Add(at))
		if err != nil {
			t.Fatal(err)
		}
		return turn
	}
	const window = 300 * time.Millisecond
	take(0, "first", 0)
	take(time.Second, "urgent", window) // Waits until second 2.
	if turn := take(2*time.Second, "routine", 0); turn.Taken || !turn.At.Equal(now.Add(2*time.Second+window)) {
		t.Errorf("routine work went before urgent work: %+v", turn)
	}
	if !take(2*time.Second+time.Millisecond, "urgent", window).Taken {
		t.Error("urgent work did not get its turn")
	}
	if !take(5*time.Second, "routine", 0).Taken {
		t.Error("routine work waits though nobody urgent does any more")
	}
	take(6*time.Second, "urgent", window) // Dies in line.
	if !take(8*time.Second, "routine", 0).Taken {
		t.Error("somebody who died in line holds the others up")
	}
}

// Many takers on many connections: never two holders at once, and never two
// turns closer than the gap. Time is a counter here, so nothing waits.
func TestTurnsAreExclusive(t *testing.T) {
	t.Parallel()
	db := modelstest.Open(t)
	const gap = 10 * time.Millisecond
	var ticks atomic.Int64
	now := func() time.Time { return modelstest.Noon.Add(time.Duration(ticks.Add(1)) * time.Millisecond) }
	var mu sync.Mutex
	var holding int
	var last time.Time
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Go(func() {
			for i := 0; i < 30; {
				at, holder, keys := now(), fmt.Sprint(worker, i), []string{"host:x", "source:s"}
				turn, err := polite.TakeSlot(context.Background(), db.DB, polite.Ask{Keys: keys, Holder: holder, Gap: gap, Hold: time.Hour}, at)
				if err != nil {
					t.Error(err)
					return
				}
				if !turn.Taken {
					continue
				}
				mu.Lock()
				if holding++; holding > 1 {
					t.Error("two holders at once")
				}
				if at.Sub(last) < gap {
					t.Errorf("turns at %s and %s are closer than %s", last, at, gap)
				}
				last = at
				holding--
				mu.Unlock()
				if err := polite.EndSlot(context.Background(), db.DB, keys, holder, at.Add(gap)); err != nil {
					t.Error(err)
					return
				}
				i++
			}
		})
	}
	wg.Wait()
}
