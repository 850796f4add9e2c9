package polite_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"laurel/jobs/polite"
)

// logged returns a client that writes down each request and its second.
func logged(log *[]string, takes time.Duration) (*polite.Client, *slots) {
	start := time.Now()
	return newClient(func(r *http.Request) (*http.Response, error) {
		*log = append(*log, r.URL.Host+r.URL.Path+" "+time.Since(start).String())
		time.Sleep(takes)
		return answer(200, ""), nil
	})
}

func checkLog(t *testing.T, log []string, want string) {
	t.Helper()
	if got := strings.Join(log, ", "); got != want {
		t.Errorf("requests at %s, want %s", got, want)
	}
}

// Gaps are kept per source and per host, and counted from the answer.
func TestGaps(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log []string
		c, _ := logged(&log, 0)
		for _, r := range []polite.Request{
			{Address: "http://a/1", Source: "s"}, {Address: "http://a/2", Source: "s"},
			{Address: "http://b/3", Source: "r"},                                       // Nobody's business but its own.
			{Address: "http://c/4", Source: "s"}, {Address: "http://A/5", Source: "q"}, // Same source; same host.
		} {
			r.Gap = time.Second
			if _, err := c.Get(t.Context(), r); err != nil {
				t.Fatal(err)
			}
		}
		checkLog(t, log, "a/1 0s, a/2 1s, b/3 1s, c/4 2s, A/5 2s")
	})
	synctest.Test(t, func(t *testing.T) {
		var log []string
		c, _ := logged(&log, 3*time.Second)
		for _, a := range []string{"http://a/1", "http://a/2"} {
			if _, err := c.Get(t.Context(), polite.Request{Address: a, Source: "s", Gap: 2 * time.Second}); err != nil {
				t.Fatal(err)
			}
		}
		checkLog(t, log, "a/1 0s, a/2 5s")
	})
}

// The gap counts from the answer's first byte: a long download is not waited for twice.
func TestGapCountsFromTheAnswersBeginning(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, ts := newClient(func(r *http.Request) (*http.Response, error) {
			time.Sleep(3 * time.Second)
			httptrace.ContextClientTrace(r.Context()).GotFirstResponseByte()
			time.Sleep(4 * time.Second)
			return answer(200, ""), nil
		})
		start := time.Now()
		if _, err := c.Get(t.Context(), polite.Request{Address: "http://a/", Source: "s", Gap: 5 * time.Second}); err != nil {
			t.Fatal(err)
		}
		if next := ts.next("host:a").Sub(start); next != 8*time.Second {
			t.Errorf("the next slot is at %s, want 8s", next)
		}
	})
}

func TestRateDividesGaps(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log []string
		c, _ := logged(&log, 0)
		c.Rate = 1000
		for range 2 {
			if _, err := c.Get(t.Context(), polite.Request{Address: "http://a/", Source: "s", Gap: 2 * time.Second}); err != nil {
				t.Fatal(err)
			}
		}
		checkLog(t, log, "a/ 0s, a/ 2ms")
	})
}

// Within a process, those somebody waits for go first, each kind in its order.
func TestUrgentGoesFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log []string
		c, _ := logged(&log, 0)
		for _, r := range []polite.Request{
			{Address: "http://a/first"}, {Address: "http://a/routine1"}, {Address: "http://a/routine2"},
			{Address: "http://a/urgent1", Urgent: true}, {Address: "http://a/urgent2", Urgent: true},
		} {
			go func() {
				r.Source, r.Gap = "s", time.Second
				if _, err := c.Get(t.Context(), r); err != nil {
					t.Error(err)
				}
			}()
			synctest.Wait() // In this order they are in line.
		}
		go func() { // A second after the others, and still before the routine.
			time.Sleep(1500 * time.Millisecond)
			_, _ = c.Get(t.Context(), polite.Request{Address: "http://a/urgent3", Source: "s", Gap: time.Second, Urgent: true})
		}()
		time.Sleep(time.Minute)
		synctest.Wait()
		checkLog(t, log, "a/first 0s, a/urgent1 1s, a/urgent2 2s, a/urgent3 3s, a/routine1 4s, a/routine2 5s")
	})
}

// Another process's clients share the slots, not the gate: gaps hold between them, too.
func TestProcessesTakeTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var times []time.Duration
		start, busy := time.Now(), 0
		c1, ts := newClient(func(*http.Request) (*http.Response, error) {
			if busy++; busy > 1 {
				t.Error("two requests at once")
			}
			times = append(times, time.Since(start))
			time.Sleep(300 * time.Millisecond)
			busy--
			return answer(200, ""), nil
		})
		c2, _ := newClient(nil)
		c2.HTTP, c2.Slots = c1.HTTP, ts
		for _, c := range []*polite.Client{c1, c2, c1, c2, c1, c2} {
			go func() {
				if _, err := c.Get(t.Context(), polite.Request{Address: "http://a/", Source: "s", Gap: time.Second, Urgent: true}); err != nil {
					t.Error(err)
				}
			}()
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(times) != 6 {
			t.Fatalf("%d requests, want 6", len(times))
		}
		for i := 1; i < len(times); i++ {
			if gap := times[i] - times[i-1]; gap < 1300*time.Millisecond || gap > 1500*time.Millisecond {
				t.Errorf("requests at %s: they are to be a second apart from the answer on, and not much more", times)
			}
		}
	})
}

// A request lasts at most a minute; its slot must not be passed over before.
func TestASlowRequestKeepsItsSlot(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log []string
		c1, ts := logged(&log, time.Minute)
		c2, _ := newClient(nil)
		c2.HTTP, c2.Slots = c1.HTTP, ts
		go func() {
			_, _ = c1.Get(t.Context(), polite.Request{Address: "http://a/1", Source: "s", Gap: time.Second})
		}()
		synctest.Wait()
		if _, err := c2.Get(t.Context(), polite.Request{Address: "http://a/2", Source: "s", Gap: time.Second}); err != nil {
			t.Fatal(err)
		}
		checkLog(t, log, "a/1 0s, a/2 1m1s")
	})
}

// A process that died with a slot costs its hold, not the site.
func TestADeadHolderIsPassedOver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log []string
		c, ts := logged(&log, 0)
		if taken, _, _ := ts.Take(t.Context(), polite.SlotRequest{Keys: []string{"host:a", "source:s"}, Holder: "dead", Gap: time.Second,
			Hold: 10 * time.Second}); !taken {
			t.Fatal("no slot")
		}
		start := time.Now()
		if _, err := c.Get(t.Context(), polite.Request{Address: "http://a/", Source: "s", Gap: time.Second}); err != nil {
			t.Fatal(err)
		}
		if d := time.Since(start); d < 10*time.Second || d > 11*time.Second {
			t.Errorf("the slot came after %s, want after the hold of 10s", d)
		}
	})
}

// Where a site asked us to stay away for long, the work is given back at once.
func TestAFarTurnIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		c, _ := newClient(func(*http.Request) (*http.Response, error) {
			asked++
			return answer(503, "", "Retry-After: 60"), nil
		})
		r := polite.Request{Address: "http://a/", Source: "s", Gap: 2 * time.Second}
		start := time.Now()
		_, _ = c.Get(t.Context(), r)
		_, err := c.Get(t.Context(), r)
		if k, e := kind(t, err); k != polite.RateLimited || !e.RetryAt.Equal(start.Add(time.Minute)) || time.Since(start) != 0 || asked != 1 {
			t.Errorf("got %q (%v) after %s and %d requests, want rate_limited at once and when to return", k, err, time.Since(start), asked)
		}
		time.Sleep(50 * time.Second) // Now it is near: worth waiting.
		if _, err = c.Get(t.Context(), r); time.Since(start) != time.Minute || asked != 2 {
			t.Errorf("got %v after %s and %d requests, want a second one after a minute", err, time.Since(start), asked)
		}
	})
}

// Whoever is called off in line passes the place on and holds nothing.
func TestCalledOffInLine(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log []string
		c, ts := logged(&log, 0)
		r := polite.Request{Address: "http://a/", Source: "s", Gap: 10 * time.Second}
		if _, err := c.Get(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		errs := make(chan error)
		for range 3 { // One waits for the slot, two at the gate.
			go func() {
				_, err := c.Get(ctx, r)
				errs <- err
			}()
		}
		last := make(chan error)
		go func() {
			synctest.Wait()
			_, err := c.Get(t.Context(), r)
			last <- err
		}()
		time.Sleep(time.Second)
		cancel()
		for range 3 {
			if err := <-errs; !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want what the context says", err)
			}
		}
		if ts.held() {
			t.Error("a slot is held by nobody")
		}
		if err := <-last; err != nil {
			t.Errorf("the one behind them got %v", err)
		}
		checkLog(t, log, "a/ 0s, a/ 10s")
	})
}

// A slot that was taken at the moment of being called off is given back.
func TestCalledOffWhileTaking(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, ts := newClient(func(*http.Request) (*http.Response, error) {
			t.Error("something was asked")
			return answer(200, ""), nil
		})
		ctx, cancel := context.WithCancel(t.Context())
		ts.took = func(string) { cancel() }
		_, err := c.Get(ctx, polite.Request{Address: "http://a/", Source: "s", Gap: time.Second})
		if !errors.Is(err, context.Canceled) || ts.held() {
			t.Errorf("got %v, slot held = %t; want it given back", err, ts.held())
		}
	})
}
