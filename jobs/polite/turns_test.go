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

// turns are polite.Turns in memory, by the rule of models.TakeTurn.
type turns struct {
	mu  sync.Mutex
	now func() time.Time
	m   map[string]turn
	// took, where set, is called with each turn that was given.
	took func(holder string)
}

type turn struct {
	next, until time.Time
	holder      string
	urgent      time.Time
}

func (ts *turns) Take(ctx context.Context, ask polite.Ask) (bool, time.Time, error) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	now := ts.now()
	at, free := now, true
	for _, key := range ask.Keys {
		t := ts.m[key]
		if t.next.After(at) {
			at = t.next
		}
		if ask.Urgent == 0 && t.urgent.After(at) {
			at = t.urgent
		}
		free = free && !t.next.After(now) && !t.until.After(now) && (ask.Urgent > 0 || !t.urgent.After(now))
	}
	if !free {
		for _, key := range ask.Keys {
			if t := ts.m[key]; ask.Urgent > 0 {
				t.urgent = at.Add(ask.Urgent)
				ts.set(key, t)
			}
		}
		return false, at, ctx.Err()
	}
	for _, key := range ask.Keys {
		ts.set(key, turn{next: now.Add(ask.Gap), until: now.Add(ask.Hold), holder: ask.Holder})
	}
	if ts.took != nil {
		ts.took(ask.Holder)
	}
	return true, at, ctx.Err() // Called off, and taken all the same: a database may do that.
}

func (ts *turns) Renew(_ context.Context, keys []string, holder string, hold time.Duration) error {
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

func (ts *turns) End(ctx context.Context, keys []string, holder string, next time.Time) error {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	for _, key := range keys {
		if t := ts.m[key]; t.holder == holder {
			if next.Before(t.next) {
				next = t.next
			}
			ts.set(key, turn{next: next, urgent: t.urgent})
		}
	}
	return ctx.Err()
}

func (ts *turns) set(key string, t turn) {
	if ts.m == nil {
		ts.m = map[string]turn{}
	}
	ts.m[key] = t
}

// held says whether anybody holds a turn.
func (ts *turns) held() bool {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	for _, t := range ts.m {
		if t.until.After(ts.now()) {
			return true
		}
	}
	return false
}

// next returns when a key's next turn is.
func (ts *turns) next(key string) time.Time {
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

// newClient returns a client whose outside is rt and whose turns are in memory.
func newClient(rt roundTrip) (*polite.Client, *turns) {
	ts := &turns{now: time.Now}
	h := polite.Guarded(nil) // For its rule of redirects.
	h.Transport = rt
	return &polite.Client{Turns: ts, UserAgent: "Laurel/1 (+https://laurel.example)", HTTP: h, Now: time.Now, Sleep: sleep, Rate: 1,
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
