package polite_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel/jobs/polite"
)

// slots are polite.Slots in memory, by the rule of polite.TakeSlot of models.
type slots struct {
	mu  sync.Mutex
	now func() time.Time
	m   map[string]slot
	// took, where set, is called with each slot that was given.
	took func(holder string)
}

type slot struct {
	next, until time.Time
	holder      string
	urgent      time.Time
}

func (ts *slots) Take(ctx context.Context, r polite.SlotRequest) (bool, time.Time, error) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	now := ts.now()
	at, free := now, true
	for _, key := range r.Keys {
		t := ts.m[key]
		if t.next.After(at) {
			at = t.next
		}
		if r.Urgent == 0 && t.urgent.After(at) {
			at = t.urgent
		}
		free = free && !t.next.After(now) && !t.until.After(now) && (r.Urgent > 0 || !t.urgent.After(now))
	}
	if !free {
		for _, key := range r.Keys {
			if t := ts.m[key]; r.Urgent > 0 {
				t.urgent = at.Add(r.Urgent)
				ts.set(key, t)
			}
		}
		return false, at, ctx.Err()
	}
	for _, key := range r.Keys {
		ts.set(key, slot{next: now.Add(r.Gap), until: now.Add(r.Hold), holder: r.Holder})
	}
	if ts.took != nil {
		ts.took(r.Holder)
	}
	return true, at, ctx.Err() // Called off, and taken all the same: a database may do that.
}

func (ts *slots) Renew(_ context.Context, keys []string, holder string, hold time.Duration) error {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	for _, key := range keys {
		if t := ts.m[key]; t.holder == holder {
			t.until = ts.now().Add(hold)
			ts.set(key, t)
		}
	}
	return nil
}

func (ts *slots) End(ctx context.Context, keys []string, holder string, next time.Time) error {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	for _, key := range keys {
		if t := ts.m[key]; t.holder == holder {
			if next.Before(t.next) {
				next = t.next
			}
			ts.set(key, slot{next: next, urgent: t.urgent})
		}
	}
	return ctx.Err()
}

func (ts *slots) set(key string, t slot) {
	if ts.m == nil {
		ts.m = map[string]slot{}
	}
	ts.m[key] = t
}

// held says whether anybody holds a slot.
func (ts *slots) held() bool {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	for _, t := range ts.m {
		if t.until.After(ts.now()) {
			return true
		}
	}
	return false
}

// next returns when a key's next slot is.
func (ts *slots) next(key string) time.Time {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return ts.m[key].next
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// answer is a response with header lines "Name: value".
func answer(status int, body string, headers ...string) *http.Response {
	h := http.Header{}
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		h.Set(name, value)
	}
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body))}
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// newClient returns a client whose outside is rt and whose slots are in memory.
func newClient(rt roundTrip) (*polite.Client, *slots) {
	ts := &slots{now: time.Now}
	h := polite.Guarded(nil) // For its rule of redirects.
	h.Transport = rt
	return &polite.Client{Slots: ts, UserAgent: "Laurel/1 (+https://laurel.example)", HTTP: h, Now: time.Now, Sleep: sleep, Rate: 1,
		MaxBytes: 1 << 20}, ts
}

// kind returns the kind of an error of the outside world; "" for none.
func kind(t testing.TB, err error) (string, *polite.Error) {
	t.Helper()
	if err == nil {
		return "", nil
	}
	e, ok := errors.AsType[*polite.Error](err)
	if !ok {
		t.Fatalf("got %v, want an Error of the outside world or nothing", err)
	}
	return e.Kind, e
}

// A process that stood still between taking its slot and sending takes another one: what it had
// may be somebody else's by then.
func TestSlotIsCheckedBeforeSending(t *testing.T) {
	var mu sync.Mutex
	var stood time.Duration
	now := func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return time.Now().Add(stood)
	}
	taken, sent := 0, 0
	ts := &slots{now: now, m: map[string]slot{}}
	ts.took = func(string) {
		if taken++; taken == 1 {
			mu.Lock()
			stood = time.Minute
			mu.Unlock()
		}
	}
	h := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		sent++
		if taken != 2 {
			t.Errorf("sent in slot %d", taken)
		}
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("ok")), Request: r}, nil
	})}
	c := &polite.Client{Slots: ts, HTTP: h, Now: now, Sleep: sleep, Rate: 1, MaxBytes: 1 << 10}
	if _, err := c.Get(t.Context(), polite.Request{Address: "https://judge.example/", Source: "judge", Gap: time.Millisecond}); err != nil || sent != 1 {
		t.Errorf("sent %d times, %v", sent, err)
	}
}
