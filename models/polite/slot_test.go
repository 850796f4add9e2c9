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

func TestSlots(t *testing.T) {
	t.Parallel()
	tx, now := modelstest.Tx(t), modelstest.Noon
	take := func(at time.Duration, holder string, keys ...string) polite.Slot {
		t.Helper()
		slot, err := polite.TakeSlot(t.Context(), tx, polite.SlotRequest{Keys: keys, Holder: holder, Gap: 2 * time.Second, Hold: 30 * time.Second}, now.Add(at))
		if err != nil {
			t.Fatal(err)
		}
		return slot
	}
	end := func(at time.Duration, holder string, keys ...string) {
		t.Helper()
		if err := polite.EndSlot(t.Context(), tx, keys, holder, now.Add(at)); err != nil {
			t.Fatal(err)
		}
	}
	if !take(0, "a", "host:x", "source:s").Taken {
		t.Error("the first slot was not given")
	}
	if slot := take(5*time.Second, "b", "host:x", "source:s"); slot.Taken {
		t.Error("a slot was given while another holder is asking")
	}
	if take(5*time.Second, "b", "host:y", "source:s").Taken || take(5*time.Second, "b", "host:x", "source:r").Taken {
		t.Error("a slot was given though one of its keys is taken")
	}
	if !take(5*time.Second, "c", "host:y", "source:r").Taken {
		t.Error("other hosts and sources must not wait; a refused slot must take nothing")
	}
	end(6*time.Second, "b", "host:x", "source:s") // Not b's to give back.
	if take(7*time.Second, "b", "host:x", "source:s").Taken {
		t.Error("a slot was given back by somebody who does not hold it")
	}
	end(9*time.Second, "a", "host:x", "source:s")
	if slot := take(8*time.Second, "b", "host:x", "source:s"); slot.Taken || !slot.At.Equal(now.Add(9*time.Second)) {
		t.Errorf("slot before the gap is over: %+v, want none before second 9", slot)
	}
	if !take(9*time.Second, "b", "host:x", "source:s").Taken {
		t.Error("no slot after the gap")
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
		t.Error("a holder that renewed its slot was passed over")
	}
	if !take(66*time.Second, "d", "host:x", "source:s").Taken {
		t.Error("a holder that died must be passed over")
	}
}

// Who waits urgently goes first, in whatever process, and holds nobody up after that.
func TestUrgentRequestsComeFirst(t *testing.T) {
	t.Parallel()
	tx, now := modelstest.Tx(t), modelstest.Noon
	take := func(at time.Duration, holder string, urgent time.Duration) polite.Slot {
		t.Helper()
		ask := polite.SlotRequest{Keys: []string{"source:s"}, Holder: holder, Gap: 2 * time.Second, Hold: time.Second, Urgent: urgent}
		slot, err := polite.TakeSlot(t.Context(), tx, ask, now.Add(at))
		if err != nil {
			t.Fatal(err)
		}
		return slot
	}
	const window = 300 * time.Millisecond
	take(0, "first", 0)
	take(time.Second, "urgent", window) // Waits until second 2.
	if slot := take(2*time.Second, "routine", 0); slot.Taken || !slot.At.Equal(now.Add(2*time.Second+window)) {
		t.Errorf("routine work went before urgent work: %+v", slot)
	}
	if !take(2*time.Second+time.Millisecond, "urgent", window).Taken {
		t.Error("urgent work did not get its slot")
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
// slots closer than the gap. Time is a counter here, so nothing waits.
func TestSlotsAreExclusive(t *testing.T) {
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
				slot, err := polite.TakeSlot(context.Background(), db.DB, polite.SlotRequest{Keys: keys, Holder: holder, Gap: gap, Hold: time.Hour}, at)
				if err != nil {
					t.Error(err)
					return
				}
				if !slot.Taken {
					continue
				}
				mu.Lock()
				if holding++; holding > 1 {
					t.Error("two holders at once")
				}
				if at.Sub(last) < gap {
					t.Errorf("slots at %s and %s are closer than %s", last, at, gap)
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
